import Media
import Rings
import TestSupport
import Testing

@testable import Viewing

@Suite struct SixelTests {
  @Test("libsixel reads a drawing of sixels as the picture, upright, to the nearest colour", arguments: orientations)
  func foreign(_ orientation: Orientation) throws {
    // Steps of 51 are the colours that there are registers for.
    var generator = SeededGenerator(seed: 7)
    let upright = TerminalPixels(width: 61, height: 45) { _, _ in
      (
        51 * .random(in: 0...5, using: &generator), 51 * .random(in: 0...5, using: &generator),
        51 * .random(in: 0...5, using: &generator)
      )
    }
    let stored = upright.turnedBack(orientation)
    var text = try text()
    let picture = UprightPicture(
      pixels: stored.bytes.span, size: PictureSize(width: stored.width, height: stored.height),
      orientation: orientation)
    Sixels.draw(picture, fittedInto: PictureSize(width: 61, height: 45), into: &text)
    let span = text.page.bytes(0..<text.byteCount)
    let png = try ForeignProgram.run("sixel2png", [], input: span.indices.map { span[$0] })
    let shown = try ForeignProgram.run(
      "ffmpeg", ["-v", "error", "-f", "png_pipe", "-i", "-", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"], input: png)
    let isSame = shown == upright.bytes
    #expect(isSame)
  }

  @Test("The largest drawing of a scene fits the room that is planned for it")
  func largest() throws {
    let scene = TerminalPixels(width: 400, height: 300) { x, y in (UInt8(x / 2), UInt8(y / 2), UInt8((x + y) / 4)) }
    var text = try text()
    let picture = UprightPicture(
      pixels: scene.bytes.span, size: PictureSize(width: 400, height: 300), orientation: .landscapeLeft)
    Sixels.draw(picture, fittedInto: PictureSize(width: 4000, height: 3000), into: &text)
    let isOverfull = text.isOverfull
    #expect(!isOverfull)
  }
}
