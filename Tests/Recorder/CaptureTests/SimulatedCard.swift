import Base
import Record
import TestSupport

/// A sound card with an inaccurate crystal and jittering readings.
struct SimulatedCard {
  static let start: Instant = 5_000_000_000
  static let rateHz = 48_000.0

  var partsPerMillion: Double
  /// A reading's instant is off by up to this much, either way.
  var jitterMilliseconds: Double
  var clock = SampleClock(sampleRateHz: 48_000, at: Self.start)
  private var now = 0.0
  private var generator: SeededGenerator

  init(partsPerMillion: Double, jitterMilliseconds: Double, seed: UInt64 = 1) {
    self.partsPerMillion = partsPerMillion
    self.jitterMilliseconds = jitterMilliseconds
    generator = SeededGenerator(seed: seed)
  }

  func truePosition(at seconds: Double) -> Double { seconds * Self.rateHz * (1 + partsPerMillion * 1e-6) }

  func instant(at seconds: Double) -> Instant { Self.start + UInt64(max(seconds, 0) * 1e9) }

  /// Takes a reading without jitter while the card is ahead by this much; behind if negative.
  /// - Returns: how many frames the clock considers lost.
  mutating func observe(at seconds: Double, secondsAhead: Double) -> Int {
    let position = truePosition(at: seconds) + secondsAhead * Self.rateHz
    return clock.observe(position: TimelinePosition(UInt64(position)), at: instant(at: seconds))
  }

  /// Reads every 5 to 20 ms until `end`, and checks the clock's position for pictures up to 50 ms old.
  /// - Returns: the largest error of these positions, in seconds.
  @discardableResult mutating func run(untilSeconds end: Double) -> Double {
    var worstErrorSeconds = 0.0
    while now < end {
      now += Double.random(in: 0.005...0.020, using: &generator)
      let jitter = Double.random(in: -jitterMilliseconds...jitterMilliseconds, using: &generator) / 1000
      _ = clock.observe(position: TimelinePosition(UInt64(truePosition(at: now))), at: instant(at: now + jitter))
      let past = now - Double.random(in: 0...min(0.05, now), using: &generator)
      let error = Double(clock.position(at: instant(at: past)).rawValue) - truePosition(at: past)
      worstErrorSeconds = max(worstErrorSeconds, error.magnitude / Self.rateHz)
    }
    return worstErrorSeconds
  }
}
