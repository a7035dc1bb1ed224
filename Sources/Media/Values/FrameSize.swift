/// How many pixels a camera's picture has.
public struct FrameSize: BitwiseCopyable, Equatable, Sendable {
  /// Across.
  public var widthPixels: UInt16
  /// Down.
  public var heightPixels: UInt16

  /// `widthPixels` by `heightPixels`.
  public init(widthPixels: UInt16, heightPixels: UInt16) {
    self.widthPixels = widthPixels
    self.heightPixels = heightPixels
  }
}

extension VideoFormat {
  /// Of each picture.
  public var size: FrameSize { FrameSize(widthPixels: widthPixels, heightPixels: heightPixels) }
}
