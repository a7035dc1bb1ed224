import Base
import Foundation
import TestSupport
import Wire

@testable import Drawing

/// A picture as packed RGB, generated and compared by ImageMagick.
struct ColourPicture: Equatable {
  let size: PixelSize
  var bytes: [UInt8]

  /// The output of ImageMagick's `convert` with these arguments.
  init(_ arguments: [String], input: ColourPicture? = nil) throws {
    let pnm = try ForeignProgram.run(
      "convert", (input == nil ? [] : ["ppm:-"]) + arguments + ["-depth", "8", "ppm:-"], input: input?.ppm ?? [])
    let header = String(decoding: pnm.prefix(32), as: UTF8.self).split(whereSeparator: \.isWhitespace)
    size = PixelSize(width: Int(header[1])!, height: Int(header[2])!)
    bytes = Array(pnm.suffix(3 * size.width * size.height))
  }

  init(size: PixelSize, bytes: [UInt8]) {
    self.size = size
    self.bytes = bytes
  }

  var ppm: [UInt8] { Array("P6 \(size.width) \(size.height) 255\n".utf8) + bytes }

  func rotated(byDegrees degrees: Int) throws -> ColourPicture {
    try ColourPicture(["-rotate", "\(degrees)"], input: self)
  }

  func scaled(_ geometry: String) throws -> ColourPicture {
    try ColourPicture(["-filter", "triangle", "-resize", geometry], input: self)
  }

  /// At 60 % of its brightness, rounded: ImageMagick calculates in 257ths of a step, and truncates its output.
  func dimmed() throws -> ColourPicture {
    let arguments = ["ppm:-", "-evaluate", "multiply", "0.6", "-evaluate", "add", "128", "-depth", "8", "rgb:-"]
    return ColourPicture(size: size, bytes: try ForeignProgram.run("convert", arguments, input: ppm))
  }

  /// Red, green and blue.
  func pixel(_ x: Int, _ y: Int) -> [UInt8] { Array(bytes[3 * (y * size.width + x)..<3 * (y * size.width + x) + 3]) }

  /// The similarity of two pictures of the same size in these rows, in decibels.
  func peakSignalToNoise(_ other: ColourPicture, rows: Range<Int>) -> Double {
    let range = 3 * rows.lowerBound * size.width..<3 * rows.upperBound * size.width
    let squares = zip(bytes[range], other.bytes[range]).reduce(0.0) { $0 + pow(Double($1.0) - Double($1.1), 2) }
    return 10 * log10(255 * 255 / max(1e-9, squares / Double(range.count)))
  }

  /// Random bytes from `generator`.
  static func noise(_ size: PixelSize, _ generator: inout SeededGenerator) -> ColourPicture {
    ColourPicture(
      size: size, bytes: (0..<3 * size.width * size.height).map { _ in .random(in: 0...255, using: &generator) })
  }

  /// An arrow that points up, left of the middle, in colours that distinguish right from left.
  static func arrow(_ size: PixelSize) throws -> ColourPicture {
    let (width, height) = (size.width, size.height)
    let head = "polygon \(width / 3),\(height / 4) \(width / 6),\(height / 2) \(width / 2),\(height / 2)"
    let shaft = "rectangle \(width / 4),\(height / 2) \(width * 5 / 12),\(height * 3 / 4)"
    return try ColourPicture([
      "-size", "\(width)x\(height)", "gradient:navy-teal", "-fill", "white", "-draw", head, "-fill", "orange", "-draw",
      shaft, "-blur", "0x2",
    ])
  }
}

/// Memory to draw on, and a painter.
struct Painting: ~Copyable {
  /// A value that no picture and no ink has, because its upper byte is not 0.
  static let untouched: UInt32 = 0xDEAD_BEEF

  var painter: ViewPainter
  let size: PixelSize
  let pixelsPerLine: Int
  var pixels: [UInt32]

  init(
    _ size: PixelSize, _ framing: Framing = .fit, _ mounting: Mounting = .builtIn, longestPictureLine: Int = 2000
  ) throws {
    let side = max(size.width, size.height)
    var memory = leakedBootMemory()
    painter = try unwrapped(
      ViewPainter(
        framing: framing, mounting: mounting, Fonts.lettering(), longestPictureLine: longestPictureLine,
        longestCanvasSide: side, in: &memory))
    self.size = size
    pixelsPerLine = size.width + 5
    pixels = Array(repeating: Self.untouched, count: pixelsPerLine * size.height)
  }

  /// Draws, and returns the contents of the display.
  mutating func paint(_ picture: ColourPicture?, _ status: ViewStatus) throws -> ColourPicture {
    paintOnly(picture, status)
    return display
  }

  mutating func paintOnly(_ picture: ColourPicture?, _ status: ViewStatus) {
    paintOnly(picture, ShownStatus(status))
  }

  mutating func paintOnly(_ picture: ColourPicture?, artwork: ColourPicture? = nil, _ status: ShownStatus) {
    Self.paint(
      picture, artwork, status, by: &painter, on: &pixels, size: size, pixelsPerLine: pixelsPerLine)
  }

  private static func paint(
    _ picture: ColourPicture?, _ artwork: ColourPicture?, _ status: ShownStatus, by painter: inout ViewPainter,
    on pixels: inout [UInt32], size: PixelSize, pixelsPerLine: Int
  ) {
    let canvas = Canvas(pixels.mutableSpan, size: size, pixelsPerLine: pixelsPerLine)
    guard var canvas else { return }
    if let picture {
      let span = unsafe picture.bytes.span.bytes
      let decoded = DecodedPicture(span, size: picture.size, codedSize: picture.size)
      painter.paint(decoded, artwork: nil, status, onto: &canvas)
    } else if let artwork {
      let span = unsafe artwork.bytes.span.bytes
      let decoded = DecodedPicture(span, size: artwork.size, codedSize: artwork.size)
      painter.paint(nil, artwork: decoded, status, onto: &canvas)
    } else {
      painter.paint(nil, artwork: nil, status, onto: &canvas)
    }
  }

  /// The display's lines, without the gaps between them.
  var display: ColourPicture {
    var bytes: [UInt8] = []
    for y in 0..<size.height {
      for pixel in pixels[y * pixelsPerLine..<y * pixelsPerLine + size.width] {
        bytes += [UInt8(pixel >> 16 & 255), UInt8(pixel >> 8 & 255), UInt8(pixel & 255)]
      }
    }
    return ColourPicture(size: size, bytes: bytes)
  }

  /// Whether every pixel was drawn, and nothing between the lines.
  var isAllDrawn: Bool {
    pixels.indices.allSatisfy { (pixels[$0] == Self.untouched) == ($0 % pixelsPerLine >= size.width) }
  }
}
