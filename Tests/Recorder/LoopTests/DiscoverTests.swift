import Base
import Machine
import TestSupport
import Testing
import Wire

@testable import App

/// `discover`, on the simulated board.
@Suite struct DiscoverTests {
  private static func server(
    _ address: FixedText<48> = "192.0.2.7", _ kind: FoundServer.Kind = .snapcast, name: String = "Kitchen"
  ) throws -> FoundServer {
    try unwrapped(
      FoundServer(
        kind, address: address, port: kind == .snapcast ? 1704 : 8040, host: "kitchen.local", name: FixedText(name)))
  }

  private func rig(_ events: [SearchEvent] = [], problem: SearchProblem? = nil) throws -> ApplianceRig {
    let rig = try ApplianceRig()
    rig.host.view.searchEvents = events
    rig.host.view.searchProblem = problem
    return rig
  }

  @Test("What was found is told with the command to type first, and the network is searched for as long as was said")
  func tells() throws {
    let rig = try rig([
      .found(try Self.server()), .found(try Self.server("192.0.2.7", .monitor)),
      .found(try Self.server("169.254.1.2", .monitor)), .finished(isComplete: true),
    ])
    rig.run("discover\nversion", milliseconds: 500)
    #expect(
      rig.host.lines.suffix(6) == [
        "listen 192.0.2.7 1704: snapcast, kitchen.local, Kitchen",
        "stream https://kitchen.local:8040/live.opus?token=TOKEN: fieldcorder, 192.0.2.7, Kitchen",
        "stream http://169.254.1.2:8040/live.opus?token=TOKEN: fieldcorder, 169.254.1.2, Kitchen",
        "ok", "fieldcorder test", "ok",
      ])
    rig.host.view.searchEvents = [.finished(isComplete: true)]
    rig.run("discover 60", milliseconds: 500)
    #expect(rig.host.view.searches.map(\.seconds) == [3, 60])
  }

  @Test("discover json tells each with what it is and where, and nothing else")
  func tellsPrograms() throws {
    let rig = try rig([
      .found(try Self.server(name: "a \"b\"")), .found(try Self.server("169.254.1.2", .monitor)),
      .finished(isComplete: false),
    ])
    rig.run("discover 5 json", milliseconds: 500)
    let host = #""host":"kitchen.local","address""#
    #expect(
      rig.host.lines.suffix(3) == [
        #"{"kind":"snapcast","name":"a \"b\"",\#(host):"192.0.2.7","port":1704,"url":""}"#,
        #"{"kind":"fieldcorder","name":"Kitchen",\#(host):"169.254.1.2","port":8040,"url":"http://169.254.1.2:8040"}"#,
        "ok",
      ])
    #expect(rig.host.view.searches.map(\.seconds) == [5])
  }

  @Test("Where nobody was found, the reply says what makes others be found")
  func none() throws {
    let rig = try rig([.finished(isComplete: true)])
    rig.run("discover", milliseconds: 500)
    #expect(
      rig.host.lines.suffix(2) == [
        "nothing was found: on the other recorder, copy the files of /usr/share/fieldcorder/avahi to /etc/avahi/services",
        "ok",
      ])
  }

  @Test(
    "Without a service, without its socket and without Avahi the reply says what to do",
    arguments: [
      (SearchProblem.notConfigured, "nothing can be found: set [stream] socket, and enable fieldcorder-fetch.socket"),
      (
        .noService,
        "fieldcorder-fetch cannot be reached: enable fieldcorder-fetch.socket, or check [stream] socket"
      ), (.noAvahi, "Avahi cannot be reached: install avahi-daemon, and start it"),
      (.serviceEnded, "fieldcorder-fetch has ended its search: try again"),
    ])
  func refuses(problem: SearchProblem, line: String) throws {
    let refused = try rig(problem: problem)
    refused.run("discover", milliseconds: 500)
    #expect(refused.host.lines.last == "error: " + line)
    let failed = try rig([.failed(problem)])
    failed.run("discover", milliseconds: 500)
    #expect(failed.host.lines.last == "error: " + line)
  }

  @Test("Many servers are told on a line of 9600 baud as well, and that there are more")
  func many() throws {
    let servers = try (0..<32).map { SearchEvent.found(try Self.server(name: "error: \($0)")) }
    let rig = try rig(servers + [.finished(isComplete: false)])
    // 9600 baud, per tick of 5 ms.
    rig.host.lineBytesPerTick = 5
    rig.run("discover", milliseconds: 5_000)
    #expect(rig.host.lines.count { $0.hasPrefix("listen 192.0.2.7 1704: snapcast, kitchen.local, error: ") } == 32)
    #expect(rig.host.lines.suffix(2) == ["there are more: the first 32 that answered are listed", "ok"])
    #expect(rig.metrics.missedCount == 0)
  }

  @Test("A service that never answers holds up the console for 5 s more than the search, and nothing else")
  func unanswered() throws {
    let rig = try rig()
    rig.run("discover 2", milliseconds: 6_900)
    #expect(!rig.host.lines.contains { $0.hasPrefix("error") } && rig.host.view.isSearching)
    rig.run(milliseconds: 200)
    #expect(rig.host.lines.last == "error: fieldcorder-fetch does not answer: restart fieldcorder-fetch")
    rig.run("version", milliseconds: 300)
    #expect(rig.host.lines.last == "ok" && !rig.host.view.isSearching)
    #expect(rig.metrics.missedCount == 0)
  }

  @Test("Ctrl-C ends it, and the next one searches anew")
  func interrupted() throws {
    let host = TestHost()
    host.isTerminal = true
    let rig = try ApplianceRig(host: host)
    rig.run(milliseconds: 500)
    host.type("discover\r")
    rig.run(milliseconds: 500)
    #expect(host.view.isSearching)
    host.type("\u{3}")
    rig.run(milliseconds: 500)
    #expect(!host.view.isSearching)
    let before = host.said.count
    host.type("version\r")
    rig.run(milliseconds: 300)
    func said() -> String { String(decoding: host.said[before...], as: UTF8.self) }
    #expect(said().contains("fieldcorder test"))
    host.view.searchEvents = [.found(try Self.server(name: "next")), .finished(isComplete: true)]
    host.type("discover\r")
    rig.run(milliseconds: 500)
    #expect(said().contains("kitchen.local, next") && host.view.searches.count == 2)
  }

  @Test("Answers to a search that was ended are passed over")
  func passesOver() throws {
    var memory = leakedBootMemory(byteCount: 1 << 14)
    var searches = try unwrapped(
      JobChannel<SearchRequest, SearchEvent>(requestCapacity: 4, answerCapacity: 4, in: &memory))
    var console = try ServiceConsole()
    var service = DiscoveryService(Job(searches.client))
    service.run(seconds: 3, .lines, &console.session)
    _ = searches.worker.answers.push(Ticketed(ticket: 1, value: .found(try Self.server(name: "old"))))
    service.run(seconds: 3, .lines, &console.session)
    _ = searches.worker.answers.push(Ticketed(ticket: 1, value: .failed(.failed)))
    _ = searches.worker.answers.push(Ticketed(ticket: 2, value: .found(try Self.server(name: "new"))))
    _ = searches.worker.answers.push(Ticketed(ticket: 2, value: .finished(isComplete: true)))
    service.step(&console.session)
    #expect(console.said() == ["listen 192.0.2.7 1704: snapcast, kitchen.local, new", "ok"])
    #expect(console.session.pending == nil)
  }
}
