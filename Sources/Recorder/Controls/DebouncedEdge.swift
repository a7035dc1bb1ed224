import Values

/// A change of level that lasted.
public struct DebouncedEdge: Equatable, Sendable {
  /// The level from now on.
  public var isDown: Bool
  /// When the level was first read that has been there ever since: earlier than the call that returns the edge.
  public var beganAt: Instant
}
