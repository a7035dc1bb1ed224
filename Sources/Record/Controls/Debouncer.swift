import Base

/// Debounces a polled contact: a level counts once every reading has been the same for long enough.
package struct Debouncer: Sendable {
  private enum Phase {
    case steady
    /// The contact has shown the other level since then.
    case leaving(since: Instant)
  }

  /// The debounced level; initially up.
  package private(set) var isDown = false
  /// How often the contact has shown the other level and not kept it.
  package private(set) var bounceCount: UInt32 = 0
  private var phase = Phase.steady
  private let stableNanoseconds: UInt64

  /// - Parameter stableNanoseconds: how long a level must last, at least 1.
  package init(stableNanoseconds: UInt64 = GestureTiming().stableNanoseconds) {
    precondition(stableNanoseconds > 0, "a debounced level must last some time")
    self.stableNanoseconds = stableNanoseconds
  }

  /// Takes a reading of the contact.
  /// - Parameter now: by the monotonic clock, never earlier than at the last call.
  /// - Returns: the edge, once its level has lasted; two consecutive calls never both return one.
  package mutating func step(isDown level: Bool, at now: Instant) -> DebouncedEdge? {
    guard level != isDown else {
      if case .leaving = phase { bounceCount &+= 1 }
      phase = .steady
      return nil
    }
    guard case .leaving(let since) = phase else {
      phase = .leaving(since: now)
      return nil
    }
    guard now >= since + stableNanoseconds else { return nil }
    isDown = level
    phase = .steady
    return DebouncedEdge(isDown: level, beganAt: since)
  }

  /// Until when ``isDown`` is certain: `now`, or the instant since which the contact shows the other level.
  package func certainUntil(at now: Instant) -> Instant {
    if case .leaving(let since) = phase { since } else { now }
  }
}
