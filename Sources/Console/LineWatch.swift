import Base

/// When the console's line was last too slow for what was to be printed.
struct LineWatch {
  /// A line of 9600 baud takes a byte a millisecond: one that takes none for so long is stuck.
  private static var patienceNanoseconds: UInt64 { 1_000_000_000 }

  private var stuckSince: Instant?
  private var lastTrouble: Instant?

  /// - Parameter isStuck: whether there was something to print, and the line took nothing of it.
  mutating func follow(isStuck: Bool, at now: Instant) {
    guard isStuck else { return stuckSince = nil }
    let start = stuckSince ?? now
    stuckSince = start
    if now.distance(since: start) >= Self.patienceNanoseconds { lastTrouble = now }
  }

  /// Events were dropped.
  mutating func noteLoss(at now: Instant) { lastTrouble = now }

  func wasSlow(within nanoseconds: UInt64, at now: Instant) -> Bool {
    lastTrouble.map { now.distance(since: $0) < nanoseconds } ?? false
  }
}
