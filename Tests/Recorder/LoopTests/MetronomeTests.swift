import TestSupport
import Testing

@testable import Loop

@Suite struct MetronomeTests {
  @Test(
    "ticks stay on the grid that they began on, and every one that passed unserved is counted",
    arguments: 1...20 as ClosedRange<UInt64>)
  func staysOnItsGrid(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let period = UInt64.random(in: 1...20, using: &generator) * 1_000_000
    var metronome = Metronome(periodNanoseconds: period, startingAtNanoseconds: 777)
    var servedCount: UInt64 = 0
    var missedCount: UInt64 = 0
    for _ in 0..<1_000 {
      let latest = UInt64.random(in: 0..<10, using: &generator) == 0 ? 5 * period : period - 1
      let now = metronome.nextNanoseconds + .random(in: 0...latest, using: &generator)
      missedCount += metronome.advance(atNanoseconds: now)
      servedCount += 1
      #expect(metronome.nextNanoseconds > now && metronome.nextNanoseconds - now <= period)
      #expect(metronome.nextNanoseconds == 777 + (servedCount + missedCount + 1) * period)
    }
  }

  @Test("what passed before a restart is nobody's lateness")
  func restarts() {
    var metronome = Metronome(periodNanoseconds: 5, startingAtNanoseconds: 0)
    metronome.restart(atNanoseconds: 1_000)
    #expect(metronome.nextNanoseconds == 1_005)
    #expect(metronome.advance(atNanoseconds: 1_005) == 0)
  }
}
