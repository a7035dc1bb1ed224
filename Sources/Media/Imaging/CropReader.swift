import CJPEG
import Values
import Rings

/// Cuts a rectangle out of one component of a raw picture, a sample for each pixel: where several pixels share a sample,
/// each has it, and nothing is interpolated. Hands libjpeg the rows of one band of blocks at a time.
@safe struct CropReader {
  // Sound: boot memory that nothing else was given, one band of the widest rectangle large.
  private let band: UnsafeMutableBufferPointer<UInt8>
  /// Nil where the samples are as they should be.
  private let expansion: RangeExpansion?

  /// - Returns: nil when `memory` has not ``byteCount(widthPixels:)`` left.
  init?(widthPixels: Int, expansion: RangeExpansion?, in memory: inout BootMemory) {
    guard let band = unsafe memory.cut(byteCount: Self.bandByteCount(widthPixels: widthPixels)) else { return nil }
    unsafe self.band = band.bindMemory(to: UInt8.self)
    self.expansion = expansion
  }

  /// What ``init(widthPixels:expansion:in:)`` takes of boot memory.
  static func byteCount(widthPixels: Int) -> Int {
    BootMemory.footprint(byteCount: bandByteCount(widthPixels: widthPixels))
  }

  private static func bandByteCount(widthPixels: Int) -> Int {
    wholeBlocks(widthPixels) * BandReader.blockSide
  }

  private static func wholeBlocks(_ count: Int) -> Int {
    (count + BandReader.blockSide - 1) / BandReader.blockSide * BandReader.blockSide
  }

  /// The rows of band number `number` of a rectangle that is all inside `component`, which is all inside `picture`; the
  /// last column is repeated up to a whole block.
  func rows(
    inBand number: Int, of rectangle: PixelRectangle, _ component: CropComponent, of picture: UnsafeRawBufferPointer
  ) -> cjpeg_rows {
    let firstRow = number * BandReader.blockSide
    let rowCount = min(BandReader.blockSide, rectangle.height - firstRow)
    let bytesPerRow = Self.wholeBlocks(rectangle.width)
    let first = unsafe band.baseAddress!
    for row in 0..<rowCount {
      let target = unsafe first + row * bytesPerRow
      unsafe component.cutRow(firstRow + row, of: rectangle, from: picture, to: target)
      if let expansion { unsafe expansion.apply(to: target, count: rectangle.width) }
      let last = unsafe target[rectangle.width - 1]
      for column in rectangle.width..<bytesPerRow { unsafe target[column] = last }
    }
    return unsafe cjpeg_rows(first_row: first, bytes_per_row: bytesPerRow, row_count: UInt32(rowCount))
  }
}
