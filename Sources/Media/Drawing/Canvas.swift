import Values

/// Memory that a display shows, written and never read: it is often not cached.
public struct Canvas: ~Copyable, ~Escapable {
  private var pixels: MutableSpan<UInt32>
  private let pixelsPerLine: Int
  /// As the display has it, whichever way up it is held.
  public let size: PixelSize

  /// - Parameters:
  ///   - pixels: line by line from the top, each from the left, as ``Ink`` says.
  ///   - pixelsPerLine: from the beginning of a line to that of the next, at least the width.
  /// - Returns: nil when `pixels` has not as many lines as `size`.
  @_lifetime(copy pixels)
  public init?(_ pixels: consuming MutableSpan<UInt32>, size: PixelSize, pixelsPerLine: Int) {
    guard size.width > 0, size.height > 0, pixelsPerLine >= size.width,
      pixels.count >= (size.height - 1) * pixelsPerLine + size.width
    else { return nil }
    self.pixels = pixels
    self.pixelsPerLine = pixelsPerLine
    self.size = size
  }

  /// Fills a rectangle as far as it lies on the canvas.
  /// - Parameter turn: how the frame that has the rectangle lies on the canvas, which it fills.
  mutating func fill(_ rectangle: PixelRectangle, turned turn: QuarterTurn, with ink: Ink) {
    let frame = size.turned(by: turn)
    let filled = rectangle.turned(by: turn, in: frame).intersection(PixelRectangle(size))
    guard filled.width > 0 else { return }
    for row in filled.y..<filled.y + filled.height {
      let first = row * pixelsPerLine + filled.x
      var line = pixels._mutatingExtracting(first..<first + filled.width)
      line.update(repeating: ink.value)
    }
  }

  /// Copies a band of lines: line by line, or turned.
  /// - Parameters:
  ///   - band: the lines of `rectangle`, one after another.
  ///   - rectangle: where they lie in a frame that is as large as the canvas once it is turned, wholly inside.
  mutating func put(_ band: Span<UInt32>, at rectangle: PixelRectangle, turned turn: QuarterTurn) {
    let place = rectangle.turned(by: turn, in: size.turned(by: turn))
    let lineCount = rectangle.height
    // From a pixel of the canvas to that on its right, and to that below, in the band.
    let (first, right, down) =
      switch turn.count {
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
    // Spelled out so that the optimiser makes a copy of whole vectors.
    if step == 1 {
      for column in line.indices { line[column] = band[first + column] }
    } else {
      for column in line.indices { line[column] = band[first + column * step] }
    }
  }
}
