import Base
import Machine

/// What is known of a card's errors in one kind of work. An error may pass while the rings hold what comes meanwhile.
struct CardTrouble {
  /// Where the timeline is, and for how long an error may last. There is none while the devices are closed: then no time
  /// passes.
  struct Moment {
    let now: TimelinePosition
    let timelineRateHz: UInt32
    /// For how long the rings can hold what is recorded.
    let stallSeconds: UInt64
  }

  private struct Failing {
    let start: TimelinePosition
    let retry: TimelinePosition
  }

  private var failing: Failing?

  /// Whether the last try has failed, and another is to come.
  var isPresent: Bool { failing != nil }

  /// Whether it is time for a try.
  func isDue(at moment: Moment?) -> Bool {
    guard let failing, let moment else { return true }
    return moment.now >= failing.retry
  }

  /// The work has succeeded, or is given up.
  mutating func clear() { failing = nil }

  /// Whether what failed is worth another try. A full card, or one that may not be written to, does not get better by
  /// itself.
  mutating func mayRetry(after failure: DeviceFailure, at moment: Moment?) -> Bool {
    let start = failing?.start ?? moment?.now ?? 0
    guard failure.kind == .failed, let moment,
      moment.now - start < moment.stallSeconds * UInt64(moment.timelineRateHz) / 2
    else {
      clear()
      return false
    }
    let pause = UInt64(moment.timelineRateHz) * TakeLimits.retryMilliseconds / 1000
    failing = Failing(start: start, retry: moment.now + pause)
    return true
  }
}
