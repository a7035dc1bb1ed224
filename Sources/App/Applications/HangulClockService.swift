import Base
import Configuration
import Console
import Kit
import Machine
import Wire

/// `clock hangul`: the grid of syllables on a terminal, and the line in Korean.
struct HangulClockService: Application, ~Copyable {
  private var face: HangulFace
  private var hours: HourCount
  private var saysMeridiem: Bool
  private let localTime: LocalTime
  private var screen = DividedScreen()
  /// Whether the grid is on the display.
  private var hasDisplay = false
  /// The grid as drawn on the terminal; nil before the first drawing.
  private var drawn: HangulFrame?

  init(settings: ClockSettings, localTime: LocalTime) {
    face = Self.face(settings)
    hours = settings.hours
    saysMeridiem = settings.hasMeridiem
    self.localTime = localTime
  }

  /// Applies new settings.
  mutating func follow(_ settings: ClockSettings) {
    face = Self.face(settings)
    hours = settings.hours
    saysMeridiem = settings.hasMeridiem
  }

  private static func face(_ settings: ClockSettings) -> HangulFace {
    let lit = Double(settings.brightnessPercent) / 100
    // The grid counts to twelve: with 24 hours only 오전 and 오후 tell the halves of the day apart.
    return HangulFace(
      hasMeridiem: settings.hasMeridiem || settings.hours == .twentyFour, lit: lit,
      unlit: lit * Double(settings.unlitPercent) / 100,
      changeNanoseconds: UInt64(settings.animationMilliseconds) * 1_000_000, easing: settings.animationEasing)
  }

  mutating func run(_ command: ClockCommand, _ surroundings: ApplicationSurroundings, _ console: inout ConsoleSession) {
    switch command {
    case .hangul: run(rows: surroundings.terminalRows, unixSeconds: surroundings.unixSeconds, &console)
    case .hangulLine: tellLine(unixSeconds: surroundings.unixSeconds, &console)
    case .hangulDisplay(let isOn):
      hasDisplay = isOn
      console.complete()
    case .show, .set: break
    }
  }

  func screen(_ surroundings: ApplicationSurroundings, _ console: borrowing ConsoleSession) -> ViewApplication? {
    guard hasDisplay else { return nil }
    return .hangulClock(HangulBoardLevels(brightness(unixNanoseconds: surroundings.unixNanoseconds)))
  }

  /// Answers with the line if nobody can press a key, or the grid does not fit.
  private mutating func run(rows: Int, unixSeconds: Int64, _ console: inout ConsoleSession) {
    guard console.isTerminal, !console.looks.isDumb, rows >= Limits.rowsForHangul else {
      return tellLine(unixSeconds: unixSeconds, &console)
    }
    screen.divide(top: HangulFrame.rows + 1, rows: rows, "any key ends the clock", &console)
    console.pending = .hangul(due: console.now)
  }

  /// Answers with the line.
  private func tellLine(unixSeconds: Int64, _ console: inout ConsoleSession) {
    let time = localTime.civilTime(unixSeconds: unixSeconds)
    console.reply(line(minuteOfDay: time.minuteOfDay))
    console.complete()
  }

  /// At each tick while the command is pending.
  mutating func step(due: Instant, unixNanoseconds: Int64, _ console: inout ConsoleSession, at now: Instant) {
    if console.takeKey() { return end(&console) }
    guard now >= due else { return }
    console.pending = .hangul(due: now + Limits.hangulMilliseconds * 1_000_000)
    // Draw nothing while the line has not taken the last grid.
    guard console.hasSentDrawing else { return }
    let frame = frame(unixNanoseconds, hasColour: !console.looks.isOneColoured && !console.looks.refusesColour)
    guard frame != drawn else { return }
    drawn = frame
    for row in 0..<HangulFrame.rows { _ = console.draw(frame.text(ofRow: row).bytes) }
    console.draw("\u{1B}8")
    console.endDrawing()
  }

  /// At exit: restores the terminal.
  mutating func leave(_ console: inout ConsoleSession) {
    guard case .hangul = console.pending else { return }
    screen.undivide(&console)
  }

  private mutating func end(_ console: inout ConsoleSession) {
    drawn = nil
    screen.undivide(&console)
    console.complete()
  }

  private func frame(_ unixNanoseconds: Int64, hasColour: Bool) -> HangulFrame {
    let time = localTime.civilTime(unixSeconds: unixNanoseconds / 1_000_000_000)
    return HangulFrame(
      brightness(unixNanoseconds: unixNanoseconds), hasColour: hasColour,
      "\(line(minuteOfDay: time.minuteOfDay))   \(time.isoTime)")
  }

