import TestSupport
import Testing
import Wire

@Suite struct FillSteeringTests {
  /// A server that sends bursts at its own rate, and a card that consumes at its own.
  private struct Station {
    var steering = FillSteering()
    /// Seconds of sound that the server has sent, and that have been played.
    var sent = 0.0
    var heard = 0.0
    var least = Double.infinity
    var most = 0.0
    var largest = 0.0

    /// - Parameters:
    ///   - partsPerMillion: how much faster the server is than the card.
    ///   - jitter: the largest delay of a burst, in seconds.
    mutating func run(
      seconds: Int, partsPerMillion: Double, jitter: Double, cushion: Double, using random: inout SeededGenerator
    ) {
      for second in 1...seconds {
        let late = jitter > 0 ? Double.random(in: 0...jitter, using: &random) : 0
        sent = max(sent, cushion + (Double(second) - late) * (1 + partsPerMillion / 1e6))
        // Stretched sound takes less from the buffers.
        heard += 1 / (1 + steering.partsPerMillion / 1e6)
        let fill = sent - heard
        steering.step(seconds: 1, fillSeconds: fill, isHeldBack: false)
        guard second > 60 else { continue }
        least = min(least, fill)
        most = max(most, fill)
        largest = max(largest, abs(steering.partsPerMillion))
      }
    }
  }

  @Test(
    "For a day a server that is 200 ppm too fast or too slow, with bursts, neither starves the card nor fills the buffers",
    arguments: [-200.0, 200, -300, 300, 0], [0.0, 2])
  func holdsADay(partsPerMillion: Double, jitter: Double) {
    var random = SeededGenerator(seed: 12)
    var station = Station()
    // The first of three buffers of 13.37 s is full when playback starts.
    station.run(
      seconds: 86_400, partsPerMillion: partsPerMillion, jitter: jitter, cushion: 13.37, using: &random)
    #expect(station.least > 5)
    #expect(station.most < 3 * 13.37 - 5)
    #expect(station.largest <= 300)
    if jitter == 0 { #expect(abs(station.steering.partsPerMillion + partsPerMillion) < 10) }
  }

  @Test("Without steering the same day would end in silence")
  func wouldFail() {
    #expect(86_400 * 200e-6 > 13.37)
  }

  @Test("A server that is held back, or has sent all, is not steered by")
  func restsWhenHeldBack() {
    var steering = FillSteering()
    for second in 0..<10_000 {
      steering.step(seconds: 1, fillSeconds: second % 2 == 0 ? 40 : 27, isHeldBack: true)
      #expect(steering.partsPerMillion == 0)
    }
    for _ in 0..<60 { steering.step(seconds: 1, fillSeconds: 20, isHeldBack: false) }
    for _ in 0..<60 { steering.step(seconds: 1, fillSeconds: 10, isHeldBack: false) }
    #expect(steering.partsPerMillion == 300)
    steering.step(seconds: 1, fillSeconds: 10, isHeldBack: true)
    #expect(steering == FillSteering())
  }
}
