import Base
import CJPEG

/// Cuts a rectangle out of one component of a raw picture, one sample per pixel. A sample shared by several pixels is
/// repeated, not interpolated. Gives libjpeg the rows of one band of blocks at a time.
@safe struct CropReader {
  // Safe: boot memory with no other user, the size of one band of the widest rectangle.
  private let band: UnsafeMutableBufferPointer<UInt8>
  /// Nil for full-range samples.
  private let expansion: RangeExpansion?

  /// - Returns: nil if `memory` is used up.
  init?(widthPixels: Int, expansion: RangeExpansion?, in memory: inout BootMemory) {
    guard let band = unsafe memory.cut(byteCount: Self.bandByteCount(widthPixels: widthPixels)) else { return nil }
    unsafe self.band = band.bindMemory(to: UInt8.self)
    self.expansion = expansion
  }

  private static func bandByteCount(widthPixels: Int) -> Int {
    wholeBlocks(widthPixels) * BandReader.blockSide
  }

  private static func wholeBlocks(_ count: Int) -> Int {
    (count + BandReader.blockSide - 1) / BandReader.blockSide * BandReader.blockSide
  }

  /// The rows of a band of a rectangle inside `component`, which is inside `picture`. The last column is repeated to
  /// fill the last block.
  @_optimize(speed)
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

/// One component of a raw picture, and how many pixels share one of its samples.
struct CropComponent {
  let plane: PlaneLayout
  /// 1, 2 or 4.
  let columnsPerSample: Int
  /// 1 or 2.
  let rowsPerSample: Int

  /// A component of a picture the size of `luma`; chroma may be subsampled.
  init(_ plane: PlaneLayout, ofPictureLike luma: PlaneLayout) {
    self.plane = plane
    columnsPerSample = Self.pixelsPerSample(plane.widthSamples, of: luma.widthSamples)
    rowsPerSample = Self.pixelsPerSample(plane.heightSamples, of: luma.heightSamples)
  }

  /// If the side is not a multiple, the last sample covers fewer pixels.
  private static func pixelsPerSample(_ sampleCount: Int, of pixelCount: Int) -> Int {
    if sampleCount == pixelCount { return 1 }
    return sampleCount == (pixelCount + 1) / 2 ? 2 : 4
  }

  /// Copies one row of a rectangle, one sample per pixel.
  @_optimize(speed)
  func cutRow(
    _ row: Int, of rectangle: PixelRectangle, from picture: UnsafeRawBufferPointer,
    to target: UnsafeMutablePointer<UInt8>
  ) {
    let start = plane.offset + (rectangle.y + row) / rowsPerSample * plane.bytesPerRow
    let source = unsafe picture.baseAddress!.advanced(by: start).assumingMemoryBound(to: UInt8.self)
    for column in 0..<rectangle.width {
      let sample = (rectangle.x + column) / columnsPerSample
      unsafe target[column] = source[sample * plane.bytesToNextSample]
    }
  }
}

/// The components from which a rectangle is cut: those of a raw picture or of a decoded one.
package struct CropSource {
  let luma: CropComponent
  let blueDifference: CropComponent
  let redDifference: CropComponent
  /// Bytes up to the end of the last sample.
  let byteCount: Int

  package init(_ layout: PictureLayout) {
    luma = CropComponent(layout.luma, ofPictureLike: layout.luma)
    blueDifference = CropComponent(layout.blueDifference, ofPictureLike: layout.luma)
    redDifference = CropComponent(layout.redDifference, ofPictureLike: layout.luma)
    byteCount = layout.byteCount
  }

  package init(_ picture: CodedPicture) {
    luma = CropComponent(picture.luma, ofPictureLike: picture.luma)
    blueDifference = CropComponent(picture.blueDifference, ofPictureLike: picture.luma)
    redDifference = CropComponent(picture.redDifference, ofPictureLike: picture.luma)
    byteCount = picture.byteCount
  }
}
