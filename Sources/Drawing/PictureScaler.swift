import Base
import Wire

/// Draws a packed RGB picture onto a canvas at another size, by bilinear interpolation, and dims everything outside a
/// rectangle.
///
/// Lines are scaled and copied to the canvas one band at a time, so that a rotated picture is also written in whole
/// cache lines.
@safe struct PictureScaler: ~Copyable {
  /// Sixteen pixels of four bytes are a cache line on most machines.
  private static var linesPerBand: Int { 16 }

  // Safe: parts of boot memory with no other user, which live as long as the process.
  /// The picture line being scaled, blended from two; one pixel longer than the widest line.
  private let blended: UnsafeMutableBufferPointer<UInt8>
  private let band: UnsafeMutableBufferPointer<UInt32>
  /// For each column, the index of its left neighbour in the picture times 256, plus the weight of the right one in
  /// 256ths.
  private let columns: UnsafeMutableBufferPointer<UInt32>

  /// - Parameters:
  ///   - longestPictureLine: the width of the widest picture to draw, in pixels.
  ///   - longestCanvasSide: the longer side of the largest canvas.
  /// - Returns: nil if `memory` is used up.
  init?(longestPictureLine: Int, longestCanvasSide: Int, in memory: inout BootMemory) {
    guard let blended = unsafe memory.cut(byteCount: Self.blendedByteCount(longestPictureLine)),
      let band = unsafe memory.cut(byteCount: longestCanvasSide * Self.linesPerBand * 4),
      let columns = unsafe memory.cut(byteCount: longestCanvasSide * 4)
    else { return nil }
    unsafe self.blended = blended.bindMemory(to: UInt8.self)
    unsafe self.band = band.bindMemory(to: UInt32.self)
    unsafe self.columns = columns.bindMemory(to: UInt32.self)
  }

  private static func blendedByteCount(_ longestPictureLine: Int) -> Int { 3 * (longestPictureLine + 1) }

  /// - Parameters:
  ///   - picture: rows of three bytes per pixel without gaps, no wider than `longestPictureLine`.
  ///   - size: the size of `picture`.
  ///   - bright: the area that is not dimmed, in the frame of `placement`.
  mutating func draw(
    _ picture: RawSpan, size: PixelSize, at placement: PicturePlacement, bright: PixelRectangle,
    onto canvas: inout Canvas
  ) {
    let visible = placement.visible
    guard unsafe blended.count >= 3 * (size.width + 1), unsafe columns.count >= visible.width,
      picture.byteCount >= 3 * size.width * size.height
    else { return }
    measureColumns(of: placement, pictureWidth: size.width)
    var first = 0
    while first < visible.height {
      let lineCount = min(Self.linesPerBand, visible.height - first)
      for line in 0..<lineCount {
        let y = visible.y + first + line
        blendLine(y, of: placement, picture, size)
        scaleLine(into: line * visible.width, y: y, visible, bright)
      }
      let place = PixelRectangle(x: visible.x, y: visible.y + first, width: visible.width, height: lineCount)
      // Safe: the band is not written while it is being copied.
      let lines = unsafe Span(_unsafeElements: UnsafeBufferPointer(band))
      canvas.put(lines.extracting(first: lineCount * visible.width), at: place, rotated: placement.rotation)
      first += lineCount
    }
  }

  /// The centre of pixel `index` of `length` in a source of `sourceLength` pixels, in 256ths of a pixel from the centre
  /// of the first.
  private static func position(of index: Int, length: Int, among sourceLength: Int) -> Int {
    let middle = (2 * index + 1) * sourceLength * 128 / length - 128
    return min((sourceLength - 1) * 256, max(0, middle))
  }

  private func measureColumns(of placement: PicturePlacement, pictureWidth: Int) {
    let firstColumn = placement.visible.x - placement.picture.x
    for column in 0..<placement.visible.width {
      unsafe columns[column] = UInt32(
        Self.position(of: firstColumn + column, length: placement.picture.width, among: pictureWidth))
    }
  }

  private func blendLine(_ y: Int, of placement: PicturePlacement, _ picture: RawSpan, _ size: PixelSize) {
    let position = Self.position(of: y - placement.picture.y, length: placement.picture.height, among: size.height)
    let byteCount = 3 * size.width
    let upperStart = position / 256 * byteCount
    let lowerStart = min(position / 256 + 1, size.height - 1) * byteCount
    let part = UInt16(position % 256)
    let rest = 256 - part
    let target = unsafe blended.baseAddress!
    unsafe picture.withUnsafeBytes { bytes in
      let upper = unsafe bytes.baseAddress!.assumingMemoryBound(to: UInt8.self) + upperStart
      let lower = unsafe bytes.baseAddress!.assumingMemoryBound(to: UInt8.self) + lowerStart
      for index in 0..<byteCount {
        let sum = unsafe UInt16(upper[index]) &* rest &+ UInt16(lower[index]) &* part &+ 128
        unsafe target[index] = UInt8(truncatingIfNeeded: sum >> 8)
      }
    }
    // The last column is its own right neighbour.
    for index in 0..<3 { unsafe target[byteCount + index] = target[byteCount - 3 + index] }
  }

