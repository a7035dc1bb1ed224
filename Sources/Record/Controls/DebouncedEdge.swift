import Base

/// A change of level that lasted.
package struct DebouncedEdge: Equatable, Sendable {
  /// The level from now on.
  package var isDown: Bool
  /// When the level was first read that has been there ever since: earlier than the call that returns the edge.
  package var beganAt: Instant
}
