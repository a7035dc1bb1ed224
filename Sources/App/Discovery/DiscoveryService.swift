import Base
import Console
import Wire

/// Requests to the worker that keeps the link to the fetching service.
enum SearchRequest: BitwiseCopyable, Sendable {
  /// Begins a search; one in progress ends.
  case begin(SearchOrder)
  case end
}

/// `discover`: finds what can be listened to on this network.
struct DiscoveryService: ~Copyable {
  private var searches: Job<SearchRequest, SearchEvent>
  private var foundCount = 0
  private var form = StatusForm.lines

  init(_ searches: consuming Job<SearchRequest, SearchEvent>) { self.searches = searches }

  mutating func run(seconds: UInt8, _ form: StatusForm, _ console: inout ConsoleSession) {
    self.form = form
    foundCount = 0
    let end = console.now + (UInt64(seconds) + Limits.searchAnswerSeconds) * 1_000_000_000
    guard let order = SearchOrder(seconds: seconds) else {
      return console.refuse("\(SearchProblem.unanswered.line)")
    }
    searches.begin(.begin(order), until: end, &console)
  }

  /// At each tick: reports the servers that were found.
  mutating func step(_ console: inout ConsoleSession) {
    while searches.hasNews(for: console) {
      switch searches.next(&console) {
      case .nothing: return
      case .unattended: break
      case .answered(.found(let server)): tell(server, &console)
      case .answered(.finished) where form == .json: console.complete()
      case .answered(.finished(let isComplete)): finish(isComplete, &console)
      case .answered(.failed(let problem)): console.refuse("\(problem.line)")
      case .interrupted:
        searches.send(.end, &console)
        console.complete()
      case .late:
        searches.send(.end, &console)
        console.refuse("\(SearchProblem.unanswered.line)")
      }
    }
  }

  /// The text to be typed comes first, where no text from a stranger can be mistaken for it.
  private mutating func tell(_ server: FoundServer, _ console: inout ConsoleSession) {
    foundCount += 1
    guard form == .lines else { return report(server, &console) }
    switch server.kind {
    case .snapcast:
      console.quote(
        "listen \(server.address) \(server.port): snapcast, \(server.host), \(server.name)" as FixedText<256>)
    case .monitor:
      console.quote(
        "stream \(server.origin)/live.opus?token=TOKEN: fieldcorder, \(server.address), \(server.name)"
          as FixedText<384>)
    }
  }

  private func report(_ server: FoundServer, _ console: inout ConsoleSession) {
    console.beginReport(.json)
    var url = FixedText<128>()
    switch server.kind {
    case .snapcast: console.member("kind", .name("snapcast"))
    case .monitor:
      console.member("kind", .name("fieldcorder"))
      url = server.origin
    }
    console.member("name", text: server.name.bytes)
    console.member("host", text: server.host.bytes)
    console.member("address", text: server.address.bytes)
    console.member("port", .count(server.port))
    console.member("url", text: url.bytes)
    console.endPart()
  }

  private func finish(_ isComplete: Bool, _ console: inout ConsoleSession) {
    if !isComplete {
      console.reply("there are more: the first \(SearchLimits.servers) that answered are listed")
    } else if foundCount == 0 {
      console.reply(
        "nothing was found: on the other recorder, copy the files of /usr/share/fieldcorder/avahi to /etc/avahi/services"
      )
    }
    console.complete()
  }
}

extension Limits {
  /// How long `discover` may take besides the time for which it searches: Avahi's daemon is started by its first user,
  /// and the worker looks every 250 ms.
  static var searchAnswerSeconds: UInt64 { 5 }
}