  /// The brightness of each cell of the grid, in reading order.
  private func brightness(unixNanoseconds: Int64) -> HangulFace.Brightness {
    let (unixSeconds, nanoseconds) = unixNanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let time = localTime.civilTime(unixSeconds: unixSeconds)
    let before = localTime.civilTime(unixSeconds: unixSeconds - Int64(time.second) - 1)
    return face.brightness(
      minuteOfDay: time.minuteOfDay, before: before.minuteOfDay,
      sinceItBegan: UInt64(time.second) * 1_000_000_000 + UInt64(nanoseconds))
  }

  private func line(minuteOfDay: Int) -> FixedText<64> {
    switch hours {
    case .twelve: HangulTime.line(minuteOfDay: minuteOfDay, hasMeridiem: saysMeridiem)
    case .twentyFour: HangulTime.line24(minuteOfDay: minuteOfDay)
    }
  }
}

extension CivilTime {
  fileprivate var minuteOfDay: Int { Int(hour) * 60 + Int(minute) }
}

/// The grid as a terminal shows it: greys on black, and the line below it. Without colours only lit cells are shown.
struct HangulFrame: Equatable {
  /// The grey of each cell, from 0, among the 24 greys of a terminal with 256 colours.
  private var greys = InlineArray<36, UInt8>(repeating: 0)
  private var brightest: UInt8
  private let line: FixedText<96>
  private let hasColour: Bool

  /// One empty row above and one below the grid, then the line and another empty row.
  static var rows: Int { HangulBoard.side + 4 }

  private static var firstGrey: Int { 232 }
  private static var greyCount: Int { 24 }

  init(_ brightness: HangulFace.Brightness, hasColour: Bool, _ line: FixedText<96>) {
    self.hasColour = hasColour
    brightest = 0
    for place in 0..<HangulBoard.count {
      greys[place] = UInt8((Int(brightness[place]) * (Self.greyCount - 1) + 127) / 255)
      brightest = max(brightest, greys[place])
    }
    self.line = line
  }

  static func == (left: Self, right: Self) -> Bool {
    for place in 0..<HangulBoard.count where left.greys[place] != right.greys[place] { return false }
    return left.line == right.line
  }

  /// The text that draws a row of the screen; the first one saves the cursor.
  /// - Parameter row: 0..<``rows``.
  func text(ofRow row: Int) -> FixedText<256> {
    var text: FixedText<256> = row == 0 ? "\u{1B}7" : ""
    text.append("\u{1B}[\(row + 1);1H\u{1B}[K" as FixedText<24>)
    switch row {
    case 0...HangulBoard.side + 1: appendBoard(row - 1, to: &text)
    case HangulBoard.side + 2: text.append(line)
    default: break
    }
    return text
  }

  /// Appends a row of the grid, including the empty rows: two columns of space before the two of each syllable.
  private func appendBoard(_ row: Int, to text: inout FixedText<256>) {
    guard hasColour else { return appendPlainBoard(row, to: &text) }
    text.append("\u{1B}[48;5;16m")
    for column in 0..<HangulBoard.side {
      let place = row * HangulBoard.side + column
      guard (0..<HangulBoard.side).contains(row) else {
        text.append("    ")
        continue
      }
      text.append("  \u{1B}[38;5;\(Self.firstGrey + Int(greys[place]))m" as FixedText<24>)
      text.append(HangulBoard.syllable(at: place))
      if place == HangulBoard.dot { text.append(" ") }
    }
    text.append("  \u{1B}[0m")
  }

  private func appendPlainBoard(_ row: Int, to text: inout FixedText<256>) {
    guard (0..<HangulBoard.side).contains(row) else { return }
    for column in 0..<HangulBoard.side {
      let place = row * HangulBoard.side + column
      text.append("  ")
      guard 2 * greys[place] > brightest else {
        text.append(" .")
        continue
      }
      text.append(HangulBoard.syllable(at: place))
      if place == HangulBoard.dot { text.append(" ") }
    }
  }
}

extension Limits {
  /// The interval between updates of the Hangul clock: 20 pictures a second look smooth.
  static var hangulMilliseconds: UInt64 { 50 }

  /// The grid, and five rows below it for events.
  static var rowsForHangul: Int { 15 }
}
