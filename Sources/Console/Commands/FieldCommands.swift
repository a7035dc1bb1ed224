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

/// What `sleep` does.
package enum SleepCommand: Equatable, Sendable {
  /// Tells whether the machine sleeps, until when, and what keeps it awake.
  case show(StatusForm)
  /// Does not wait for quiet.
  case now
}

extension CommandTable {
  static func visitSleep(_ visit: CommandVisitor) {
    visit(
      "sleep", .device, "[json|now]", "show when the machine sleeps",
      """
      What [schedule] sleep does between the windows, until when, and what keeps it awake. now does not wait until nobody \
      has done anything for a while. A button or a key wakes it.
      """,
      Examples("sleep now"), Command.parseSleep)
  }
}

extension Command {
  static func parseSleep(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .sleep(.show(.lines)) }
    if word.equals("json") { return .sleep(.show(.json)) }
    guard word.equals("now") else { throw wrong(word, "sleep", "json, now or nothing") }
    return .sleep(.now)
  }
}

/// What `trigger` does.
package enum TriggerCommand: Equatable, Sendable {
  /// Tells what is set, the present levels, and what fired last.
  case show(StatusForm)
  /// Shows the levels and what would happen, until a key is pressed.
  case watch
  /// Measures the noise for so many seconds, and proposes thresholds.
  case learn(seconds: UInt16)
}

/// The progress of `trigger`.
package enum TriggerTask: BitwiseCopyable, Sendable {
  /// Until the present levels are known.
  case showing(StatusForm, since: Instant)
  case watching(until: Instant)
  case learning(from: Instant, until: Instant)
}

extension CommandTable {
  static func visitTrigger(_ visit: CommandVisitor) {
    visit(
      "trigger", .record, "[json|watch|learn S]", "show takes that begin by sound or motion",
      """
      The settings of [trigger], the present levels, and what began a take last. watch shows the levels and what they \
      would do until a key is pressed, and records nothing; learn measures what is usual for 60 seconds, or S from 5 to \
      3600, and proposes thresholds.
      """,
      Examples("trigger watch", "trigger learn 60"), Command.parseTrigger)
  }
}

extension Command {
  static func parseTrigger(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .trigger(.show(.lines)) }
    if word.equals("json") { return .trigger(.show(.json)) }
    if word.equals("watch") { return .trigger(.watch) }
    guard word.equals("learn") else { throw wrong(word, "trigger", "json, watch, learn or nothing") }
    guard let word = arguments.next() else { return .trigger(.learn(seconds: 60)) }
    guard let seconds = word.parseInteger(as: UInt16.self), (5...3600).contains(seconds) else {
      throw wrong(word, "trigger learn", "5…3600 (seconds) or nothing")
    }
    return .trigger(.learn(seconds: seconds))
  }
}

/// What `timecode` does.
package enum TimecodeCommand: Equatable, Sendable {
  /// Tells the present timecode, and where it is from.
  case show(StatusForm)
  /// Lets it run on when its signal goes.
  case jam
  /// Forgets it.
  case off
  /// Sends it on the speaker, or no longer.
  case send(Bool)
}

extension CommandTable {
  static func visitTimecode(_ visit: CommandVisitor) {
    visit(
      "timecode", .record, "[json|jam|off|send]", "show the timecode that an input brings",
      """
      [timecode] input names the channel that brings it. jam lets it run on, as fast as it was, when its signal goes, and \
      takes over another one; off ends that. send puts it, or else the time of day, on the speaker while no file plays; \
      silent ends that.
      """,
      Examples("timecode jam", "timecode send"), Command.parseTimecode)
  }
}

extension Command {
  static func parseTimecode(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .timecode(.show(.lines)) }
    if word.equals("json") { return .timecode(.show(.json)) }
    if word.equals("jam") { return .timecode(.jam) }
    if word.equals("off") { return .timecode(.off) }
    if word.equals("send") { return .timecode(.send(true)) }
    guard word.equals("silent") else { throw wrong(word, "timecode", "json, jam, off, send, silent or nothing") }
    return .timecode(.send(false))
  }
}

package typealias DeploymentName = FixedText<32>

/// What `deploy` does.
package enum DeployCommand: Equatable, Sendable {
  /// Tells what the deployment has recorded so far.
  case show(StatusForm)
  case begin(DeploymentName, note: FixedText<96>)
  case end
  /// Lists the days, or draws them as a page of HTML.
  case report(isPage: Bool)
  /// Tells what would spoil a deployment of so many days.
  case check(days: UInt16, StatusForm)
}

/// The progress of `deploy report` and `deploy check`.
package enum DeployTask: BitwiseCopyable, Sendable {
  /// From an offset in the rows on.
  case report(from: Int)
  /// The plot with this number, from this day on, whose row is at an offset.
  case plot(UInt8, day: Int, from: Int)
  /// So many days are calculated, in which the rules want so many seconds.
  case check(done: UInt16, of: UInt16, seconds: Int64, StatusForm)
}

extension CommandTable {
  static func visitDeploy(_ visit: CommandVisitor) {
    visit(
      "deploy", .record, "[json|NAME|report|check]", "leave the recorder alone",
      """
      NAME begins a deployment, with a note after it, and end ends it; without a word, what it has recorded and missed \
      so far; report lists the days, and report html draws them as a page; check tells what would spoil the next \
      42 days, or N up to 400.
      """,
      Examples("deploy check 30", "deploy NorthRidge under the oak"), Command.parseDeploy)
  }
}

extension Command {
  static func parseDeploy(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.nextQuoted() else { return .deploy(.show(.lines)) }
    if word.equals("json") { return .deploy(.show(.json)) }
    if word.equals("end") { return .deploy(.end) }
    if word.equals("report") {
      guard let form = arguments.next() else { return .deploy(.report(isPage: false)) }
      guard form.equals("html") else { throw wrong(form, "deploy report", "html or nothing") }
      return .deploy(.report(isPage: true))
    }
    if word.equals("check") { return try parseCheck(&arguments) }
    let name: DeploymentName = try entered(word.withoutQuotes(), "deploy", "a name")
    guard let words = arguments.takeRest() else { return .deploy(.begin(name, note: "")) }
    return .deploy(.begin(name, note: try entered(words.withoutQuotes(), "deploy", "a note")))
  }

  private static func parseCheck(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .deploy(.check(days: 42, .lines)) }
    if word.equals("json") { return .deploy(.check(days: 42, .json)) }
    guard let days = word.parseInteger(as: UInt16.self), (1...400).contains(days) else {
      throw wrong(word, "deploy check", "1…400 (days), json or nothing")
    }
    return .deploy(.check(days: days, try form(&arguments, of: "deploy")))
  }
}
