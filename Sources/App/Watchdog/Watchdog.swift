import Base

/// Decides when the system's watchdog is fed: while the loop ticks and no worker has been in one step for too long.
///
/// A worker that waits for work is in no step. What the system does when it is not fed, it does to the whole recorder:
/// the take that is open is repaired, and goes on at the next start.
package struct Watchdog: Sendable {
  /// From one feeding to the next.
  package let intervalNanoseconds: UInt64
  /// How long a worker's step may take.
  package let patienceNanoseconds: UInt64
  private var next: Instant = 0

  /// - Parameters:
  ///   - timeoutNanoseconds: for how long the system waits for food.
  ///   - stallSeconds: for how long the card may stall: `[record] stall_seconds`.
  package init(timeoutNanoseconds: UInt64, stallSeconds: UInt32) {
    intervalNanoseconds = timeoutNanoseconds / Limits.feedingsPerTimeout
    patienceNanoseconds = UInt64(max(2 * stallSeconds, Limits.leastPatienceSeconds)) * 1_000_000_000
  }

  /// Whether to feed it now.
  /// - Parameter oldestStep: when the step began that has been going on for longest; nil while no worker is in one.
  package mutating func isFed(at now: Instant, oldestStep: Instant?) -> Bool {
    guard now >= next else { return false }
    if let oldestStep, now > oldestStep + patienceNanoseconds { return false }
    next = now + intervalNanoseconds
    return true
  }
}
