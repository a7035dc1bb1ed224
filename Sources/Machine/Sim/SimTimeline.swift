import Base

/// The ticks of one device's crystal in the world's time: tick k comes k periods after the world's start.
struct SimTimeline: Sendable {
  private let start: Instant
  /// The ticks and the nanoseconds in an interval that is a whole number of both.
  private let ticks: UInt64
  private let nanoseconds: UInt64

  /// - Parameters:
  ///   - ticks: the ticks of an accurate crystal in `seconds` (1…1,001).
  ///   - partsPerMillion: its frequency error; positive is fast.
  init(start: Instant, ticks: UInt32, seconds: UInt32 = 1, partsPerMillion: Int32) {
    self.start = start
    self.ticks = UInt64(ticks) * UInt64(1_000_000 + Int64(partsPerMillion))
    nanoseconds = UInt64(seconds) * 1_000_000 * 1_000_000_000
  }

  /// The instant of a tick, rounded up to the nanosecond.
  func instant(of tick: UInt64) -> Instant {
    let (quotient, remainder) = Self.scale(tick, by: nanoseconds, over: ticks)
    return start + quotient + (remainder > 0 ? 1 : 0)
  }

  /// The number of whole periods that have passed: the last tick at or before `instant`.
  func lastTick(at instant: Instant) -> UInt64 {
    Self.scale(instant - start, by: ticks, over: nanoseconds).quotient
  }

  /// The first tick at or after `instant`.
  func firstTick(at instant: Instant) -> UInt64 {
    let last = lastTick(at: instant)
    return self.instant(of: last) == instant ? last : last + 1
  }

  /// The whole seconds of the world that have passed at a tick.
  func wholeSeconds(at tick: UInt64) -> UInt64 {
    (instant(of: tick) - start) / 1_000_000_000
  }

  /// The tick of a whole second of the world: the first at or after it.
  func firstTick(ofSecond second: UInt64) -> UInt64 {
    firstTick(at: start + second * 1_000_000_000)
  }

  /// Uses 128 bits: an hour of samples times nanoseconds exceeds 64.
  private static func scale(
    _ value: UInt64, by factor: UInt64, over divisor: UInt64
  ) -> (quotient: UInt64, remainder: UInt64) {
    divisor.dividingFullWidth(value.multipliedFullWidth(by: factor))
  }
}
