import Base

/// Recognises the gestures of one button from its polled level, including bounce.
///
/// Durations are measured between the contact's own edges, so that slow polling or debouncing never makes a short press
/// long or a double press single.
package struct GestureRecognizer: Sendable {
  private enum Phase {
    case up
    case down(pressedAt: Instant)
    case held
    /// Up after a short press that a second one may still turn into a double.
    case awaitingSecond(pressedAt: Instant, releasedAt: Instant)
    /// Down for the second time; the next call returns the double.
    case secondDown(pressedAt: Instant)
    /// Down; all gestures of this press have been returned.
    case spent
  }

  private enum Observation {
    case press(at: Instant)
    case release(at: Instant)
    /// The level has stayed the same until then.
    case lasting(until: Instant)
  }

  /// Whether a short press is held back until no second one can follow.
  package let recognisesDouble: Bool
  private let timing: GestureTiming
  private var debouncer: Debouncer
  private var phase = Phase.up
  package private(set) var pressCount: UInt32 = 0
  /// When it was last pressed; nil before the first time.
  package private(set) var pressedAt: Instant?
  /// How long the last press lasted; nil while it lasts.
  package private(set) var heldNanoseconds: UInt64?

  /// - Parameter recognisesDouble: if false, a short press is returned at its release, and there are no doubles.
  package init(recognisesDouble: Bool = false, timing: GestureTiming = GestureTiming()) {
    self.recognisesDouble = recognisesDouble
    self.timing = timing
    debouncer = Debouncer(stableNanoseconds: timing.stableNanoseconds)
  }

  /// Whether a long press is in progress: from ``Gesture/long(pressedAt:)`` until ``Gesture/released(at:)``.
  package var isHeld: Bool {
    if case .held = phase { true } else { false }
  }

  /// Whether it is up, and no gesture is pending.
  package var isResting: Bool {
    if case .up = phase { debouncer.isSteady && !debouncer.isDown } else { false }
  }

  /// The number of levels that did not last: contact bounces.
  package var bounceCount: UInt32 { debouncer.bounceCount }

  /// Takes a reading of the button.
  /// - Parameter now: by the monotonic clock, never earlier than at the last call.
  /// - Returns: at most one gesture; a second one of the same instant follows with the next call.
  package mutating func step(isDown: Bool, at now: Instant) -> Gesture? {
    let edge = debouncer.step(isDown: isDown, at: now)
    guard let edge else { return advance(on: .lasting(until: debouncer.certainUntil(at: now))) }
    let instant = edge.beganAt
    count(edge)
    return advance(on: edge.isDown ? .press(at: instant) : .release(at: instant))
  }

  private mutating func count(_ edge: DebouncedEdge) {
    if edge.isDown {
      pressCount &+= 1
      pressedAt = edge.beganAt
      heldNanoseconds = nil
    } else if let pressedAt {
      heldNanoseconds = edge.beganAt.distance(since: pressedAt)
    }
  }

  /// All transitions. Between two edges there is always a `lasting` that reached the instant of the second one, so
  /// whatever depends only on time has been decided before an edge arrives.
  private mutating func advance(on observation: Observation) -> Gesture? {
    switch (phase, observation) {
    case (.up, .press(let instant)):
      phase = .down(pressedAt: instant)
      return .pressed(at: instant)
    case (.down(let pressedAt), .release(let instant)):
      phase = recognisesDouble ? .awaitingSecond(pressedAt: pressedAt, releasedAt: instant) : .up
      return recognisesDouble ? nil : .short(pressedAt: pressedAt)
    case (.down(let pressedAt), .lasting(let instant)) where instant >= pressedAt + timing.longPressNanoseconds:
      phase = .held
      return .long(pressedAt: pressedAt)
    case (.held, .release(let instant)):
      phase = .up
      return .released(at: instant)
    case (.awaitingSecond(let pressedAt, _), .press(let instant)):
      phase = .secondDown(pressedAt: pressedAt)
      return .pressed(at: instant)
    case (.awaitingSecond(let pressedAt, let releasedAt), .lasting(let instant))
    where instant >= releasedAt + timing.doublePressNanoseconds:
      phase = .up
      return .short(pressedAt: pressedAt)
    case (.secondDown(let pressedAt), .lasting):
      phase = .spent
      return .double(pressedAt: pressedAt)
    case (.spent, .release):
      phase = .up
      return nil
    default:
      return nil
    }
  }
}

/// A debounced change of level.
package struct DebouncedEdge: Equatable, Sendable {
  /// The level from now on.
  package var isDown: Bool
  /// When the level was first read that has lasted since; earlier than the call that returns the edge.
  package var beganAt: Instant
}

/// Debounces a polled contact: a level counts once every reading has been the same for long enough.
package struct Debouncer: Sendable {
  private enum Phase {
    case steady
    /// The contact has shown the other level since this instant.
    case leaving(since: Instant)
  }

  /// The debounced level; initially up.
  package private(set) var isDown = false
  /// How often the contact showed the other level without keeping it.
  package private(set) var bounceCount: UInt32 = 0
  private var phase = Phase.steady
  private let stableNanoseconds: UInt64

  /// Whether the contact shows the debounced level.
  package var isSteady: Bool { if case .steady = phase { true } else { false } }

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

  /// The instant up to which ``isDown`` is certain: `now`, or when the contact began to show the other level.
  package func certainUntil(at now: Instant) -> Instant {
    if case .leaving(let since) = phase { since } else { now }
  }
}

/// A gesture on one button. The instants are those of the contact itself, not of the call that returns the gesture.
package enum Gesture: Equatable, Sendable {
  /// The button went down. Returned for every press, before its kind is known.
  case pressed(at: Instant)
  /// It came up again soon.
  case short(pressedAt: Instant)
  /// It has been down for long, and still is.
  case long(pressedAt: Instant)
  /// It came up after a long press.
  case released(at: Instant)
  /// It went down a second time soon after a short press; the instant is that of the first press.
  case double(pressedAt: Instant)
}

/// The thresholds that distinguish gestures.
package struct GestureTiming: Equatable, Sendable {
  /// A level counts once it has lasted this long; at least 1. Tactile switches bounce for up to 10 ms.
  package var stableNanoseconds: UInt64
  package var longPressNanoseconds: UInt64
  /// A press that begins sooner than this after a release makes the two a double press.
  package var doublePressNanoseconds: UInt64

  /// The default limits, except for the arguments given.
  package init(
    stableNanoseconds: UInt64 = 20_000_000, longPressNanoseconds: UInt64 = 800_000_000,
    doublePressNanoseconds: UInt64 = 350_000_000
  ) {
    self.stableNanoseconds = stableNanoseconds
    self.longPressNanoseconds = longPressNanoseconds
    self.doublePressNanoseconds = doublePressNanoseconds
  }
}
