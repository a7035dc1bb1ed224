import Base

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
