/// When to connect again after a connection was lost: at first soon, then once a second, and not for ever. The budget is
/// renewed whenever sound arrived.
package struct BackOff: BitwiseCopyable, Equatable, Sendable {
  /// A server that is back is heard within two seconds: this pause, and half a second of sound that comes as it is heard.
  static var longestMilliseconds: UInt32 { 1000 }
  static var firstMilliseconds: UInt32 { 125 }
  /// Attempts without sound in between: about two minutes.
  static var attemptLimit: Int { 120 }

  private var attemptCount = 0
  private var milliseconds = Self.firstMilliseconds

  /// A whole budget.
  package init() {}

  /// Sound arrived.
  package mutating func renew() { self = BackOff() }

  /// The pause before the next attempt in milliseconds; nil when the budget is used up.
  package mutating func next() -> UInt32? {
    guard attemptCount < Self.attemptLimit else { return nil }
    attemptCount += 1
    defer { milliseconds = min(2 * milliseconds, Self.longestMilliseconds) }
    return milliseconds
  }
}
