/// A camera buffer on its way to the encoder, by index: the picture itself is not copied.
public struct RawPicture: BitwiseCopyable, Sendable {
  public var bufferIndex: Int
  public var byteCount: Int
  public var header: PictureHeader

  public init(bufferIndex: Int, byteCount: Int, header: PictureHeader) {
    self.bufferIndex = bufferIndex
    self.byteCount = byteCount
    self.header = header
  }
}
