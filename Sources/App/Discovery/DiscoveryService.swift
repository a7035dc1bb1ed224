import Base
import Console
import Wire

/// What the loop asks of the worker that keeps the link to the fetching service.
enum SearchRequest: BitwiseCopyable, Sendable {
  /// The search of this number; one that is under way ends.
  case begin(number: UInt32, SearchOrder)
  case end
}

/// What the search of a number has found, or how it ended.
struct SearchAnswer: BitwiseCopyable, Sendable {
  var number: UInt32
  var event: SearchEvent
}

/// `discover`: what can be listened to on this network.
struct DiscoveryService: ~Copyable {
  private var requests: QueueProducer<SearchRequest>
  private var answers: QueueConsumer<SearchAnswer>
  /// Of the last search: what an earlier one has found is skipped.
  private var number: UInt32 = 0
  private var foundCount = 0
  private var form = StatusForm.lines

  init(_ searches: consuming ClientEnd<SearchRequest, SearchAnswer>) {
    requests = searches.requests
    answers = searches.answers
  }

  mutating func run(seconds: UInt8, _ form: StatusForm, _ console: inout ConsoleSession, at now: Instant) {
    self.form = form
    number &+= 1
    foundCount = 0
    guard let order = SearchOrder(seconds: seconds), requests.push(.begin(number: number, order)) else {
      return console.refuse("\(SearchProblem.unanswered.line)")
    }
    console.pending = .discover(end: now + (UInt64(seconds) + Limits.searchAnswerSeconds) * 1_000_000_000)
  }

  /// At each tick while `discover` is pending.
  /// - Parameter end: how long the service may take.
  mutating func advance(by end: Instant, _ console: inout ConsoleSession, at now: Instant) {
    while console.canReply, let answer = answers.pop() {
      guard answer.number == number else { continue }
      switch answer.event {
      case .found(let server): tell(server, &console)
      case .finished where form == .json: return console.complete()
      case .finished(let isComplete): return finish(isComplete, &console)
      case .failed(let problem): return console.refuse("\(problem.line)")
      }
    }
    if console.takeInterrupt() {
      _ = requests.push(.end)
      console.complete()
    } else if now >= end {
      _ = requests.push(.end)
      console.refuse("\(SearchProblem.unanswered.line)")
    }
  }

  /// What is to be typed stands first, where no stranger's text can be taken for it.
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
