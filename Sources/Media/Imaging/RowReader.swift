/// Copies the rows of one component, sample next to sample, their range expanded if it is limited.
struct RowReader {
  let plane: PlaneLayout
  /// Nil where the samples are as they should be.
  let expansion: RangeExpansion?

  /// Whether a row has to be copied, or can be read where it lies.
  var mustCopy: Bool { plane.bytesToNextSample != 1 || expansion != nil }

  /// Where row `row` of a picture begins that is at least as large as the plane's end.
  func start(ofRow row: Int, in picture: UnsafeRawBufferPointer) -> UnsafePointer<UInt8> {
    unsafe picture.baseAddress!.advanced(by: plane.offset + row * plane.bytesPerRow)
      .assumingMemoryBound(to: UInt8.self)
  }

  /// Copies the row that begins at `source` to room for all its samples.
  func copyRow(_ source: UnsafePointer<UInt8>, to copy: UnsafeMutablePointer<UInt8>) {
    // Spelled out so that the optimiser makes a vector loop of each.
    switch plane.bytesToNextSample {
    case 1: unsafe gather(every: 1, from: source, to: copy)
    case 2: unsafe gather(every: 2, from: source, to: copy)
    case 4: unsafe gather(every: 4, from: source, to: copy)
    default: unsafe gather(every: plane.bytesToNextSample, from: source, to: copy)
    }
    if let expansion { unsafe expansion.apply(to: copy, count: plane.widthSamples) }
  }

  @inline(__always)
  private func gather(every step: Int, from source: UnsafePointer<UInt8>, to copy: UnsafeMutablePointer<UInt8>) {
    for column in 0..<plane.widthSamples { unsafe copy[column] = source[column &* step] }
  }
}
