import Base
import Kit
import Wire

/// A text of the sheet.
package enum SheetField: UInt8, Choice {
  case project
  case scene
  case tape

  /// The command that enters it.
  package var name: StaticString {
    switch self {
    case .project: "project"
    case .scene: "scene"
    case .tape: "tape"
    }
  }
}

/// What people enter about the takes that follow.
package enum SheetCommand: Equatable, Sendable {
  case show
  /// An empty text removes it.
  case set(SheetField, TakeSheet.Name)
  /// Names a track, counted from 1; an empty name removes it.
  case track(UInt8, TakeSheet.TrackName)
  /// Numbers the take that is being recorded, or the next one.
  case take(UInt32)
}

/// What people add to one take: the chosen one, or, for nil, the one that is being recorded, or else the last one.
package enum RemarkCommand: Equatable, Sendable {
  case judge(TakeVerdict, TakeChoice?)
  case note(TakeRemark)
}

/// The form of a sound report.
package enum ReportForm: UInt8, Choice {
  case csv
  case html

  package var name: StaticString { self == .csv ? "csv" : "html" }
}

extension CommandTable {
  static func visitSheet(_ visit: CommandVisitor) {
    visit(
      "scene", .record, "[TEXT]", "enter the takes' scene, or show the sheet",
      "It is in the takes from now on, also in one that is being recorded. A scene's takes are counted. At most 64 bytes; \"\" removes it.",
      Examples("scene 12A"), { arguments throws(CommandError) in try Command.parseSheet(&arguments, .scene) })
    visit(
      "take", .record, "[N]", "number a scene's takes, or show the sheet",
      "N, 1 to 99999, is the number of the take that is being recorded, or of the next one. Those after it follow.",
      Examples("take 3"), Command.parseSceneTake)
    visit(
      "project", .record, "[TEXT]", "enter the takes' project, or show the sheet",
      "It is in the takes from now on, also in one that is being recorded. At most 64 bytes; \"\" removes it.",
      Examples("project Herons"), { arguments throws(CommandError) in try Command.parseSheet(&arguments, .project) })
    visit(
      "tape", .record, "[TEXT]", "enter the takes' tape, or show the sheet",
      "A name for the card, the roll or the day. At most 64 bytes; \"\" removes it.",
      Examples("tape R7"), { arguments throws(CommandError) in try Command.parseSheet(&arguments, .tape) })
    visit(
      "track", .record, "N [TEXT]", "name a track of the takes",
      "N is a channel, 1 to 8. A name has at most 32 bytes; without TEXT it is removed.",
      Examples("track 1 boom"), Command.parseTrack)
    visit(
      "circle", .takes, "[no|false] [TAKE]", "circle a take, or call it false",
      "The one that is being recorded, or else the last one, or TAKE. no takes either back. What is said once a file is complete is kept beside it, and is in report.",
      Examples("circle", "circle false last"), Command.parseCircle)
    visit(
      "note", .takes, "TEXT", "write a note about a take",
      "About the one that is being recorded, or else the last one. At most 88 bytes; several are joined, \"\" removes them.",
      Examples("note plane at the end"), Command.parseNote)
  }

  static func visitReport(_ visit: CommandVisitor) {
    visit(
      "report", .takes, "csv|html [DAY]", "print a day's takes for the editor",
      "A sound report: file, scene, take, start, length, tracks, notes and losses. DAY is that of the folders, in UTC, such as 2026-11-21; without it, today.",
      Examples("report csv 2026-11-21", "report html"), Command.parseReport)
  }
}

extension Command {
  static func parseSheet(_ arguments: inout Arguments, _ field: SheetField) throws(CommandError) -> Command {
    guard let words = arguments.takeRest() else { return .sheet(.show) }
    return .sheet(.set(field, try removable(words, field.name)))
  }

  static func parseSceneTake(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .sheet(.show) }
    guard let number = word.parseInteger(as: UInt32.self), TakeSheet.takeNumbers.contains(number) else {
      throw wrong(word, "take", "1…99999 or nothing")
    }
    return .sheet(.take(number))
  }

  static func parseTrack(_ arguments: inout Arguments) throws(CommandError) -> Command {
    let word = arguments.next()
    guard let channel = word?.parseInteger(as: UInt8.self), (1...TakeSheet.trackCount).contains(channel) else {
      throw wrong(word, "track", "1…8")
    }
    guard let words = arguments.takeRest() else { return .sheet(.track(channel, "")) }
    return .sheet(.track(channel, try removable(words, "track")))
  }

  static func parseCircle(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let words = arguments.takeRest() else { return .remark(.judge(.circled, nil)) }
    let word = words.firstWord
    let verdict: TakeVerdict = word.equals("no") ? .neither : word.equals("false") ? .falseTake : .circled
    let rest = verdict == .circled ? words : words.extracting(droppingFirst: word.count).trimmed
    return .remark(.judge(verdict, rest.isEmpty ? nil : try take(rest, "circle")))
  }

  static func parseNote(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let words = arguments.takeRest() else { throw wrong(nil, "note", "a text") }
    return .remark(.note(try removable(words, "note")))
  }

  static func parseReport(_ arguments: inout Arguments) throws(CommandError) -> Command {
    let word = arguments.next()
    guard let word, let form = ReportForm(name: word) else { throw wrong(word, "report", "csv or html") }
    guard let day = arguments.next() else { return .report(form, day: nil) }
    guard let number = dayNumber(day) else { throw wrong(day, "report", "a day such as 2026-11-21") }
    return .report(form, day: number)
  }

  /// `2026-11-21`, or as the folders have it.
  private static func dayNumber(_ word: Span<UInt8>) -> Int64? {
    var digits = FixedText<16>()
    for index in word.indices {
      if word.count == 10, index == 4 || index == 7 {
        guard word[index] == UInt8(ascii: "-") else { return nil }
      } else {
        digits.append(byte: word[index])
      }
    }
    return CivilTime.dayNumber(ofDateText: digits.bytes)
  }

  /// A text between quotes or without them, which may be empty.
  static func removable<let capacity: Int>(
    _ words: Span<UInt8>, _ command: StaticString
  ) throws(CommandError) -> FixedText<capacity> {
    let bare = words.withoutQuotes()
    return bare.isEmpty ? "" : try entered(bare, command, "a text")
  }

  /// A text that a person enters to be kept: without control characters, and in UTF-8 whatever a terminal sends, so
  /// that it is read back as it was told. Characters that cannot be seen, such as U+200B in what was copied from a page,
  /// are no text by themselves.
  static func entered<let capacity: Int>(
    _ words: Span<UInt8>?, _ command: StaticString, _ meaning: StaticString
  ) throws(CommandError) -> FixedText<capacity> {
    let typed: FixedText<capacity> = try text(words, command, meaning)
    let text = typed.printable
    guard !text.isTruncated else { throw wrongText(command, meaning, longest: capacity) }
    guard text.bytes.isSeen else { throw unseenText(command, meaning) }
    return text
  }
}
