import Base
import TestSupport
import Testing

@testable import Wire

@Suite struct ChunkClockTests {
  @Test("Frames that are seen when they are there get their times, once it is no guess; a look at none tells nothing")
  func followsExactLooks() throws {
    var clock = ChunkClock(sampleRateHz: 48_000)
    for look in 1...100 as ClosedRange<UInt64> { clock.note(end: 0, at: Instant(950_000_000 + look * 500_000)) }
    #expect(clock.instant(of: 0) == nil)
    for look in 1...4000 as ClosedRange<UInt64> {
      clock.note(end: TimelinePosition(look * 240), at: Instant(1_000_000_000 + look * 5_000_000))
      let instant = clock.instant(of: TimelinePosition(look * 240))
      guard look >= 64 else {
        #expect(instant == nil)
        continue
      }
      let recorded = try #require(instant)
      #expect(abs(recorded.distance(to: Instant(1_000_000_000 + look * 5_000_000))) < 1000)
    }
  }

  @Test(
    "A card that is off by 100 ppm and looked at up to 25 ms late is followed within 0.3 ms",
    arguments: 0..<6 as Range<UInt64>)
  func followsCard(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let rate = 48_000 * (1 + (seed % 2 == 0 ? 100e-6 : -100e-6))
    var clock = ChunkClock(sampleRateHz: 48_000)
    var time = 1.0
    var worst = 0.0
    while time < 120 {
      time += 0.02
      let end = UInt64(max(0, time - .random(in: 0...0.025, using: &generator)) * rate)
      clock.note(end: TimelinePosition(end), at: Instant(UInt64(7e9 + time * 1e9)))
      guard time > 30 else { continue }
      let instant = try #require(clock.instant(of: TimelinePosition(end)))
      worst = max(worst, abs(Double(instant.rawValue) - 7e9 - Double(end) / rate * 1e9))
    }
    #expect(worst < 300_000)
  }

  @Test("A card that stood still is followed from where it goes on")
  func followsAfterStop() throws {
    var clock = ChunkClock(sampleRateHz: 48_000)
    for look in 1...1000 as ClosedRange<UInt64> {
      clock.note(end: TimelinePosition(look * 960), at: Instant(look * 20_000_000))
    }
    for look in 1001...1100 as ClosedRange<UInt64> {
      clock.note(end: TimelinePosition(look * 960), at: Instant(look * 20_000_000 + 3_000_000_000))
      if look == 1001 { #expect(clock.instant(of: TimelinePosition(look * 960)) == nil) }
    }
    let instant = try #require(clock.instant(of: TimelinePosition(1100 * 960)))
    #expect(instant == Instant(1100 * 20_000_000 + 3_000_000_000))
  }
}
