/// The highest value of the last while, as a meter holds a peak. What comes after the highest is kept as well, so that it
/// is held in its turn.
package struct HeldMaximum: BitwiseCopyable, Sendable {
  /// The highest value that is still held.
  package private(set) var value: Float
  private var end: Instant = 0
  /// The highest since then, and until when it counts.
  private var next = -Float.infinity
  private var nextEnd: Instant = 0

  /// Holds `value` until anything else comes.
  package init(_ value: Float) { self.value = value }

  /// Takes the newest value, which stays until a higher one comes, or for `nanoseconds`.
  package mutating func follow(_ newest: Float, for nanoseconds: UInt64, at now: Instant) {
    guard newest < value else {
      value = newest
      end = now + nanoseconds
      next = -.infinity
      return
    }
    if newest >= next {
      next = newest
      nextEnd = now + nanoseconds
    }
    guard now >= end else { return }
    value = next
    end = nextEnd
    next = -.infinity
  }
}
