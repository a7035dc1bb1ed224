import Base

/// The system's clocks, or those of the simulated world.
package struct Clock: ClockDriver, ~Copyable {
  private let place = StaysInPlace()
  private var system = MonotonicClock()
  private var simulated: SimClock?

  /// The system's clocks.
  init() { simulated = nil }

  init(_ simulated: consuming SimClock) { self.simulated = consume simulated }

  package var now: Instant {
    switch simulated {
    case .some(let clock): clock.now
    case .none: system.now
    }
  }

  package var unixNanoseconds: Int64 {
    switch simulated {
    case .some(let clock): clock.unixNanoseconds
    case .none: system.unixNanoseconds
    }
  }

  package var source: ClockSource {
    switch simulated {
    case .some(let clock): clock.source
    case .none: system.source
    }
  }

  package var error: ClockError? {
    switch simulated {
    case .some(let clock): clock.error
    case .none: system.error
    }
  }

  package var suspendedNanoseconds: UInt64 {
    switch simulated {
    case .some(let clock): clock.suspendedNanoseconds
    case .none: system.suspendedNanoseconds
    }
  }

  package mutating func sleep(until instant: Instant) {
    if simulated != nil { simulated!.sleep(until: instant) } else { system.sleep(until: instant) }
  }
}
