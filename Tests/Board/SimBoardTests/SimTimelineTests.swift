import Base
import TestSupport
import Testing

@testable import Machine

@Suite("Crystal")
struct SimTimelineTests {
  @Test(
    "ticks and instants are each other's inverse over 100 hours, at every rate and error", arguments: UInt64(0)..<20)
  func inverse(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let ticks: [UInt32] = [1, 15, 25, 30, 60, 8_000, 44_100, 48_000, 192_000, 30_000, 24_000]
    for _ in 0..<2_000 {
      let rate = ticks.randomElement(using: &generator)!
      let start = Instant(.random(in: 0..<1 << 50, using: &generator))
      let timeline = SimTimeline(
        start: start, ticks: rate, seconds: rate == 30_000 || rate == 24_000 ? 1_001 : 1,
        partsPerMillion: Int32.random(in: -1000...1000, using: &generator))
      let instant = start + UInt64.random(in: 0..<360_000_000_000_000, using: &generator)
      let last = timeline.lastTick(at: instant)
      #expect(timeline.instant(of: last) <= instant)
      #expect(timeline.instant(of: last + 1) > instant)
      let first = timeline.firstTick(at: instant)
      #expect(timeline.instant(of: first) >= instant)
      #expect(first == 0 || timeline.instant(of: first - 1) < instant)
    }
  }

  @Test("a crystal without error ticks exactly on the second")
  func exact() {
    let timeline = SimTimeline(start: 5, ticks: 44_100, partsPerMillion: 0)
    #expect(timeline.instant(of: 44_100 * 3_600) == 3_600_000_000_005)
    #expect(timeline.firstTick(ofSecond: 3_600) == 44_100 * 3_600)
    #expect(timeline.wholeSeconds(at: 44_100 * 3_600) == 3_600)
    #expect(timeline.wholeSeconds(at: 44_100 * 3_600 - 1) == 3_599)
  }
}
