import Base
import Record
import Testing

@Suite struct SampleClockTests {
  @Test(
    "from the tenth second to the end of an hour the error is below a millisecond with any crystal",
    arguments: [0, 50, -50, 200, -200], [5.0])
  func staysWithinAMillisecond(partsPerMillion: Double, jitterMilliseconds: Double) {
    var card = SimulatedCard(partsPerMillion: partsPerMillion, jitterMilliseconds: jitterMilliseconds)
    card.run(untilSeconds: 10)
    #expect(card.run(untilSeconds: 3600) < 1e-3)
    #expect((card.clock.driftPartsPerMillion - partsPerMillion).magnitude < 10)
  }

  @Test(
    "from the first reading on the error is no larger than a reading's, and soon below a millisecond",
    arguments: [-200, -50, 0, 50, 200], 1...20 as ClosedRange<UInt64>)
  func startsWell(partsPerMillion: Double, seed: UInt64) {
    var card = SimulatedCard(partsPerMillion: partsPerMillion, jitterMilliseconds: 5, seed: seed)
    #expect(card.run(untilSeconds: 10) < 6e-3)
    #expect(card.run(untilSeconds: 12) < 1e-3)
  }

  @Test("frames that are missing in several readings are reported as lost once, and the time does not step back")
  func reportsLoss() {
    var card = SimulatedCard(partsPerMillion: 200, jitterMilliseconds: 1)
    card.run(untilSeconds: 60)
    let drift = card.clock.driftPartsPerMillion
    var position: TimelinePosition = 0
    var lost: [Int] = []
    for reading in 1...8 {
      let seconds = 60 + Double(reading) * 0.02
      lost.append(card.observe(at: seconds, secondsAhead: -1.5))
      let now = card.clock.position(at: card.instant(at: seconds))
      #expect(now > position)
      position = now
    }
    #expect(lost.dropLast().allSatisfy { $0 == 0 })
    #expect(abs(lost[7] - 72_000) < 100)
    #expect(abs(Double(position.rawValue) - card.truePosition(at: 60.16)) < 100)
    #expect(card.clock.driftPartsPerMillion == drift)
  }

  @Test("one reading that is far off changes nothing, and neither does a card that falls behind and catches up")
  func doubtsSingleReadings() {
    var card = SimulatedCard(partsPerMillion: 0, jitterMilliseconds: 1)
    card.run(untilSeconds: 10)
    let wrong = card.clock.observe(
      position: TimelinePosition(48_000 * 9), at: card.instant(at: 10.01))
    var lost = wrong
    let end = TimelinePosition(UInt64(card.truePosition(at: 10.02)))
    for reading in 1...40 {
      lost += card.clock.observe(position: end, at: card.instant(at: 10.02 + Double(reading) * 0.02))
    }
    #expect(lost == 0)
    #expect(card.run(untilSeconds: 20) < 2e-3)
  }

  @Test("a card that is ahead moves the time on, once several readings agree")
  func goesOnFromACardAhead() {
    var card = SimulatedCard(partsPerMillion: 0, jitterMilliseconds: 1)
    card.run(untilSeconds: 10)
    for reading in 1...8 {
      #expect(card.observe(at: 10 + Double(reading) * 0.02, secondsAhead: 0.2) == 0)
    }
    let now = Double(card.clock.position(at: card.instant(at: 10.16)).rawValue)
    #expect(abs(now - card.truePosition(at: 10.36)) < 100)
  }

  @Test("an observation that is not newer than the last changes nothing")
  func ignoresThePast() {
    var clock = SampleClock(sampleRateHz: 48_000, position: 7, at: 1_000_000)
    _ = clock.observe(position: 480, at: 11_000_000)
    _ = clock.observe(position: 9_000, at: 11_000_000)
    _ = clock.observe(position: 9_000, at: 1)
    #expect(clock.position(at: 11_000_000) == 480)
  }

  @Test("without observations it runs at the nominal rate from its start position, and no position is negative")
  func runsNominally() {
    let clock = SampleClock(sampleRateHz: 44_100, position: 1_000, at: 2_000_000_000)
    #expect(clock.position(at: 3_000_000_000) == 45_100)
    #expect(clock.position(at: 0) == 0)
    #expect(clock.driftPartsPerMillion == 0)
  }

  @Test("between two readings later instants have later positions")
  func isMonotonousBetweenReadings() {
    var card = SimulatedCard(partsPerMillion: -200, jitterMilliseconds: 5)
    for second in 1...20 {
      card.run(untilSeconds: Double(second))
      var before: TimelinePosition = 0
      for millisecond in -100...100 {
        let position = card.clock.position(at: card.instant(at: Double(second) + Double(millisecond) / 1000))
        #expect(position > before)
        before = position
      }
    }
  }
}
