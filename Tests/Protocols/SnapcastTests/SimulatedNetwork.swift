import Base
import TestSupport

/// A clock that runs too fast or too slow, with another start time.
struct SimulatedClock {
  var startNanoseconds: Double
  var partsPerMillion: Double

  /// The clock's reading at a true time, in nanoseconds.
  func shown(at true: Double) -> Instant { Instant(UInt64(startNanoseconds + `true` * (1 + partsPerMillion / 1e6))) }

  /// The true time at which it reads `instant`.
  func time(of instant: Instant) -> Double {
    (Double(instant.rawValue) - startNanoseconds) / (1 + partsPerMillion / 1e6)
  }
}

/// One direction of a stream over a network: each message has a random delay, a lost one is sent again after a while,
/// and none overtakes another.
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
