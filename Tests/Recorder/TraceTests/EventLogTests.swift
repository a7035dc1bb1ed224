import TestSupport
import Testing
import Trace

@Suite struct EventLogTests {
  @Test("events and what they touched are counted by kind, and the newest 32 can be looked at")
  func countsAndKeeps() {
    var generator = SeededGenerator(seed: 4)
    var log = EventLog()
    var all: [Event] = []
    let kinds: [EventKind] = [.audioOverrun, .cameraFrameDropped]
    for number in 0..<100 as Range<UInt64> {
      let event = Event(
        kind: kinds.randomElement(using: &generator)!, amount: .random(in: 0...9, using: &generator),
        samplePosition: number * 7)
      #expect(log.event(number: number) == nil)
      log.record(event)
      all.append(event)
      #expect(log.event(number: number)?.samplePosition == event.samplePosition)
    }
    for kind in kinds {
      let same = all.filter { $0.kind == kind }
      #expect(log.count(of: kind) == UInt64(same.count))
      #expect(log.amount(of: kind) == same.reduce(0) { $0 + $1.amount })
    }
    #expect(log.totalCount == 100)
    #expect(log.event(number: 67) == nil)
    for number in 68..<100 { #expect(log.event(number: UInt64(number))?.samplePosition == all[number].samplePosition) }
  }
}
