import Base
import TestSupport
import Testing

@testable import Record

@Suite struct SixelTests {
  @Test("libsixel decodes a drawing to the upright picture, in the nearest colours", arguments: orientations)
  func foreign(_ orientation: Orientation) throws {
    let upright = TerminalDrawing.noise(width: 61, height: 45, 0...5, step: 51, seed: 7)
    var text = try text()
    upright.turnedBack(orientation).draw(.sixels, orientation, space: PixelSize(width: 61, height: 45), into: &text)
    let png = try ForeignProgram.run("sixel2png", [], input: bytes(of: text))
    let shown = try ForeignProgram.run(
      "ffmpeg", ["-v", "error", "-f", "png_pipe", "-i", "-", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"], input: png)
    let isSame = shown == upright.rgb
    #expect(isSame)
  }

  @Test("The largest drawing of a scene fits the planned space")
  func largest() throws {
    let scene = TerminalDrawing(width: 400, height: 300) { x, y in (UInt8(x / 2), UInt8(y / 2), UInt8((x + y) / 4)) }
    var text = try text()
    scene.draw(.sixels, .landscapeLeft, space: PixelSize(width: 4000, height: 3000), into: &text)
    let isOverfull = text.isOverfull
    #expect(!isOverfull)
  }
}
