import Trace

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
