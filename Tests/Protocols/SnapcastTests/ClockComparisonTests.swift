import Base
import TestSupport
import Testing

@testable import Wire

@Suite struct ClockComparisonTests {
  @Test(
    "Clocks 100 ppm apart are compared within 100 µs from 10 s on, at 5 ms of jitter and 1 % loss",
    arguments: Cases.some(10, of: 0..<40 as Range<UInt64>))
  func comparesClocks(seed: UInt64) {
    var exchange = Exchange(seed: seed, partsPerMillion: seed % 2 == 0 ? 100 : -100)
    var worst = 0.0
    exchange.run(seconds: 90) { time, error in if time >= 10 { worst = max(worst, error.magnitude) } }
    #expect(worst < 100_000)
  }

  @Test("The rate of the other clock is known within 5 ppm after half a minute", arguments: 0..<10 as Range<UInt64>)
  func findsSkew(seed: UInt64) throws {
    let partsPerMillion = Double(seed) * 40 - 200
    var exchange = Exchange(seed: 100 + seed, partsPerMillion: partsPerMillion)
    exchange.run(seconds: 60) { _, _ in }
    let estimate = try #require(exchange.comparison.estimate)
    #expect(abs(estimate.skew * 1e6 - partsPerMillion) < 5)
  }

  @Test("A clock that is set is compared anew")
  func startsAnew() {
    var exchange = Exchange(seed: 7, partsPerMillion: 20)
    exchange.run(seconds: 30) { _, _ in }
    exchange.server.startNanoseconds += 700_000_000
    var worst = 0.0
    exchange.run(seconds: 30) { time, error in if time >= 40 { worst = max(worst, error.magnitude) } }
    #expect(worst < 100_000)
  }

  @Test("Times are turned into the other clock's and back")
  func turnsBack() throws {
    var exchange = Exchange(seed: 3, partsPerMillion: 100)
    exchange.run(seconds: 30) { _, _ in }
    let estimate = try #require(exchange.comparison.estimate)
    for own in stride(from: 1_000_000_000, to: 100_000_000_000, by: 7_777_777_777) as StrideTo<UInt64> {
      #expect(abs(estimate.own(at: estimate.other(at: Instant(own))).distance(to: Instant(own))) <= 2)
    }
    #expect(estimate.own(at: .min / 4) == .zero)
  }
}

/// A client that asks a server for the time, as ``ClientSession`` does.
private struct Exchange {
  var client = SimulatedClock(startNanoseconds: 5e9, partsPerMillion: 0)
  var server: SimulatedClock
  var there: SimulatedWay
  var back: SimulatedWay
  var comparison = ClockComparison()
  private var time = 0.0

  init(seed: UInt64, partsPerMillion: Double) {
    server = SimulatedClock(startNanoseconds: 4_000e9, partsPerMillion: partsPerMillion)
    there = SimulatedWay(seed: seed * 2)
    back = SimulatedWay(seed: seed * 2 + 1)
  }

  /// - Parameter look: receives the time in seconds and the client's error in nanoseconds.
  mutating func run(seconds: Double, _ look: (Double, Double) -> Void) {
    let end = time + seconds * 1e9
    while time < end {
      let sent = client.shown(at: time)
      let arrival = there.arrival(ofSent: time)
      let answered = server.shown(at: arrival)
      let received = back.arrival(ofSent: arrival)
      let now = client.shown(at: received)
      comparison.note(
        toServer: Int64(sent.distance(to: answered)), fromServer: Int64(answered.distance(to: now)), sent: sent,
        received: now)
      if let estimate = comparison.estimate {
        look(received / 1e9, estimate.offsetNanoseconds(at: now) - Double(now.distance(to: server.shown(at: received))))
      }
      time += comparison.exchangeCount < SnapcastLimits.firstQuestionCount ? 5e6 : 25e6
    }
  }
}
