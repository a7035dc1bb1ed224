import Base
import Kit

/// The board as a terminal shows it: greys on black, and the line below it.
struct HangulFrame: Equatable {
  /// Among the 24 greys of a terminal with 256 colours, from 0, for each place.
  private var greys = InlineArray<36, UInt8>(repeating: 0)
  private let line: FixedText<96>

  /// Above and below the board one is empty, and the last has the line and an empty one.
  static var rows: Int { HangulBoard.side + 4 }

  private static var firstGrey: Int { 232 }
  private static var greyCount: Int { 24 }

  init(_ brightness: HangulFace.Brightness, _ line: FixedText<96>) {
    for place in 0..<HangulBoard.count {
      greys[place] = UInt8((Int(brightness[place]) * (Self.greyCount - 1) + 127) / 255)
    }
    self.line = line
  }

  static func == (left: Self, right: Self) -> Bool {
    for place in 0..<HangulBoard.count where left.greys[place] != right.greys[place] { return false }
    return left.line == right.line
  }

  /// What draws a row of the screen; the first one saves the cursor.
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

  /// A syllable has two columns, and two come before it. The rows above and below are of the board as well.
  private func appendBoard(_ row: Int, to text: inout FixedText<256>) {
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
}
