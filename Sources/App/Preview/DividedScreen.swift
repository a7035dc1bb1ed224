import Base
import Console

/// A terminal whose upper part belongs to a drawing, while events scroll below it (DECSTBM).
struct DividedScreen {
  private(set) var isDivided = false

  /// Clears the screen, and prints a hint as the first line of the lower part.
  /// - Parameter top: the first row of the lower part, from 1.
  mutating func divide(top: Int, rows: Int, _ hint: StaticString, _ console: inout ConsoleSession) {
    isDivided = true
    let text: FixedText<128> = "\u{1B}[2J\u{1B}[\(top);\(rows)r\u{1B}[\(top);1H\(console.words(hint))\n"
    _ = console.draw(text.bytes)
    console.endDrawing()
  }

  /// Does nothing to one that is not divided.
  mutating func undivide(_ console: inout ConsoleSession) {
    guard isDivided else { return }
    isDivided = false
    console.draw("\u{1B}[r\u{1B}[999;1H")
  }
}
