/// A stretch of an item that is played over and over.
public struct PlaybackSection: BitwiseCopyable, Equatable, Sendable {
  /// Where it begins, in seconds of the item.
  public var startSeconds: Double
  /// Where it ends, later than it begins.
  public var endSeconds: Double

  /// The stretch between two instants of an item.
  public init(startSeconds: Double, endSeconds: Double) {
    self.startSeconds = startSeconds
    self.endSeconds = endSeconds
  }
}
