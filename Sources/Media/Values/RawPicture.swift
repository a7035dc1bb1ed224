/// A picture on its way to the encoder: it stays in the camera's own buffer, and only the buffer's index travels.
public struct RawPicture: BitwiseCopyable, Equatable, Sendable {
  /// The camera's number for the buffer.
  public var bufferIndex: UInt16
  /// Bytes that the camera filled.
  public var byteCount: Int
  /// What goes on with the picture once it is encoded.
  public var header: PictureHeader
  /// How much of it is to be seen: its middle, 1 / `zoomFactor` of each side, 1 or more.
  public var zoomFactor: Double

  /// A picture of `byteCount` bytes in buffer `bufferIndex`.
  public init(bufferIndex: UInt16, byteCount: Int, header: PictureHeader, zoomFactor: Double = 1) {
    self.bufferIndex = bufferIndex
    self.byteCount = byteCount
    self.header = header
    self.zoomFactor = zoomFactor
  }
}
