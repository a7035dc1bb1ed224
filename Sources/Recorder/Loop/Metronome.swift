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
