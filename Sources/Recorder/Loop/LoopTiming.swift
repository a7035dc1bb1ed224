import Values

/// Whether the appliance goes on.
enum LoopPhase: Equatable {
  case running
  /// Asked to end: an open take is being finished, until the deadline at the latest.
  case stopping(deadline: Instant)
  case stopped
}

/// The absolute instants at which the loop wakes: one late tick does not move the later ones.
struct Metronome {
  let periodNanoseconds: UInt64
  private(set) var next: Instant
  init(periodNanoseconds: UInt64, startingAt now: Instant) {
    self.periodNanoseconds = periodNanoseconds
    next = now + periodNanoseconds
  }

  /// Begins anew: what boot took is nobody's lateness.
  mutating func restart(at now: Instant) {
    next = now + periodNanoseconds
  }

  /// Moves on to the first tick that is still to come.
  /// - Returns: how many ticks had passed unserved.
  mutating func advance(at now: Instant) -> UInt64 {
    next += periodNanoseconds
    guard now >= next else { return 0 }
    let missed = (now - next) / periodNanoseconds + 1
    next += missed * periodNanoseconds
    return missed
  }
}

/// How well the loop keeps its time.
public struct LoopMetrics: Sendable {
  /// Ticks that were served.
  public private(set) var tickCount: UInt64 = 0
  /// Ticks that had passed unserved when the loop woke up.
  public private(set) var missedCount: UInt64 = 0
  /// From the instant of waking that was asked for to the one that came.
  public private(set) var wakeLatency = Histogram()
  /// From waking to going to sleep again.
  public private(set) var work = Histogram()

  /// Nothing was measured yet.
  public init() {}

  mutating func recordWake(latencyNanoseconds: UInt64, missedTicks: UInt64) {
    tickCount += 1
    missedCount += missedTicks
    wakeLatency.record(microseconds: latencyNanoseconds / 1000)
  }

  mutating func recordWork(nanoseconds: UInt64) {
    work.record(microseconds: nanoseconds / 1000)
  }
}
