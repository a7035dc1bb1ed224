import Base
import TestSupport
import Testing

@testable import App

@Suite struct MetronomeTests {
  @Test(
    "ticks stay on their original grid, and every missed one is counted",
    arguments: 1...20 as ClosedRange<UInt64>)
  func staysOnItsGrid(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let period = UInt64.random(in: 1...20, using: &generator) * 1_000_000
    var metronome = Metronome(periodNanoseconds: period, startingAt: 777)
    var servedCount: UInt64 = 0
    var missedCount: UInt64 = 0
    for _ in 0..<1_000 {
      let latest = UInt64.random(in: 0..<10, using: &generator) == 0 ? 5 * period : period - 1
      let now = metronome.next + UInt64.random(in: 0...latest, using: &generator)
      missedCount += metronome.missedTicks(at: now)
      metronome.plan(now, after: now)
      servedCount += 1
      #expect(metronome.next > now && metronome.next - now <= period)
      #expect(metronome.next == Instant(777 + (servedCount + missedCount + 1) * period))
    }
  }

  @Test("time before a restart does not count as lateness")
  func restarts() {
    var metronome = Metronome(periodNanoseconds: 5, startingAt: 0)
    metronome.restart(at: 1_000)
    #expect(metronome.next == 1_005)
    #expect(metronome.missedTicks(at: 1_005) == 0 && metronome.lateNanoseconds(at: 1_005) == 0)
  }

  @Test("a planned wake is the first tick that is not before it, and one that comes earlier is not late")
  func plans() {
    var metronome = Metronome(periodNanoseconds: 5, startingAt: 0)
    metronome.plan(103, after: 12)
    #expect(metronome.next == 105)
    metronome.plan(100, after: 12)
    #expect(metronome.next == 100)
    #expect(metronome.lateNanoseconds(at: 57) == nil && metronome.missedTicks(at: 57) == 0)
    metronome.plan(0, after: 15)
    #expect(metronome.next == 20)
  }
}
