import Base
import Console
import TestSupport
import Testing

/// `events`: past announcements, for a user who missed them.
@Suite struct EventLogTests {
  /// A session with `count` past events, one a second from the start on, and its output meanwhile.
  private static func harness(events count: Int) -> ConsoleHarness {
    var harness = ConsoleHarness(isTerminal: false)
    for number in 0..<count {
      harness.session.now = 7_000_000_000 + UInt64(number) * 1_000_000_000
      harness.session.announce("event \(number)" as FixedText<64>)
    }
    harness.run()
    _ = harness.takeSaid()
    return harness
  }

  private static func request(_ line: String, of harness: inout ConsoleHarness) -> ConsoleRequest? {
    harness.type(line + "\n")
    harness.session.exchange(with: &harness.line)
    return harness.session.nextRequest()
  }

  @Test("events prints the newest ones, the oldest of them first, each with the seconds since the start")
  func newest() {
    var harness = Self.harness(events: 5)
    #expect(Self.request("events 2", of: &harness) == .command(.events(.newest(count: 2), .lines)))
    harness.session.showEvents(.newest(count: 2), .lines)
    harness.run()
    #expect(harness.said == "3.000 s: event 3\n4.000 s: event 4\nok\n")
  }

  @Test("of more events than are kept, the newest can be printed, and asking for more than there are is no error")
  func overwritten() {
    for count in [0, 1, ConsoleSession.eventCapacity, ConsoleSession.eventCapacity + 1, 1_000] {
      var harness = Self.harness(events: count)
      _ = Self.request("events 64", of: &harness)
      harness.session.showEvents(.newest(count: 64), .lines)
      harness.run()
      let expected = (max(0, count - 64)..<count).map { "\($0).000 s: event \($0)" } + ["ok"]
      #expect(harness.said.split(separator: "\n").map(String.init) == expected)
    }
  }

  @Test("on a slow line the reply goes on at later ticks, whole, and leaves out what was overwritten meanwhile")
  func slowLine() {
    var harness = Self.harness(events: 0)
    for number in 0..<64 {
      var line = FixedText<256>()
      while line.byteCount < 180 { line.append("0") }
      line.append("\(number, width: 20)" as FixedText<20>)
      harness.session.announce(line)
    }
    harness.run()
    _ = harness.takeSaid()
    _ = Self.request("events 64", of: &harness)
    harness.line.largestWrite = 0
    harness.session.showEvents(.newest(count: 64), .lines)
    guard case .events(let next, 64, .lines)? = harness.session.pending, next < 60 else {
      Issue.record("64 lines of 200 bytes fit the output at once")
      return
    }
    for number in 0..<60 { harness.session.announce("later \(number)") }
    harness.line.largestWrite = .max
    harness.session.exchange(with: &harness.line)
    harness.session.showEvents(from: next, to: 64, .lines)
    harness.run()
    let replied = harness.said.split(separator: "\n").filter { !$0.hasPrefix("* ") }
    #expect(replied.last == "ok" && harness.session.pending == nil)
    let numbers = replied.dropLast().compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
    #expect(numbers == Array(0..<Int(next)) + Array(60..<64))
  }

  @Test("since tells what happened from a second after the start on, and with a minus in the newest seconds")
  func since() {
    for (line, first) in [("since 3", 3), ("since 2.5", 3), ("since -1", 3), ("since 0", 0), ("since 99", 5)] {
      var harness = Self.harness(events: 5)
      guard case .command(.events(let range, let form))? = Self.request("events " + line, of: &harness) else {
        Issue.record("events \(line) was not understood")
        continue
      }
      harness.session.showEvents(range, form)
      harness.run()
      #expect(harness.said == (first..<5).map { "\($0).000 s: event \($0)\n" }.joined() + "ok\n", "\(line)")
    }
  }

