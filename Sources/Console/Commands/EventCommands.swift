import Base

/// The range of kept events that `events` shows.
package enum EventRange: Equatable, Sendable {
  case newest(count: Int)
  /// Events from an instant on: milliseconds after the start, or before now if negative.
  case since(milliseconds: Int64)
}

/// How `events` shows them.
package enum EventForm: UInt8, Choice {
  case lines
  case json
  /// As lines, followed by further events as they happen.
  case follow

  package var name: StaticString {
    switch self {
    case .lines: "lines"
    case .json: "json"
    case .follow: "follow"
    }
  }
}

extension CommandTable {
  static func visitEvents(_ visit: CommandVisitor) {
    visit(
      "events", .device, "[since S|before|follow]", "print the newest events again",
      """
      The newest 20, or N of the last 64, or those since S seconds after the start, since -S seconds before now; then \
      json, or follow: each as it happens, until a key is pressed. before: those kept from before the start, with \
      dates.
      """, Examples("events since -600", "events follow"), Command.parseEvents)
    visit(
      "log", .device, "[all|warnings|faults|off]", "choose which events are printed",
      "Those that are not printed are still kept: events shows them.",
      Examples("log warnings"), Command.parseLog)
  }
}

extension Command {
  private static let usualEventCount = 20
  /// Thirty years: no recorder runs longer, and it does not overflow.
  private static let longestSinceSeconds = 1e9

  static func parseEvents(_ arguments: inout Arguments) throws(CommandError) -> Command {
    var range = EventRange.newest(count: usualEventCount)
    guard let word = arguments.next() else { return .events(range, .lines) }
    if word.equals("before") { return .earlierEvents }
    if word.equals("since") {
      range = .since(milliseconds: try parseSince(arguments.next()))
    } else if let count = word.parseInteger(as: Int.self) {
      guard (1...ConsoleSession.eventCapacity).contains(count) else { throw wrong(word, "events", expectedEvents) }
      range = .newest(count: count)
    } else {
      return .events(range, try parseEventForm(word))
    }
    guard let form = arguments.next() else { return .events(range, .lines) }
    return .events(range, try parseEventForm(form))
  }

  static func parseLog(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .log(nil) }
    return .log(try chosen(by: word, "log", "a level"))
  }

  private static var expectedEvents: StaticString { "1…64, since S, before, json, follow or nothing" }

  private static func parseEventForm(_ word: Span<UInt8>) throws(CommandError) -> EventForm {
    guard let form = EventForm(name: word), form != .lines else { throw wrong(word, "events", expectedEvents) }
    return form
  }

  private static func parseSince(_ word: Span<UInt8>?) throws(CommandError) -> Int64 {
    guard let seconds = word?.parseDecimal(), abs(seconds) <= longestSinceSeconds else {
      throw wrong(word, "events", "since S, in seconds after the start, or -S before now")
    }
    return Int64((seconds * 1000).rounded())
  }
}
