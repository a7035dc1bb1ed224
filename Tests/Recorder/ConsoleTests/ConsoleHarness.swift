import Base
import Console
import Machine
import TestSupport

/// A session with its line, for tests that type and read the output.
struct ConsoleHarness: ~Copyable {
  var session: ConsoleSession
  var line: FakeLine

  init(isTerminal: Bool) {
    var memory = leakedBootMemory()
    session = ConsoleSession(isTerminal: isTerminal, in: &memory)!
    line = FakeLine(isTerminal: isTerminal)
  }

  /// The output as text.
  var said: String { String(decoding: line.said, as: UTF8.self) }

  /// The screen as a user sees it.
  var screen: Screen {
    var screen = Screen()
    screen.show(said)
    return screen
  }

  /// The output since the last call.
  mutating func takeSaid() -> String {
    defer { line.said.removeAll() }
    return said
  }

  mutating func type(_ text: String) { line.typed += Array(text.utf8) }

  /// Runs the session until it is idle; each request is answered with `ok` at once.
  /// - Returns: the requests.
  @discardableResult
  mutating func run() -> [ConsoleRequest] {
    var requests: [ConsoleRequest] = []
    while true {
      let before = (line.typed.count, line.said.count, requests.count)
      session.exchange(with: &line)
      while requests.last != .endOfInput, let request = session.nextRequest() {
        requests.append(request)
        if case .command = request { session.complete() }
      }
      // There are no candidates from elsewhere.
      if let question = session.takeCompletionQuestion() { session.complete(question, with: WordCompletion()) }
      session.exchange(with: &line)
      if before == (line.typed.count, line.said.count, requests.count) { return requests }
    }
  }

  /// The requests and output of a session without a terminal for a whole script.
  static func requests(of script: String) -> (requests: [ConsoleRequest], said: String) {
    var harness = ConsoleHarness(isTerminal: false)
    harness.type(script)
    harness.line.hasEnded = true
    let requests = harness.run()
    return (requests, harness.said)
  }
}
