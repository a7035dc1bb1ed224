/// Reads the gestures of one button from its polled level, bounce included.
///
/// Lengths are measured between the contact's own edges, so that a slow poll or the debouncing makes no short press
/// long and no double press single.
public struct GestureRecognizer: Sendable {
  private enum Phase {
    case up
    case down(pressedAt: UInt64)
    case held
    /// Up after a short press that a second one may still make a double.
    case awaitingSecond(pressedAt: UInt64, releasedAt: UInt64)
    /// Down for the second time; the double is told by the next call.
    case secondDown(pressedAt: UInt64)
    /// Down, and all about this press has been told.
    case spent
  }

  private enum Observation {
    case press(at: UInt64)
    case release(at: UInt64)
    /// The level has been the same until then.
    case lasting(until: UInt64)
  }

  /// Whether a short press is held back until no second one can follow.
  public let recognisesDouble: Bool
  private let timing: GestureTiming
  private var debouncer: Debouncer
  private var phase = Phase.up

  /// - Parameter recognisesDouble: without it a short press is told at its release, and there are no doubles.
  public init(recognisesDouble: Bool = false, timing: GestureTiming = GestureTiming()) {
    self.recognisesDouble = recognisesDouble
    self.timing = timing
    debouncer = Debouncer(stableNanoseconds: timing.stableNanoseconds)
  }

  /// Whether a long press is going on: from ``Gesture/long(pressedAtNanoseconds:)`` until
  /// ``Gesture/released(atNanoseconds:)``.
  public var isHeld: Bool {
    if case .held = phase { true } else { false }
  }

  /// Looks at the button.
  /// - Parameter now: by the monotonic clock, never earlier than at the last call.
  /// - Returns: at most one gesture; a second one of the same instant comes with the next call.
  public mutating func step(isDown: Bool, atNanoseconds now: UInt64) -> Gesture? {
    let edge = debouncer.step(isDown: isDown, atNanoseconds: now)
    guard let edge else { return advance(on: .lasting(until: debouncer.certainUntil(nowNanoseconds: now))) }
    let instant = edge.beganAtNanoseconds
    return advance(on: edge.isDown ? .press(at: instant) : .release(at: instant))
  }

  /// Every transition. An edge is never followed by another without a `lasting` between them that reached the instant
  /// at which the second began: so what time alone decides has been decided before the edge comes.
  private mutating func advance(on observation: Observation) -> Gesture? {
    switch (phase, observation) {
    case (.up, .press(let instant)):
      phase = .down(pressedAt: instant)
      return .pressed(atNanoseconds: instant)
    case (.down(let pressedAt), .release(let instant)):
      phase = recognisesDouble ? .awaitingSecond(pressedAt: pressedAt, releasedAt: instant) : .up
      return recognisesDouble ? nil : .short(pressedAtNanoseconds: pressedAt)
    case (.down(let pressedAt), .lasting(let instant)) where instant >= pressedAt + timing.longPressNanoseconds:
      phase = .held
      return .long(pressedAtNanoseconds: pressedAt)
    case (.held, .release(let instant)):
      phase = .up
      return .released(atNanoseconds: instant)
    case (.awaitingSecond(let pressedAt, _), .press(let instant)):
      phase = .secondDown(pressedAt: pressedAt)
      return .pressed(atNanoseconds: instant)
    case (.awaitingSecond(let pressedAt, let releasedAt), .lasting(let instant))
    where instant >= releasedAt + timing.doublePressNanoseconds:
      phase = .up
      return .short(pressedAtNanoseconds: pressedAt)
    case (.secondDown(let pressedAt), .lasting):
      phase = .spent
      return .double(pressedAtNanoseconds: pressedAt)
    case (.spent, .release):
      phase = .up
      return nil
    default:
      return nil
    }
  }
}
