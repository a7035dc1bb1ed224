import Base
import TestSupport

@testable import Record

let orientations: [Orientation] = [.landscapeLeft, .portrait, .landscapeRight, .portraitUpsideDown]

extension TerminalDrawing {
  typealias Color = (red: UInt8, green: UInt8, blue: UInt8)

  init(width: Int, height: Int, color: (_ x: Int, _ y: Int) -> Color) {
    var rgb: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let color = color(x, y)
        rgb += [color.red, color.green, color.blue]
      }
    }
    self.init(widthPixels: width, heightPixels: height, rgb: rgb)
  }

  /// A drawing in which all pixels are different.
  static func marked(width: Int, height: Int) -> TerminalDrawing {
    TerminalDrawing(width: width, height: height) { x, y in (UInt8(x), UInt8(y), UInt8((x * 7 + y * 13) % 256)) }
  }

  /// Noise in the colours of terminals that have 216 of them.
  static func noise(width: Int, height: Int, _ range: ClosedRange<UInt8>, step: UInt8, seed: UInt64) -> TerminalDrawing
  {
    var generator = SeededGenerator(seed: seed)
    func value() -> UInt8 { .random(in: range, using: &generator) * step }
    return TerminalDrawing(width: width, height: height) { _, _ in (value(), value(), value()) }
  }

  /// The upright picture as the camera of a device held like this would have seen it: a quarter turn back for each 90
  /// degrees that a player rotates it clockwise.
  func turnedBack(_ orientation: Orientation) -> TerminalDrawing {
    var rotated = self
    for _ in 0..<Int(orientation.clockwiseDegrees) / 90 {
      let before = rotated
      rotated = TerminalDrawing(width: before.heightPixels, height: before.widthPixels) { x, y in
        before.color(before.widthPixels - 1 - y, x)
      }
    }
    return rotated
  }

  private func color(_ x: Int, _ y: Int) -> Color {
    let start = 3 * (y * widthPixels + x)
    return (rgb[start], rgb[start + 1], rgb[start + 2])
  }

  /// Draws it as the picture of a device held like this.
  func draw(_ style: PreviewRequest.Style, _ orientation: Orientation, space: PixelSize, into text: inout DrawingText) {
    let picture = UprightPicture(
      pixels: rgb.span, size: PixelSize(width: widthPixels, height: heightPixels), orientation: orientation)
    switch style {
    case .halfBlocks: HalfBlocks.draw(picture, fittedInto: space, into: &text)
    case .sixels: Sixels.draw(picture, fittedInto: space, into: &text)
    case .shades: Shades.draw(picture, fittedInto: space, into: &text)
    }
  }
}

func text(byteCount: Int = PreviewPlan.textByteCount) throws -> DrawingText {
  var memory = leakedBootMemory(byteCount: byteCount + 64)
  return try unwrapped(DrawingText(byteCount: byteCount, in: &memory))
}

func bytes(of text: borrowing DrawingText) -> [UInt8] {
  let span = text.page.bytes(0..<text.byteCount)
  return span.indices.map { span[$0] }
}
