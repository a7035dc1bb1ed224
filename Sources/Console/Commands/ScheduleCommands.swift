import Base

/// What `schedule` does.
package enum ScheduleCommand: Equatable, Sendable {
  /// Lists the rules, and tells what is recorded by them now and next.
  case show(StatusForm)
  /// Lists the next recordings.
  case next(count: UInt8, StatusForm)
  /// Tells how much will be recorded, and when the card is full.
  case forecast(StatusForm)
  /// Follows the rules, or does not.
  case follow(Bool)
}

/// The progress of `schedule next` and `schedule forecast`.
package enum ScheduleReply: BitwiseCopyable, Sendable {
  /// So many more recordings, from an instant in Unix seconds on.
  case next(from: Int64, rest: UInt8, StatusForm)
  case forecast(StatusForm)
}

extension CommandTable {
  static func visitSchedule(_ visit: CommandVisitor) {
    visit(
      "schedule", .record, "[json|next N|forecast]", "show what is recorded when",
      """
      The rules of [schedule], and what they record now and next. next lists 10 recordings, or N up to 100; forecast tells \
      hours and bytes a day, and when the card is full; off stops following the rules until on, or the next start.
      """,
      Examples("schedule next 20", "schedule forecast"), Command.parseSchedule)
  }
}

extension Command {
  static func parseSchedule(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .schedule(.show(.lines)) }
    if word.equals("json") { return .schedule(.show(.json)) }
    if word.equals("next") { return try parseNextRecordings(&arguments) }
    if word.equals("forecast") { return .schedule(.forecast(try form(&arguments, of: "schedule"))) }
    if word.equals("on") { return .schedule(.follow(true)) }
    guard word.equals("off") else { throw wrong(word, "schedule", "json, next, forecast, off, on or nothing") }
    return .schedule(.follow(false))
  }

  private static func parseNextRecordings(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .schedule(.next(count: 10, .lines)) }
    if word.equals("json") { return .schedule(.next(count: 10, .json)) }
    guard let count = word.parseInteger(as: UInt8.self), (1...100).contains(count) else {
      throw wrong(word, "schedule next", "1…100, json or nothing")
    }
    return .schedule(.next(count: count, try form(&arguments, of: "schedule")))
  }
}
