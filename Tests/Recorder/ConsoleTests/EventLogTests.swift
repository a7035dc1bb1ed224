import Console
import TestSupport
import Testing
import Text
import Values

/// `events`: what was announced, for somebody who was not there.
@Suite struct EventLogTests {
  /// A session to which `count` events happened, one a second from the start on, and what it had printed meanwhile.
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
    #expect(Self.request("events 2", of: &harness) == .command(.events(count: 2)))
    harness.session.showEvents(count: 2)
    harness.run()
    #expect(harness.said == "3.000 s: event 3\n4.000 s: event 4\nok\n")
  }

  @Test("of more events than are kept, the newest can be printed, and asking for more than there are is no error")
  func overwritten() {
    for count in [0, 1, ConsoleSession.eventCapacity, ConsoleSession.eventCapacity + 1, 1_000] {
      var harness = Self.harness(events: count)
      _ = Self.request("events 64", of: &harness)
      harness.session.showEvents(count: 64)
      harness.run()
      let expected = (max(0, count - 64)..<count).map { "\($0).000 s: event \($0)" } + ["ok"]
      #expect(harness.said.split(separator: "\n").map(String.init) == expected)
    }
  }

  @Test("on a slow line the reply goes on at later ticks, whole, and leaves out what was overwritten meanwhile")
  func slowLine() {
    var harness = Self.harness(events: 0)
    for number in 0..<64 { harness.session.announce("\(number, width: 200)" as FixedText<256>) }
    harness.run()
    _ = harness.takeSaid()
    _ = Self.request("events 64", of: &harness)
    harness.line.largestWrite = 0
    harness.session.showEvents(count: 64)
    guard case .events(let next, 64)? = harness.session.pending, next < 60 else {
      Issue.record("64 lines of 200 bytes fit the output at once")
      return
    }
    for _ in 0..<60 { harness.session.announce("later") }
    harness.line.largestWrite = .max
    harness.session.exchange(with: &harness.line)
    harness.session.showEvents(from: next, to: 64)
    harness.run()
    let replied = harness.said.split(separator: "\n").filter { !$0.hasPrefix("* ") }
    #expect(replied.last == "ok" && harness.session.pending == nil)
    let numbers = replied.dropLast().compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
    #expect(numbers == Array(0..<Int(next)) + Array(60..<64))
  }

  @Test("a number of events that is none, or more than are kept, is refused", arguments: ["0", "65", "x", "-1", "1.5"])
  func refuses(count: String) {
    let (requests, said) = ConsoleHarness.requests(of: "events \(count)\n")
    #expect(requests == [.endOfInput])
    #expect(said == "error: events wants 1…64, before or nothing, not \"\(count)\"\n")
  }
}
