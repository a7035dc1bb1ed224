import Base

/// How a simulated machine sleeps, and what goes wrong with it.
package struct SimSleep: Sendable {
  /// What happens at the next order to sleep, and at all later ones.
  package enum Outcome: Sendable, Equatable {
    case wakesInTime
    /// So many seconds after the planned time: the alarm was lost, and somebody came.
    case wakesLate(seconds: Int64)
    /// After so many seconds at the latest: somebody pressed a button.
    case wakesEarly(afterSeconds: Int64)
    /// The script refuses.
    case refuses
  }

  package var outcome = Outcome.wakesInTime
  /// How often it was suspended, and powered off.
  package private(set) var suspendCount = 0
  package private(set) var powerOffCount = 0
  /// How long it was suspended.
  package private(set) var suspendedNanoseconds: UInt64 = 0

  package init() {}

  mutating func suspend(_ order: SleepOrder, seconds planned: Int64) throws(DeviceFailure) {
    var seconds = planned
    switch outcome {
    case .wakesInTime: break
    case .wakesLate(let more): seconds += more
    case .wakesEarly(let most): seconds = min(seconds, most)
    case .refuses: throw .sleep("no clock has an alarm", "is why the machine does not sleep")
    }
    guard order.depth == .suspend else { return powerOffCount += 1 }
    suspendCount += 1
    suspendedNanoseconds += UInt64(max(seconds, 0)) * 1_000_000_000
  }
}
