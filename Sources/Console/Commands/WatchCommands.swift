import Base

extension CommandTable {
  static func visitWatching(_ visitor: inout some CommandVisitor) {
    visitor.command(
      "top", "", "show the recorder's state, redrawn in place",
      "State, take, levels, rates, rings, card, loop and faults, on a terminal of 80 x 24 until a key is pressed.",
      parse: { _ in .top })
    visitor.command(
      "watch", "COMMAND [S]", "repeat a listing, redrawn in place",
      "Runs status, list, events or another listing every S seconds, 1 to 3600 (2 if left out), until a key is pressed.",
      Examples("watch rings 1"), parse: Command.parseWatch)
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
    // Watching a watch is refused before it is parsed: lines within lines would need a stack.
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

  /// Whether it only tells something, at once and by whole lines.
  private var isListing: Bool {
    switch self {
    case .status, .why, .timing(.show), .audio(.show), .listing, .video(.show), .gain(.show), .events(_, .lines),
      .events(_, .json), .earlierEvents, .listeners, .config(.show), .version,
      .rotate(nil), .identity(.show):
      true
    case .clock(.show), .zoom(.show), .viewfinder(.show), .retention(.purge(isDryRun: true)), .retention(.list): true
    case .player(.show), .player(.showQueue), .library(.list), .library(.find), .library(.lyrics): true
    default: false
    }
  }
}
