/// Where the samples of one component (Y', Cb or Cr) lie in a buffer, in a plane of their own or among others.
struct PlaneLayout: BitwiseCopyable {
  /// Bytes before the first sample.
  var offset: Int
  var bytesPerRow: Int
  /// Bytes from one sample to the next in its row.
  var bytesToNextSample: Int
  var widthSamples: Int
  var heightSamples: Int

  /// One past the last byte that belongs to the component.
  var endOffset: Int { offset + (heightSamples - 1) * bytesPerRow + (widthSamples - 1) * bytesToNextSample + 1 }

  /// The same plane, `byteCount` bytes further on.
  func moved(by byteCount: Int) -> PlaneLayout {
    var moved = self
    moved.offset += byteCount
    return moved
  }
}