  private func scaleLine(into start: Int, y: Int, _ visible: PixelRectangle, _ bright: PixelRectangle) {
    let isBeside = y < bright.y || y >= bright.y + bright.height
    let left = isBeside ? visible.width : min(visible.width, max(0, bright.x - visible.x))
    let right = isBeside ? visible.width : min(visible.width, max(left, bright.x + bright.width - visible.x))
    scale(0..<left, into: start, isDim: true)
    scale(left..<right, into: start, isDim: false)
    scale(right..<visible.width, into: start, isDim: true)
  }

  @inline(__always)
  private func scale(_ range: Range<Int>, into start: Int, isDim: Bool) {
    let source = unsafe blended.baseAddress!
    let target = unsafe band.baseAddress! + start
    for column in range {
      let position = unsafe columns[column]
      let pixel = unsafe source + Int(position >> 8) &* 3
      let part = position & 255
      let red = unsafe Self.blend(pixel[0], pixel[3], part, isDim)
      let green = unsafe Self.blend(pixel[1], pixel[4], part, isDim)
      let blue = unsafe Self.blend(pixel[2], pixel[5], part, isDim)
      unsafe target[column] = red << 16 | green << 8 | blue
    }
  }

  /// Dimming leaves 3/5 of the value, rounded: 3/5 of a whole number is never exactly between two.
  @inline(__always)
  private static func blend(_ left: UInt8, _ right: UInt8, _ part: UInt32, _ isDim: Bool) -> UInt32 {
    let value = (UInt32(left) &* (256 &- part) &+ UInt32(right) &* part &+ 128) >> 8
    return isDim ? (value &* 3 &+ 2) / 5 : value
  }
}

/// The position of the camera's picture on a display.
struct PicturePlacement: Equatable {
  /// The rotation from a frame with an unrotated picture to the display.
  let rotation: QuarterTurn
  /// The display's size in that frame.
  let frame: PixelSize
  /// The whole picture in the frame; larger than the frame if the picture has to fill it.
  let picture: PixelRectangle
  /// The visible part of the picture.
  let visible: PixelRectangle

  /// - Parameters:
  ///   - picture: the size of the camera's picture, each side 1 or more.
  ///   - canvas: the size of the display.
  init(picture: PixelSize, on canvas: PixelSize, rotation: QuarterTurn, framing: Framing) {
    self.rotation = rotation
    frame = canvas.rotated(by: rotation)
    let isWider = picture.width * frame.height >= picture.height * frame.width
    let followsWidth = isWider == (framing == .fit)
    let width = followsWidth ? frame.width : Self.rounded(frame.height * picture.width, picture.height)
    let height = followsWidth ? Self.rounded(frame.width * picture.height, picture.width) : frame.height
    self.picture = PixelRectangle(
      x: (frame.width - width) >> 1, y: (frame.height - height) >> 1, width: width, height: height)
    visible = self.picture.intersection(PixelRectangle(frame))
  }

  /// A whole picture, centred in a place.
  /// - Parameters:
  ///   - picture: the picture's size, each side 1 or more.
  ///   - place: the place, upright.
  ///   - rotation: the rotation from upright to the canvas.
  init(picture: PixelSize, in place: PixelRectangle, on canvas: PixelSize, rotation: QuarterTurn) {
    let size = PixelSize(width: place.width, height: place.height)
    let fitted = PicturePlacement(picture: picture, on: size, rotation: .none, framing: .fit).picture
    self.rotation = rotation
    frame = canvas.rotated(by: rotation)
    self.picture = PixelRectangle(
      x: place.x + fitted.x, y: place.y + fitted.y, width: fitted.width, height: fitted.height)
    visible = self.picture.intersection(PixelRectangle(frame))
  }

  private static func rounded(_ dividend: Int, _ divisor: Int) -> Int { max(1, (dividend + divisor / 2) / divisor) }

  /// The place of a rectangle of the upright picture, in the coordinates of the frame.
  func rectangle(_ fraction: ViewFraction, upright orientation: Orientation) -> PixelRectangle {
    let upright = QuarterTurn(upright: orientation)
    let size = PixelSize(width: picture.width, height: picture.height).rotated(by: upright)
    let left = Self.pixel(fraction.x, of: size.width)
    let top = Self.pixel(fraction.y, of: size.height)
    let right = Self.pixel(fraction.x + fraction.width, of: size.width)
    let bottom = Self.pixel(fraction.y + fraction.height, of: size.height)
    var rotated = PixelRectangle(x: left, y: top, width: right - left, height: bottom - top)
      .rotated(by: upright.reversed, in: size)
    rotated.x += picture.x
    rotated.y += picture.y
    return rotated
  }

  private static func pixel(_ fraction: Float, of length: Int) -> Int {
    min(length, Int((fraction * Float(length)).rounded()))
  }
}

extension Mounting {
  func upright(_ orientation: Orientation) -> QuarterTurn {
    switch self {
    case .builtIn: QuarterTurn(upright: orientation).reversed
    case .standing: .none
    }
  }
}
