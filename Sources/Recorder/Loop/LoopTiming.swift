import Trace

/// Whether the appliance goes on.
enum LoopPhase: Equatable {
  case running
  /// Asked to end: an open take is being finished, until the deadline at the latest.
  case stopping(deadlineNanoseconds: UInt64)
  case stopped
}

/// The absolute instants at which the loop wakes: one late tick does not move the later ones.
struct Metronome {
  let periodNanoseconds: UInt64
  private(set) var nextNanoseconds: UInt64
  init(periodNanoseconds: UInt64, startingAtNanoseconds now: UInt64) {
    self.periodNanoseconds = periodNanoseconds
    nextNanoseconds = now + periodNanoseconds
  }

  /// Begins anew: what boot took is nobody's lateness.
  mutating func restart(atNanoseconds now: UInt64) {
    nextNanoseconds = now + periodNanoseconds
  }

  /// Moves on to the first tick that is still to come.
  /// - Returns: how many ticks had passed unserved.
  mutating func advance(atNanoseconds now: UInt64) -> UInt64 {
    nextNanoseconds += periodNanoseconds
    guard now >= nextNanoseconds else { return 0 }
    let missed = (now - nextNanoseconds) / periodNanoseconds + 1
    nextNanoseconds += missed * periodNanoseconds
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
