import Base
import TestSupport
import Testing

@testable import Record

private let millisecond: UInt64 = 1_000_000

@Suite("Debouncer")
struct DebouncerTests {
  @Test("a level counts at 20 ms and not before, and is dated back to its beginning")
  func boundary() {
    var debouncer = Debouncer()
    #expect(debouncer.step(isDown: false, at: 0) == nil)
    #expect(debouncer.step(isDown: true, at: Instant(milliseconds: 5)) == nil)
    #expect(debouncer.step(isDown: true, at: Instant(milliseconds: 25) - 1) == nil)
    #expect(!debouncer.isDown)
    let edge = debouncer.step(isDown: true, at: Instant(milliseconds: 25))
    #expect(edge == DebouncedEdge(isDown: true, beganAt: Instant(milliseconds: 5)))
    #expect(debouncer.isDown)
  }

  @Test("a pulse of 19 ms is ignored, in either direction")
  func pulse() {
    var debouncer = Debouncer()
    for time in UInt64(0)..<200 {
      let isDown = (30..<49).contains(time) || (100..<200).contains(time) && !(150..<169).contains(time)
      let edge = debouncer.step(isDown: isDown, at: Instant(milliseconds: time))
      #expect((edge != nil) == (time == 120))
    }
  }

  @Test("with any bounce within 15 ms of an edge, each press and release counts once", arguments: UInt64(0)..<200)
  func bounce(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var debouncer = Debouncer()
    var edges: [DebouncedEdge] = []
    for time in UInt64(0)..<600 {
      let settled = (100..<300).contains(time)
      let isBouncing = (100..<115).contains(time) || (300..<315).contains(time)
      let level = isBouncing ? Bool.random(using: &generator) : settled
      if let edge = debouncer.step(isDown: level, at: Instant(milliseconds: time)) { edges.append(edge) }
    }
    #expect(edges.map(\.isDown) == [true, false])
    #expect(edges.first.map { (100...115).contains($0.beganAt.rawValue / millisecond) } == true)
    #expect(edges.last.map { (300...315).contains($0.beganAt.rawValue / millisecond) } == true)
  }

  @Test("a poll that comes seconds late counts a level as lasting only if both readings agree")
  func timeJump() {
    var debouncer = Debouncer()
    #expect(debouncer.step(isDown: true, at: 0) == nil)
    #expect(debouncer.step(isDown: false, at: Instant(milliseconds: 5_000)) == nil)
    #expect(debouncer.step(isDown: true, at: Instant(milliseconds: 9_000)) == nil)
    let edge = debouncer.step(isDown: true, at: Instant(milliseconds: 20_000))
    #expect(edge == DebouncedEdge(isDown: true, beganAt: Instant(milliseconds: 9_000)))
  }
}
