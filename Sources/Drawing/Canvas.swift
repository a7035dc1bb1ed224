import Base

/// A display's memory, written and never read: it is often uncached.
package struct Canvas: ~Copyable, ~Escapable {
  private var pixels: MutableSpan<UInt32>
  private let pixelsPerLine: Int
  /// The display's own size, however the display is held.
  package let size: PixelSize

  /// - Parameters:
  ///   - pixels: line by line from the top, each from the left, in the format of ``Ink``.
  ///   - pixelsPerLine: from the start of one line to the start of the next, at least the width.
  /// - Returns: nil when `pixels` has fewer lines than `size`.
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
  /// - Parameter rotation: of the frame that contains the rectangle; the rotated frame fills the canvas.
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
    let lineCount = rectangle.height
    // The first index in the band, and its steps for one pixel to the right and one pixel down on the canvas.
    let (first, right, down) =
      switch rotation.count {
      case 1: ((lineCount - 1) * rectangle.width, -rectangle.width, 1)
      case 2: (lineCount * rectangle.width - 1, -1, -rectangle.width)
      case 3: (rectangle.width - 1, rectangle.width, -1)
      default: (0, 1, rectangle.width)
      }
    for row in 0..<place.height {
      let start = (place.y + row) * pixelsPerLine + place.x
      var line = pixels._mutatingExtracting(start..<start + place.width)
      Self.copy(band, from: first + row * down, by: right, into: &line)
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

  /// A shade between black (0) and white (255).
  init(grey level: UInt8) { value = UInt32(level) * 0x010101 }
  static var black: Ink { Ink(0x000000) }
  static var white: Ink { Ink(0xFFFFFF) }
  /// Of words that matter less.
  static var pale: Ink { Ink(0xB0B0B0) }
  static var red: Ink { Ink(0xE02020) }
  static var yellow: Ink { Ink(0xE8C000) }
  static var green: Ink { Ink(0x20B040) }
  /// The unlit parts of a level meter.
  static var darkRed: Ink { Ink(0x481010) }
  static var darkYellow: Ink { Ink(0x403400) }
  static var darkGreen: Ink { Ink(0x103818) }
  /// Lines and what is unlit.
  static var grey: Ink { Ink(0x484848) }
  /// A surface on black.
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

/// Draws shapes and text upright for the user on a canvas that may be held rotated.
struct Pen {
  /// From the upright view to the canvas.
  let rotation: QuarterTurn

  func fill(_ rectangle: PixelRectangle, with ink: Ink, onto canvas: inout Canvas) {
    canvas.fill(rectangle, rotated: rotation, with: ink)
  }

  /// A disc of an odd or even diameter, row by row.
  func drawDisc(in square: PixelRectangle, with ink: Ink, onto canvas: inout Canvas) {
    let diameter = square.width
    for row in 0..<diameter {
      let height = Float(2 * row + 1 - diameter)
      let chord = Int((Float(diameter * diameter) - height * height).squareRoot())
      let line = PixelRectangle(x: square.x + (diameter - chord) / 2, y: square.y + row, width: chord, height: 1)
      fill(line, with: ink, onto: &canvas)
    }
  }

  /// Draws a text with its first character's upper left corner at a point. The strokes of large characters are a little
  /// wider than the font's.
  /// - Parameters:
  ///   - scale: pixels of the canvas per pixel of a character, 1 or more.
  ///   - edge: width of a black outline, which keeps it readable on any picture.
  func draw(
    _ text: Span<UInt8>, x: Int, y: Int, scale: Int, with ink: Ink, edge: Int = 0, onto canvas: inout Canvas
  ) {
    let weight = Self.weight(scale)
    if edge > 0 { drawOnce(text, x: x, y: y, scale: scale, with: .black, grownBy: weight + edge, onto: &canvas) }
    drawOnce(text, x: x, y: y, scale: scale, with: ink, grownBy: weight, onto: &canvas)
  }

  /// Draws a text in the middle of a place's width.
  func draw(
    _ text: Span<UInt8>, in place: PixelRectangle, y: Int, scale: Int, with ink: Ink, onto canvas: inout Canvas
  ) {
    let width = columnCount(of: text) * UnifontGlyph.columnWidth * scale
    draw(text, x: place.x + (place.width - width) / 2, y: y, scale: scale, with: ink, onto: &canvas)
  }

  /// By how much strokes are wider on each side: the font's are thin, as its characters are small.
  static func weight(_ scale: Int) -> Int { scale / 3 }

  private func drawOnce(
    _ text: Span<UInt8>, x: Int, y: Int, scale: Int, with ink: Ink, grownBy edge: Int, onto canvas: inout Canvas
  ) {
    var characters = DrawnCharacters(text)
    var left = x
    var lastWidth = 0
    while let character = characters.next() {
      let glyph = UnifontGlyph(character)
      let advance = glyph.columnCount * UnifontGlyph.columnWidth * scale
      // A mark stands in the middle of what it marks.
      let start = advance > 0 ? left : left - (lastWidth + glyph.width * scale) / 2
      draw(glyph, x: start, y: y, scale: scale, with: ink, grownBy: edge, onto: &canvas)
      left += advance
      if advance > 0 { lastWidth = advance }
    }
  }

  /// Draws one character, a rectangle for each row's pixels that follow each other.
  func draw(
    _ glyph: UnifontGlyph, x: Int, y: Int, scale: Int, with ink: Ink, grownBy edge: Int,
    onto canvas: inout Canvas
  ) {
    for row in 0..<UnifontGlyph.height {
      var rest = glyph.row(row)
      var column = 0
      while rest != 0 {
        let gap = rest.leadingZeroBitCount
        let length = (~(rest << UInt16(gap))).leadingZeroBitCount
        column += gap
        let run = PixelRectangle(x: x + column * scale, y: y + row * scale, width: length * scale, height: scale)
        fill(run.grown(by: edge), with: ink, onto: &canvas)
        column += length
        rest = gap + length < 16 ? rest << UInt16(gap + length) : 0
      }
    }
  }
}
