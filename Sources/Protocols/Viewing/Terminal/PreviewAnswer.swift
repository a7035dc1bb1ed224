/// What came of a ``PreviewRequest``.
public enum PreviewAnswer: BitwiseCopyable, Equatable, Sendable {
  /// So many bytes lie on the page.
  case drawn(byteCount: Int)
  /// The camera has delivered nothing yet.
  case noPicture
  /// The newest picture cannot be decoded or is too large.
  case unreadable
}
