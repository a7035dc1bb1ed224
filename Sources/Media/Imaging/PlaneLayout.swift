/// Where the samples of one component (Y', Cb or Cr) lie in a buffer, in a plane of their own or among others.
public struct PlaneLayout: BitwiseCopyable, Equatable, Sendable {
  /// Bytes before the first sample.
  public var offset: Int
  /// Bytes from the beginning of a row to that of the next.
  public var bytesPerRow: Int
  /// Bytes from one sample to the next in its row: 1 in a plane of its own.
  public var bytesToNextSample: Int
  /// Samples of a row, at least 1.
  public var widthSamples: Int
  /// Rows, at least 1.
  public var heightSamples: Int

  /// One past the last byte that belongs to the component.
  var endOffset: Int { offset + (heightSamples - 1) * bytesPerRow + (widthSamples - 1) * bytesToNextSample + 1 }

  /// The same plane, `byteCount` bytes further on.
  func moved(by byteCount: Int) -> PlaneLayout {
    var moved = self
    moved.offset += byteCount
    return moved
  }
}
