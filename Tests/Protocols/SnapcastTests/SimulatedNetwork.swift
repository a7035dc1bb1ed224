import Base
import TestSupport

/// A clock that runs too fast or too slow, and began at some other time.
struct SimulatedClock {
  var startNanoseconds: Double
  var partsPerMillion: Double

  /// What it shows at a true time, in nanoseconds.
  func shown(at true: Double) -> Instant { Instant(UInt64(startNanoseconds + `true` * (1 + partsPerMillion / 1e6))) }

  /// When it shows `instant`.
  func time(of instant: Instant) -> Double {
    (Double(instant.rawValue) - startNanoseconds) / (1 + partsPerMillion / 1e6)
  }
}

/// One way of a stream over a network: each message is late by some time drawn anew, a lost one is sent again after a
/// while, and none overtakes another.
struct SimulatedWay {
  var generator: SeededGenerator
  var leastNanoseconds: Double = 1_000_000
  var jitterNanoseconds: Double = 5_000_000
  var loss = 0.01
  var retransmissionNanoseconds: Double = 210_000_000
  private var last = 0.0

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func arrival(ofSent time: Double) -> Double {
    var arrival = time + leastNanoseconds + .random(in: 0...1, using: &generator) * jitterNanoseconds
    while Double.random(in: 0...1, using: &generator) < loss { arrival += retransmissionNanoseconds }
    last = max(last, arrival)
    return last
  }
}
