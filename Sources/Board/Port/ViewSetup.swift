/// What a live view is to show.
public struct ViewSetup: BitwiseCopyable, Equatable, Sendable {
  /// Bytes of the memory that it shares with the recorder.
  public var byteCount: Int
  /// The camera's width; 0 without a camera.
  public var widthPixels: UInt16
  /// The camera's height; 0 without a camera.
  public var heightPixels: UInt16

  /// A setup of all.
  public init(byteCount: Int, widthPixels: UInt16, heightPixels: UInt16) {
    self.byteCount = byteCount
    self.widthPixels = widthPixels
    self.heightPixels = heightPixels
  }
}
