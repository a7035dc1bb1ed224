import Base

enum LoopPhase: Equatable {
  case running
  /// Asked to stop: an open take is being finished, until the deadline at the latest.
  case stopping(deadline: Instant)
  case stopped
}

/// The absolute instants at which the loop wakes: a late tick does not delay the later ones.
struct Metronome {
  let periodNanoseconds: UInt64
  private(set) var next: Instant
  init(periodNanoseconds: UInt64, startingAt now: Instant) {
    self.periodNanoseconds = periodNanoseconds
    next = now + periodNanoseconds
  }

  /// Starts again after boot, whose duration does not count as lateness.
  mutating func restart(at now: Instant) {
    next = now + periodNanoseconds
  }

  /// Advances to the first tick in the future.
  /// - Returns: how many ticks were missed.
  mutating func advance(at now: Instant) -> UInt64 {
    next += periodNanoseconds
    guard now >= next else { return 0 }
    let missed = (now - next) / periodNanoseconds + 1
    next += missed * periodNanoseconds
    return missed
  }
}

/// How well the loop keeps time.
package struct LoopMetrics: ~Copyable, Sendable {
  private let place = StaysInPlace()
  /// Ticks that were run.
  package private(set) var tickCount: UInt64 = 0
  /// Ticks that were missed.
  package private(set) var missedCount: UInt64 = 0
  /// From the requested wake-up to the actual one.
  package private(set) var wakeLatency = Histogram()
  /// From waking to sleeping.
  package private(set) var work = Histogram()

  package init() {}

  mutating func recordWake(latencyNanoseconds: UInt64, missedTicks: UInt64) {
    tickCount += 1
    missedCount += missedTicks
    wakeLatency.record(microseconds: latencyNanoseconds / 1000)
  }

  mutating func recordWork(nanoseconds: UInt64) {
    work.record(microseconds: nanoseconds / 1000)
  }

  /// Forgets how long things took; the ticks go on being counted.
  mutating func resetTimes() {
    wakeLatency = Histogram()
    work = Histogram()
  }

  /// What `status json` tells of them.
  var summary: LoopSummary {
    LoopSummary(
      tickCount: tickCount, missedCount: missedCount,
      wakeMicroseconds: [
        wakeLatency.percentile(permille: 500), wakeLatency.percentile(permille: 990),
        wakeLatency.percentile(permille: 999),
      ],
      workMicroseconds: work.percentile(permille: 999))
  }
}

/// ``LoopMetrics`` in a few numbers.
struct LoopSummary {
  let tickCount: UInt64
  let missedCount: UInt64
  /// The 50th, 99th and 99.9th percentile of the wake latency.
  let wakeMicroseconds: InlineArray<3, UInt64>
  /// The 99.9th percentile of the time from waking to sleeping.
  let workMicroseconds: UInt64
}
