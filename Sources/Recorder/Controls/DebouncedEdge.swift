import Values

/// A change of level that lasted.
public struct DebouncedEdge: Equatable, Sendable {
  /// The level from now on.
  public var isDown: Bool
  /// When the level was first seen that has been there ever since: earlier than the call that tells of it.
  public var beganAt: Instant
}
