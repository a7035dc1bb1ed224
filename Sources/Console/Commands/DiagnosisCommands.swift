import Base

/// What `timing` does.
package enum TimingOrder: Equatable, Sendable {
  case show(StatusForm)
  /// Prints every count, for programs.
  case csv
  /// Restarts the counts.
  case reset
}

extension CommandTable {
  static func visitTiming(_ visit: CommandVisitor) {
    visit(
      "timing", .device, "[json|csv|reset]", "show how long things take",
      """
      Percentiles and bars of wake latency, work per tick, record button to first sample, encoding, writing and flushing, \
      since the start or timing reset.
      """,
      Examples("timing csv"), Command.parseTiming)
  }
}

extension Command {
  static func parseTiming(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .timing(.show(.lines)) }
    if word.equals("json") { return .timing(.show(.json)) }
    if word.equals("csv") { return .timing(.csv) }
    guard word.equals("reset") else { throw wrong(word, "timing", "json, csv, reset or nothing") }
    return .timing(.reset)
  }
}

/// Which devices to test, and how to report the results.
package struct SelfTest: Equatable, Sendable {
  package enum Scope: Sendable {
    /// Every device.
    case all
    /// The devices whose tests need neither sound nor writing.
    case quick
    /// Only the card.
    case card
  }

  /// The devices to test.
  package var scope: Scope
  package var form: StatusForm

  /// A test of these devices.
  package init(scope: Scope, form: StatusForm) {
    self.scope = scope
    self.form = form
  }
}

extension CommandTable {
  static func visitSelfTests(_ visit: CommandVisitor) {
    visit(
      "selftest", .device, "[quick|card] [json]", "test every device, and show what is wrong",
      """
      Takes half a minute: the microphone hears the speaker chirp, and the card is written to as by a take. quick \
      skips both; card tests only the card. A press of record or ctrl-C cancels it.
      """,
      Examples("selftest card"), Command.parseSelfTest)
  }
}

extension Command {
  static func parseSelfTest(_ arguments: inout Arguments) throws(CommandError) -> Command {
    var test = SelfTest(scope: .all, form: .lines)
    guard var word = arguments.next() else { return .selfTest(test) }
    if word.equals("quick") { test.scope = .quick }
    if word.equals("card") { test.scope = .card }
    if test.scope != .all {
      guard let next = arguments.next() else { return .selfTest(test) }
      word = next
    }
    guard word.equals("json") else {
      throw wrong(word, "selftest", test.scope == .all ? "quick, card, json or nothing" : "json or nothing")
    }
    test.form = .json
    return .selfTest(test)
  }
}

extension CommandTable {
  static func visitWatching(_ visit: CommandVisitor) {
    visit(
      "top", .device, "", "show the recorder's state, redrawn in place",
      "State, take, levels, rates, rings, card, loop and faults, on a terminal of 80 x 24 until a key is pressed.",
      Examples(), { _ in .top })
    visit(
      "watch", .device, "COMMAND [S]", "repeat a listing, redrawn in place",
      "Runs status, list, events or another listing every S seconds, 1 to 3600 (2 if left out), until a key is pressed.",
      Examples("watch rings 1"), Command.parseWatch)
  }
}

extension Command {
  private static let usualWatchSeconds: UInt32 = 2

  static func parseWatch(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let words = arguments.takeRest() else { throw wrong(nil, "watch", "a listing command") }
    var line: FixedText<128> = try text(words, "watch", "a command")
    var seconds = usualWatchSeconds
    if let space = lastSpace(of: words),
      let number = words.extracting(droppingFirst: space + 1).parseInteger(as: UInt32.self)
    {
      guard (1...3600).contains(number) else {
        throw wrong(words.extracting(droppingFirst: space + 1), "watch", "1…3600 seconds at the end")
      }
      seconds = number
      line = FixedText(words.extracting(first: space))
    }
    // Watching `watch` is refused before it is parsed: nested lines would need a stack.
    guard line.bytes.removingPrefix("watch") == nil,
      try CommandParser.parse(FixedText(line.bytes))?.isListing == true
    else {
      throw wrong(line.bytes, "watch", "a listing command")
    }
    return .watch(line, seconds: seconds)
  }

  private static func lastSpace(of words: Span<UInt8>) -> Int? {
    var index = words.count - 1
    while index > 0 {
      if words[index] == UInt8(ascii: " ") { return index }
      index -= 1
    }
    return nil
  }

  /// Whether the command only prints information, at once and in whole lines.
  var isListing: Bool {
    switch self {
    case .status, .why, .timing(.show), .audio(.show), .listing, .video(.show), .gain(.show), .events(_, .lines),
      .events(_, .json), .earlierEvents, .listeners, .config(.show), .version,
      .rotate(nil), .identity(.show), .update(.show):
      true
    case .clock(.show), .schedule(.show), .schedule(.next), .schedule(.forecast), .sleep(.show), .zoom(.show),
      .viewfinder(.show),
      .retention(.purge(isDryRun: true)),
      .retention(.list):
      true
    case .player(.show), .player(.showQueue), .library(.list), .library(.find), .library(.lyrics): true
    default: false
    }
  }
}
