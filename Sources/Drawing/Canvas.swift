import Base

/// A picture in ordinary memory, which is copied to a display once complete: letters are blended with their background,
/// and a display's own memory is slow to read.
package struct Canvas: ~Copyable, ~Escapable {
  private var pixels: MutableSpan<UInt32>
  private let pixelsPerLine: Int
  /// The display's own size, however it is held.
  package let size: PixelSize

  /// - Parameters:
  ///   - pixels: lines from the top, each from the left, in the format of ``Ink``.
  ///   - pixelsPerLine: the distance between the starts of two lines, at least the width.
  /// - Returns: nil if `pixels` has fewer lines than `size`.
  @_lifetime(copy pixels)
  package init?(_ pixels: consuming MutableSpan<UInt32>, size: PixelSize, pixelsPerLine: Int) {
    guard size.width > 0, size.height > 0, pixelsPerLine >= size.width,
      pixels.count >= (size.height - 1) * pixelsPerLine + size.width
    else { return nil }
    self.pixels = pixels
    self.pixelsPerLine = pixelsPerLine
    self.size = size
  }

  /// Fills the part of a rectangle that is on the canvas.
  /// - Parameter rotation: the rotation of the frame that contains the rectangle; the rotated frame fills the canvas.
  mutating func fill(_ rectangle: PixelRectangle, rotated rotation: QuarterTurn, with ink: Ink) {
    let frame = size.rotated(by: rotation)
    let filled = rectangle.rotated(by: rotation, in: frame).intersection(PixelRectangle(size))
    guard filled.width > 0 else { return }
    for row in filled.y..<filled.y + filled.height {
      let first = row * pixelsPerLine + filled.x
      var line = pixels._mutatingExtracting(first..<first + filled.width)
      line.update(repeating: ink.value)
    }
  }

  /// Copies a band of lines, rotated.
  /// - Parameters:
  ///   - band: the lines of `rectangle`, one after another.
  ///   - rectangle: the position of the lines, completely inside a frame that fills the canvas after rotation.
  mutating func put(_ band: Span<UInt32>, at rectangle: PixelRectangle, rotated rotation: QuarterTurn) {
    let place = rectangle.rotated(by: rotation, in: size.rotated(by: rotation))
    let (first, right, down) = Self.steps(through: rectangle, rotated: rotation)
    for row in 0..<place.height {
      let start = (place.y + row) * pixelsPerLine + place.x
      var line = pixels._mutatingExtracting(start..<start + place.width)
      Self.copy(band, from: first + row * down, by: right, into: &line)
    }
  }

  /// Blends an ink over the part of a rectangle that is on the canvas, with a mask as the coverage of each pixel.
  /// - Parameters:
  ///   - mask: the rows of `rectangle` from the top, without gaps: 0 leaves a pixel alone, 255 replaces it by the ink.
  ///   - rectangle: the place in a frame that fills the canvas after rotation.
  mutating func blend(_ mask: Span<UInt8>, at rectangle: PixelRectangle, rotated rotation: QuarterTurn, with ink: Ink) {
    let place = rectangle.rotated(by: rotation, in: size.rotated(by: rotation))
    let seen = place.intersection(PixelRectangle(size))
    guard seen.width > 0, seen.height > 0, mask.count >= rectangle.width * rectangle.height else { return }
    let (first, right, down) = Self.steps(through: rectangle, rotated: rotation)
    for y in seen.y..<seen.y + seen.height {
      var index = first + (y - place.y) * down + (seen.x - place.x) * right
      for x in seen.x..<seen.x + seen.width {
        let coverage = mask[index]
        index += right
        guard coverage > 0 else { continue }
        let place = y * pixelsPerLine + x
        pixels[place] = coverage == 255 ? ink.value : ink.over(pixels[place], coverage)
      }
    }
  }

  /// The index of the first pixel on the canvas in a rectangle's lines, and the steps for one pixel right and down.
  private static func steps(through rectangle: PixelRectangle, rotated rotation: QuarterTurn) -> (Int, Int, Int) {
    let (width, height) = (rectangle.width, rectangle.height)
    return switch rotation.count {
    case 1: ((height - 1) * width, -width, 1)
    case 2: (height * width - 1, -1, -width)
    case 3: (width - 1, width, -1)
    default: (0, 1, width)
    }
  }

  @inline(__always)
  private static func copy(_ band: Span<UInt32>, from first: Int, by step: Int, into line: inout MutableSpan<UInt32>) {
    // Two loops, so that the optimiser copies whole vectors in the first.
    if step == 1 {
      for column in line.indices { line[column] = band[first + column] }
    } else {
      for column in line.indices { line[column] = band[first + column * step] }
    }
  }
}

/// A colour in a display's memory: 8 bits each of red, green and blue in the lower 24 (DRM_FORMAT_XRGB8888).
package struct Ink: BitwiseCopyable, Equatable, Sendable {
  /// Blue in the lowest byte.
  package let value: UInt32

  init(_ value: UInt32) { self.value = value }

  /// This ink over a pixel: 0 leaves the pixel as it is, 255 replaces it.
  func over(_ pixel: UInt32, _ coverage: UInt8) -> UInt32 {
    // In 256ths, so that both extremes are exact.
    let part = UInt32(coverage) + UInt32(coverage >> 7)
    let redAndBlue = ((value & 0xFF00FF) * part + (pixel & 0xFF00FF) * (256 - part)) >> 8 & 0xFF00FF
    let green = ((value & 0x00FF00) * part + (pixel & 0x00FF00) * (256 - part)) >> 8 & 0x00FF00
    return redAndBlue | green
  }

  /// A shade between black (0) and white (255).
  init(grey level: UInt8) { value = UInt32(level) * 0x010101 }
  static var black: Ink { Ink(0x000000) }
  static var white: Ink { Ink(0xFFFFFF) }
  /// For less important words.
  static var pale: Ink { Ink(0xB0B0B0) }
  static var red: Ink { Ink(0xE02020) }
  static var yellow: Ink { Ink(0xE8C000) }
  static var green: Ink { Ink(0x20B040) }
  /// The unlit parts of a level meter.
  static var darkRed: Ink { Ink(0x481010) }
  static var darkYellow: Ink { Ink(0x403400) }
  static var darkGreen: Ink { Ink(0x103818) }
  /// For lines and unlit parts.
  static var grey: Ink { Ink(0x484848) }
  /// For a surface on black.
  static var shadow: Ink { Ink(0x181818) }
}

extension PixelRectangle {
  /// A rectangle of this size at the origin.
  init(_ size: PixelSize) { self.init(x: 0, y: 0, width: size.width, height: size.height) }

  /// The intersection of both, or an empty rectangle.
  func intersection(_ other: PixelRectangle) -> PixelRectangle {
    let left = max(x, other.x)
    let top = max(y, other.y)
    let right = min(x + width, other.x + other.width)
    let bottom = min(y + height, other.y + other.height)
    return PixelRectangle(x: left, y: top, width: max(0, right - left), height: max(0, bottom - top))
  }

  /// The rectangle enlarged by `margin` on every side.
  func grown(by margin: Int) -> PixelRectangle {
    PixelRectangle(x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin)
  }
}
