import Console
import Port
import Rings
import TestSupport
import Text

/// A session with its line, for tests that type and look.
struct ConsoleHarness: ~Copyable {
  var session: ConsoleSession
  var line: FakeLine

  init(isTerminal: Bool) {
    var memory = leakedBootMemory()
    session = ConsoleSession(isTerminal: isTerminal, in: &memory)!
    line = FakeLine(isTerminal: isTerminal)
  }

  /// What has been said, as text.
  var said: String { String(decoding: line.said, as: UTF8.self) }

  /// What a person sees.
  var screen: Screen {
    var screen = Screen()
    screen.show(said)
    return screen
  }

  /// What has been said since this was last asked.
  mutating func takeSaid() -> String {
    defer { line.said.removeAll() }
    return said
  }

  mutating func type(_ text: String) { line.typed += Array(text.utf8) }

  /// Lets the session work until nothing moves any more; what is asked for is answered with `ok` at once.
  /// - Returns: what was asked for.
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
      session.exchange(with: &line)
      if before == (line.typed.count, line.said.count, requests.count) { return requests }
    }
  }

  /// What a session without a terminal makes of a whole script.
  static func requests(of script: String) -> (requests: [ConsoleRequest], said: String) {
    var harness = ConsoleHarness(isTerminal: false)
    harness.type(script)
    harness.line.hasEnded = true
    let requests = harness.run()
    return (requests, harness.said)
  }
}
