import Base
import TestSupport
import Testing

@testable import Record

@Suite struct HalfBlockTests {
  @Test("A drawing shows the picture upright, however the device was held", arguments: orientations)
  func upright(_ orientation: Orientation) throws {
    let upright = TerminalDrawing.marked(width: 24, height: 16)
    var text = try text()
    upright.turnedBack(orientation)
      .draw(.halfBlocks, orientation, space: PixelSize(width: 24, height: 8), into: &text)
    let lines = String(decoding: bytes(of: text), as: UTF8.self).split(separator: "\n").map(String.init)
    let shown = try TerminalDrawing(lines: lines)
    #expect(shown == upright)
  }

  @Test("A drawing keeps the picture's proportions and stays inside the terminal")
  func shape() throws {
    var generator = SeededGenerator(seed: 41)
    for _ in 0..<500 {
      let picture = PixelSize(
        width: .random(in: 16...4096, using: &generator), height: .random(in: 16...4096, using: &generator))
      let space = PixelSize(
        width: .random(in: 1...500, using: &generator), height: .random(in: 1...200, using: &generator))
      let grid = HalfBlocks.grid(for: picture, space)
      #expect(grid.width <= space.width && grid.height <= max(2 * space.height, 2) && grid.height % 2 == 0)
      #expect(grid.width * grid.height / 2 <= HalfBlocks.largestCellCount)
      guard grid.width >= 20, grid.height >= 20 else { continue }
      let ratio = Double(grid.width) / Double(grid.height) * Double(picture.height) / Double(picture.width)
      #expect(abs(ratio - 1) < 0.11)
    }
  }

  @Test("The largest drawing, each cell in two new colours, fits the planned space")
  func largest() throws {
    var text = try text()
    TerminalDrawing.noise(width: 160, height: 150, 100...255, step: 1, seed: 42)
      .draw(.halfBlocks, .landscapeLeft, space: PixelSize(width: 160, height: 75), into: &text)
    let (isOverfull, byteCount) = (text.isOverfull, text.byteCount)
    #expect(!isOverfull)
    #expect(byteCount > PreviewPlan.textByteCount / 2)
  }

  @Test("A drawing that does not fit reports it, and writes nothing outside its space")
  func overfull() throws {
    var text = try text(byteCount: 100)
    TerminalDrawing.marked(width: 24, height: 16)
      .draw(.halfBlocks, .landscapeLeft, space: PixelSize(width: 24, height: 8), into: &text)
    let (isOverfull, byteCount) = (text.isOverfull, text.byteCount)
    #expect(isOverfull && byteCount == 100)
  }
}
