/// A camera's picture that a still is to be made of.
public struct StillPicture: BitwiseCopyable, Equatable, Sendable {
  /// It stays in the camera's buffer until the still's ``StillReceipt``.
  public var picture: RawPicture
  /// What is to be made of it.
  public var order: StillOrder

  /// A picture and its order.
  public init(picture: RawPicture, order: StillOrder) {
    self.picture = picture
    self.order = order
  }
}
