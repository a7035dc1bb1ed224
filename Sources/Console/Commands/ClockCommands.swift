import Base

/// What `clock` does.
package enum ClockCommand: Equatable, Sendable {
  /// Prints the time, what set it, and how far it may be off.
  case show(StatusForm)
  /// Sets the clock to a local time, in seconds from 1970-01-01 00:00 counted as if it were UTC.
  case set(localSeconds: Int64)
  /// Draws the grid of syllables until a key is pressed, or acts as ``hangulLine`` if nobody can press one.
  case hangul
  /// Prints the time in Korean.
  case hangulLine
  /// Puts the grid on the display, or removes it.
  case hangulDisplay(isOn: Bool)
}

extension CommandTable {
  static func visitClock(_ visit: CommandVisitor) {
    visit(
      "clock", .kit, "[json|set TIME|hangul]", "show the time and its accuracy",
      """
      set 2026-11-22T12:30 sets the local time where no network does. hangul shows a clock of Korean syllables until \
      a key is pressed; hangul line prints the time in Korean; hangul on and off show and hide that clock on the \
      display.
      """,
      Examples("clock set 2026-11-22T12:30", "clock json"), Command.parseClock)
  }
}

extension Command {
  static func parseClock(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .clock(.show(.lines)) }
    if word.equals("json") { return .clock(.show(.json)) }
    if word.equals("hangul") { return try parseHangul(&arguments) }
    guard word.equals("set") else { throw wrong(word, "clock", "json, set TIME, hangul, or nothing") }
    let time = arguments.takeRest()
    guard let time, let localSeconds = time.localSeconds else {
      throw wrong(time, "clock set", "a local time such as 2026-11-22T12:30 or 2026-11-22T12:30:15")
    }
    return .clock(.set(localSeconds: localSeconds))
  }

  private static func parseHangul(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .clock(.hangul) }
    if word.equals("line") { return .clock(.hangulLine) }
    if word.equals("on") { return .clock(.hangulDisplay(isOn: true)) }
    guard word.equals("off") else { throw wrong(word, "clock hangul", "line, on, off or nothing") }
    return .clock(.hangulDisplay(isOn: false))
  }
}

extension Span where Element == UInt8 {
  /// `2026-11-22T12:30`, optionally followed by `:15`, with `T` or a space; nil for anything else.
  fileprivate var localSeconds: Int64? {
    guard count == 16 || count == 19 && self[16] == UInt8(ascii: ":"), self[4] == UInt8(ascii: "-"),
      self[7] == UInt8(ascii: "-"), self[10] == UInt8(ascii: "T") || self[10] == UInt8(ascii: " "),
      self[13] == UInt8(ascii: ":")
    else { return nil }
    var date = FixedText<8>(extracting(0..<4))
    date.append(bytes: extracting(5..<7))
    date.append(bytes: extracting(8..<10))
    guard let day = CivilTime.dayNumber(ofDateText: date.bytes), let hour = number(at: 11), hour < 24,
      let minute = number(at: 14), minute < 60, let second = count == 19 ? number(at: 17) : 0, second < 60
    else { return nil }
    return day * 86_400 + Int64(hour * 3600 + minute * 60 + second)
  }

  private func number(at start: Int) -> UInt32? { extracting(start..<start + 2).parseInteger(as: UInt32.self) }
}
