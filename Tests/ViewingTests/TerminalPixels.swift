import Media
import Rings
import TestSupport

@testable import Viewing

let orientations: [Orientation] = [.landscapeLeft, .portrait, .landscapeRight, .portraitUpsideDown]

/// A picture for tests: made, turned, or read back out of what a terminal would be sent.
struct TerminalPixels: Equatable {
  var width: Int
  var height: Int
  var bytes: [UInt8]

  init(width: Int, height: Int, color: (_ x: Int, _ y: Int) -> (UInt8, UInt8, UInt8)) {
    self.width = width
    self.height = height
    bytes = []
    for y in 0..<height {
      for x in 0..<width {
        let (red, green, blue) = color(x, y)
        bytes += [red, green, blue]
      }
    }
  }

  /// No two pixels of it are alike.
  static func marked(width: Int, height: Int) -> TerminalPixels {
    TerminalPixels(width: width, height: height) { x, y in (UInt8(x), UInt8(y), UInt8((x * 7 + y * 13) % 256)) }
  }

  func color(_ x: Int, _ y: Int) -> (UInt8, UInt8, UInt8) {
    let start = 3 * (y * width + x)
    return (bytes[start], bytes[start + 1], bytes[start + 2])
  }

  /// How the camera of a device that is held so would have seen what is upright here: a quarter turn back for each
  /// 90 degrees that a player turns it clockwise.
  func turnedBack(_ orientation: Orientation) -> TerminalPixels {
    var turned = self
    for _ in 0..<Int(orientation.clockwiseDegrees) / 90 {
      let before = turned
      turned = TerminalPixels(width: before.height, height: before.width) { x, y in
        before.color(before.width - 1 - y, x)
      }
    }
    return turned
  }

  /// Reads a drawing of half blocks as a terminal does.
  init(drawing text: borrowing DrawingText) throws {
    let span = text.page.bytes(0..<text.byteCount)
    let all = String(decoding: span.indices.map { span[$0] }, as: UTF8.self)
    var rows: [[(UInt8, UInt8, UInt8)]] = []
    for line in all.split(separator: "\n") {
      let (upper, lower) = try Self.cells(of: line)
      rows += [upper, lower]
    }
    self.init(width: rows.first?.count ?? 0, height: rows.count) { x, y in rows[y][x] }
  }

  private static func cells(
    of line: Substring
  ) throws -> ([(UInt8, UInt8, UInt8)], [(UInt8, UInt8, UInt8)]) {
    var upper: [(UInt8, UInt8, UInt8)] = []
    var lower: [(UInt8, UInt8, UInt8)] = []
    var foreground: (UInt8, UInt8, UInt8) = (0, 0, 0)
    var background: (UInt8, UInt8, UInt8) = (0, 0, 0)
    var rest = line
    while let character = rest.first {
      if character == "▀" {
        upper.append(foreground)
        lower.append(background)
        rest.removeFirst()
        continue
      }
      let sequence = try unwrapped(rest.firstMatch(of: /^\u{1B}\[([0-9;]*)([mK])/))
      let numbers = sequence.1.split(separator: ";").compactMap { UInt8($0) }
      if numbers.count == 5, numbers[0] == 38 { foreground = (numbers[2], numbers[3], numbers[4]) }
      if numbers.count == 5, numbers[0] == 48 { background = (numbers[2], numbers[3], numbers[4]) }
      rest = rest[sequence.range.upperBound...]
    }
    return (upper, lower)
  }
}

func text() throws -> DrawingText {
  var memory = leakedBootMemory(byteCount: HalfBlocks.largestByteCount + 64)
  return try unwrapped(DrawingText(byteCount: HalfBlocks.largestByteCount, in: &memory))
}

func draw(
  _ pixels: TerminalPixels, _ orientation: Orientation, room: PictureSize, into text: inout DrawingText
) {
  let picture = UprightPicture(
    pixels: pixels.bytes.span, size: PictureSize(width: pixels.width, height: pixels.height), orientation: orientation)
  HalfBlocks.draw(picture, fittedInto: room, into: &text)
}
