import Media

/// One component of a raw picture, and how many pixels share a sample of it.
struct CropComponent {
  let plane: PlaneLayout
  /// 1 or 2.
  let columnsPerSample: Int
  /// 1 or 2.
  let rowsPerSample: Int

  /// A component of a picture of so many columns and rows, of which chroma may have half.
  init(_ plane: PlaneLayout, ofPictureLike luma: PlaneLayout) {
    self.plane = plane
    columnsPerSample = plane.widthSamples == luma.widthSamples ? 1 : 2
    rowsPerSample = plane.heightSamples == luma.heightSamples ? 1 : 2
  }

  /// Copies one row of a rectangle, a sample for each of its pixels.
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
