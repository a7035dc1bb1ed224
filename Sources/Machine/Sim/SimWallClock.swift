import Base

/// How a simulated wall clock is wrong, and for how long.
package struct SimWallClock: Sendable {
  /// What the clock shows.
  package enum Reading: Sendable, Equatable {
    /// The true time, from a time server.
    case synchronised
    /// Counts from 1970 at the world's start: there is no battery.
    case epoch
    /// Wrong by this many seconds, with no sign of it.
    case off(seconds: Int64)
  }

  private var reading: Reading
  /// The true time at the start of a virtual world, in Unix seconds: 2026-01-01 00:00 UTC.
  package var startUnixSeconds: Int64 = 1_767_225_600
  /// When the clock becomes right, in nanoseconds since the world's start; nil if never.
  private var setNanoseconds: UInt64?
  /// Nil if no faults are drawn.
  private var noise: SimNoise?
  private var periodNanoseconds: UInt64 = 0

  /// - Parameters:
  ///   - reading: what it shows at the world's start.
  ///   - setAfterNanoseconds: when it becomes right; nil if never.
  package init(_ reading: Reading = .synchronised, setAfterNanoseconds: UInt64? = nil) {
    self.reading = reading
    setNanoseconds = setAfterNanoseconds
  }

  /// Draws a clock from `seed` that starts in 1970 or at a past date and is set in each period: mostly to the right
  /// time, sometimes wrong by up to three hours.
  package init(seed: UInt64, periodSeconds: UInt64) {
    self.init()
    noise = SimNoise(seed: seed, stream: 5)
    periodNanoseconds = periodSeconds * 1_000_000_000
  }

  /// What it shows at an instant, in nanoseconds since the world's start.
  func reading(atNanoseconds instant: UInt64) -> Reading {
    if let noise {
      let (period, place) = instant.quotientAndRemainder(dividingBy: periodNanoseconds)
      return Self.drawn(noise, period: period, at: place, periodNanoseconds)
    }
    return setNanoseconds.map { instant >= $0 } == true ? .synchronised : reading
  }

  /// The clock is set once per period; until then it is as wrong as at the end of the last period.
  private static func drawn(_ noise: SimNoise, period: UInt64, at place: UInt64, _ length: UInt64) -> Reading {
    let isSet = place >= noise.bits(at: 3 * period) % length
    guard isSet || period > 0 else {
      return noise.bits(at: 1) % 2 == 0 ? .epoch : .off(seconds: -1 - Int64(noise.bits(at: 2) % 864_000))
    }
    let setting = isSet ? period : period - 1
    let error = Int64(noise.bits(at: 3 * setting + 2) % 21_601) - 10_800
    return noise.bits(at: 3 * setting + 1) % 3 > 0 ? .synchronised : .off(seconds: error)
  }
}

/// Sets the world's clock, unless a time server keeps it right: then it refuses.
package struct SimTimeService: TimeServiceDriver, ~Copyable {
  private let world: SimWorld

  package init(world: SimWorld) { self.world = world }

  package mutating func set(unixSeconds: Int64) throws(DeviceFailure) -> TimeServiceReply {
    world.sitOut(.timeService)
    if let failure = world.failure(of: .timeService) { throw failure }
    let clock = SimClock(world: world)
    guard clock.source < .synchronised else {
      return .refused("Failed to set time: Automatic time synchronization is enabled")
    }
    world.setByHand(offSeconds: unixSeconds - clock.trueUnixNanoseconds / 1_000_000_000)
    return .done
  }
}

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
