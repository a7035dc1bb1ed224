import Port
import SimBoard

/// The simulated clock, which can be made to oversleep.
struct TestClock: Clock, ~Copyable {
  var clock: SimClock
  let world: TestWorld

  var monotonicNanoseconds: UInt64 { clock.monotonicNanoseconds }
  var unixNanoseconds: Int64 { clock.unixNanoseconds }
  var source: ClockSource { clock.source }

  mutating func sleep(untilMonotonicNanoseconds instant: UInt64) {
    clock.sleep(untilMonotonicNanoseconds: instant + world.oversleepNanoseconds)
    world.oversleepNanoseconds = 0
  }
}
