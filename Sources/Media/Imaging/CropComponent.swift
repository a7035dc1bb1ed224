import Values

/// One component of a raw picture, and how many pixels share a sample of it.
struct CropComponent {
  let plane: PlaneLayout
  /// 1, 2 or 4.
  let columnsPerSample: Int
  /// 1 or 2.
  let rowsPerSample: Int

  /// A component of a picture with the columns and rows of `luma`, of which chroma may have a part.
  init(_ plane: PlaneLayout, ofPictureLike luma: PlaneLayout) {
    self.plane = plane
    columnsPerSample = Self.pixelsPerSample(plane.widthSamples, of: luma.widthSamples)
    rowsPerSample = Self.pixelsPerSample(plane.heightSamples, of: luma.heightSamples)
  }

  /// Where a side is not a multiple, the last sample stands for fewer pixels.
  private static func pixelsPerSample(_ sampleCount: Int, of pixelCount: Int) -> Int {
    if sampleCount == pixelCount { return 1 }
    return sampleCount == (pixelCount + 1) / 2 ? 2 : 4
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
