import Values

/// Takes the bounce out of a polled contact: a level counts once every look at it has been the same for long enough.
public struct Debouncer: Sendable {
  private enum Phase {
    case steady
    /// The contact has shown the other level since that instant.
    case leaving(since: Instant)
  }

  /// The level that counts; up until a press has lasted.
  public private(set) var isDown = false
  private var phase = Phase.steady
  private let stableNanoseconds: UInt64

  /// - Parameter stableNanoseconds: how long a level must last, at least 1.
  public init(stableNanoseconds: UInt64 = GestureTiming().stableNanoseconds) {
    precondition(stableNanoseconds > 0, "a debounced level must last some time")
    self.stableNanoseconds = stableNanoseconds
  }

  /// Looks at the contact.
  /// - Parameter now: by the monotonic clock, never earlier than at the last call.
  /// - Returns: the edge, once the level that began it has lasted; two edges are never told by consecutive calls.
  public mutating func step(isDown level: Bool, at now: Instant) -> DebouncedEdge? {
    guard level != isDown else {
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

  /// Until when ``isDown`` is known to hold: `now`, or the instant since which the contact shows the other level.
  public func certainUntil(at now: Instant) -> Instant {
    if case .leaving(let since) = phase { since } else { now }
  }
}
