import Media
import Rings
import TestSupport
import Testing

@testable import Viewing

@Suite struct HalfBlockTests {
  @Test("A drawing shows the picture upright, whichever way the device was held", arguments: orientations)
  func orientation(_ orientation: Orientation) throws {
    let upright = TerminalPixels.marked(width: 24, height: 16)
    let stored = upright.turnedBack(orientation)
    var text = try text()
    draw(stored, orientation, room: PictureSize(width: 24, height: 8), into: &text)
    let shown = try TerminalPixels(drawing: text)
    let expected = TerminalPixels.marked(width: 24, height: 16)
    #expect(shown == expected)
  }

  @Test("A drawing keeps the picture's shape and stays within the terminal")
  func shape() throws {
    var generator = SeededGenerator(seed: 41)
    for _ in 0..<500 {
      let picture = PictureSize(
        width: .random(in: 16...4096, using: &generator), height: .random(in: 16...4096, using: &generator))
      let room = PictureSize(
        width: .random(in: 1...500, using: &generator), height: .random(in: 1...200, using: &generator))
      let grid = HalfBlocks.grid(for: picture, room)
      #expect(grid.width <= room.width && grid.height <= max(2 * room.height, 2) && grid.height % 2 == 0)
      #expect(grid.width * grid.height / 2 <= HalfBlocks.largestCellCount)
      guard grid.width >= 20, grid.height >= 20 else { continue }
      let ratio = Double(grid.width) / Double(grid.height) * Double(picture.height) / Double(picture.width)
      #expect(abs(ratio - 1) < 0.11)
    }
  }

  @Test("The largest drawing, each cell in two new colours, fits the room that is planned for it")
  func largest() throws {
    var generator = SeededGenerator(seed: 42)
    let noise = TerminalPixels(width: 160, height: 150) { _, _ in
      (
        .random(in: 100...255, using: &generator), .random(in: 100...255, using: &generator),
        .random(in: 100...255, using: &generator)
      )
    }
    var text = try text()
    draw(noise, .landscapeLeft, room: PictureSize(width: 160, height: 75), into: &text)
    let (isOverfull, byteCount) = (text.isOverfull, text.byteCount)
    #expect(!isOverfull)
    #expect(byteCount > HalfBlocks.largestByteCount / 2)
  }

  @Test("A drawing that does not fit says so, and writes nothing beyond its room")
  func overfull() throws {
    var memory = leakedBootMemory(byteCount: 1024)
    var text = try unwrapped(DrawingText(byteCount: 100, in: &memory))
    draw(.marked(width: 24, height: 16), .landscapeLeft, room: PictureSize(width: 24, height: 8), into: &text)
    let (isOverfull, byteCount) = (text.isOverfull, text.byteCount)
    #expect(isOverfull && byteCount == 100)
  }
}