  @Test("the same event many times in a row is one, with how often it happened and when last")
  func repeated() {
    var harness = Self.harness(events: 1)
    for second in 1...70 {
      harness.session.now = Instant(7_000_000_000 + UInt64(second) * 1_000_000_000)
      harness.session.announce("again")
    }
    harness.session.announce("other", as: .fault)
    harness.run()
    #expect(harness.takeSaid() == String(repeating: "* again\n", count: 70) + "* other\n")
    harness.session.showEvents(.since(milliseconds: 0), .lines)
    harness.run()
    #expect(
      harness.takeSaid()
        == "0.000 s: event 0\n1.000 s: again (70 times, the last at 70.000 s)\n70.000 s: other\nok\n")
    // The repeated event lasted until then.
    harness.session.showEvents(.since(milliseconds: 60_000), .json)
    harness.run()
    #expect(
      harness.said == """
        {"number":1,"seconds":1.000,"last_seconds":70.000,"count":70,"level":"note","text":"again"}
        {"number":2,"seconds":70.000,"last_seconds":70.000,"count":1,"level":"fault","text":"other"}
        ok

        """)
  }

  @Test("log prints the events that are grave enough as they happen, and keeps the others")
  func filtered() {
    let levels: [(EventFilter, String)] = [
      (.all, "* a\n* b\n* c\n"), (.warnings, "* b\n* c\n"), (.faults, "* c\n"), (.off, ""),
    ]
    for (filter, printed) in levels {
      var harness = ConsoleHarness(isTerminal: false)
      harness.session.now = 1
      harness.session.eventFilter = filter
      harness.session.announce("a")
      harness.session.announce("b", as: .warning)
      harness.session.announce("c", as: .fault)
      harness.run()
      #expect(harness.takeSaid() == printed)
      harness.session.showEvents(.newest(count: 20), .lines)
      harness.run()
      #expect(harness.said == "0.000 s: a\n0.000 s: b\n0.000 s: c\nok\n")
    }
  }

  @Test("follow tells what was, and each event once as it happens, until a key")
  func followed() {
    var harness = ConsoleHarness(isTerminal: true)
    harness.session.now = 1
    harness.session.announce("before")
    harness.run()
    _ = harness.takeSaid()
    _ = Self.request("events follow", of: &harness)
    harness.session.showEvents(.newest(count: 20), .follow)
    for second in 1...3 {
      harness.session.now = Instant(UInt64(second) * 1_000_000_000 + 1)
      harness.session.announce("event \(second)" as FixedText<64>)
      guard case .followedEvents(let next)? = harness.session.pending else {
        Issue.record("follow ended by itself")
        return
      }
      harness.session.followEvents(from: next)
    }
    harness.run()
    let said = harness.takeSaid()
    #expect(said.contains("0.000 s: before"))
    for second in 1...3 { #expect(said.ranges(of: "\(second).000 s: event \(second)").count == 1) }
    #expect(!said.contains("* event") && !said.contains("ok"))
    harness.type("q")
    harness.session.exchange(with: &harness.line)
    harness.session.followEvents(from: 4)
    harness.session.announce("later")
    harness.run()
    #expect(harness.session.pending == nil && harness.said.contains("ok") && harness.said.contains("* later"))
  }

  @Test("who follows on a line that is too slow is told how much is not kept any more")
  func followedTooSlowly() {
    var harness = ConsoleHarness(isTerminal: true)
    harness.session.now = 1
    for number in 0..<100 { harness.session.announce("event \(number)" as FixedText<64>) }
    harness.run()
    _ = harness.takeSaid()
    _ = Self.request("events follow", of: &harness)
    harness.session.followEvents(from: 0)
    harness.run()
    #expect(harness.said.contains("36 events no longer kept") && harness.said.contains("event 36"))
  }

  @Test("a script cannot follow, for its next line would be the key")
  func followedByAScript() {
    var harness = Self.harness(events: 1)
    _ = Self.request("events follow", of: &harness)
    harness.session.showEvents(.newest(count: 20), .follow)
    harness.run()
    #expect(harness.said == "error: follow needs a terminal: without one events are printed as they happen\n")
  }

  @Test("a number of events that is none, or more than are kept, is refused", arguments: ["0", "65", "x", "-1", "1.5"])
  func refuses(count: String) {
    let (requests, said) = ConsoleHarness.requests(of: "events \(count)\n")
    #expect(requests == [.endOfInput])
    #expect(said == "error: events expects 1…64, since S, before, json, follow or nothing, not \"\(count)\"\n")
  }
}
