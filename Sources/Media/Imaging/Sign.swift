/// Words in place of a picture: light on dark grey, in the middle of a picture of any size. If the picture is too
/// narrow for them, it is plain.
package struct Sign: BitwiseCopyable, Sendable {
  /// The height of the words in their own pixels.
  package static var rowCount: Int { 7 }

  static var paper: UInt8 { 40 }
  static var ink: UInt8 { 170 }
  /// No colour.
  static var difference: UInt8 { 128 }

  /// One bit per column, the leftmost lowest.
  private var rows = InlineArray<7, UInt64>(repeating: 0)
  let columnCount: Int

  /// - Parameters:
  ///   - columnCount: 1…64.
  ///   - hasInk: whether the words have ink at a column and a row.
  package init(columnCount: Int, hasInk: (_ column: Int, _ row: Int) -> Bool) {
    self.columnCount = columnCount
    for row in 0..<Self.rowCount {
      for column in 0..<columnCount where hasInk(column, row) { rows[row] |= 1 << UInt64(column) }
    }
  }

  func hasInk(column: Int, row: Int) -> Bool { rows[row] & 1 << UInt64(column) != 0 }
}

/// The rows of a sign, drawn on demand.
@safe struct SignRows: SampleRows {
  private let sign: Sign
  private let layout: PictureLayout
  // Safe: the caller's boot memory, one row of luma plus one sample, with no other user at the same time.
  private let copy: UnsafeMutablePointer<UInt8>
  /// The side of one of the words' pixels, in picture pixels.
  private let scale: Int

  /// - Parameters:
  ///   - layout: the layout of the pictures that the sign replaces.
  ///   - copy: one row of luma plus one byte.
  init(_ sign: Sign, _ layout: PictureLayout, copy: UnsafeMutablePointer<UInt8>) {
    self.sign = sign
    self.layout = layout
    unsafe self.copy = copy
    let wanted = max(layout.luma.widthSamples / (2 * sign.columnCount), 1)
    let isTooLarge =
      wanted * sign.columnCount > layout.luma.widthSamples || wanted * Sign.rowCount > layout.luma.heightSamples
    scale = isTooLarge ? 0 : wanted
  }

  func size(of component: PictureComponent) -> (widthSamples: Int, heightSamples: Int) {
    let plane = component == .luma ? layout.luma : layout.blueDifference
    return (plane.widthSamples, plane.heightSamples)
  }

  func row(_ row: Int, of component: PictureComponent) -> UnsafePointer<UInt8> {
    let count = size(of: component).widthSamples + 1
    unsafe copy.update(repeating: component == .luma ? Sign.paper : Sign.difference, count: count)
    if component == .luma { drawWords(inRow: row) }
    return unsafe UnsafePointer(copy)
  }

  @_optimize(speed)
  private func drawWords(inRow row: Int) {
    let top = (layout.luma.heightSamples - scale * Sign.rowCount) / 2
    guard scale > 0, row >= top, row < top + scale * Sign.rowCount else { return }
    let left = (layout.luma.widthSamples - scale * sign.columnCount) / 2
    for column in 0..<sign.columnCount where sign.hasInk(column: column, row: (row - top) / scale) {
      unsafe (copy + left + column * scale).update(repeating: Sign.ink, count: scale)
    }
  }

  static func encoderError(_ failure: Never) -> JPEGEncoderError {}
}
