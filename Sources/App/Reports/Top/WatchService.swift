import Base
import Console
import Machine

/// `watch`: the reply of another command, redrawn in place.
struct WatchService {
  private var screen = DividedScreen()
  private var line: FixedText<128> = ""
  private var periodNanoseconds: UInt64 = 0
  private var nextRun: Instant = 0
  private var nextFrame: Instant = 0

  mutating func run(
    _ line: FixedText<128>, seconds: UInt32, on size: TerminalSize, _ console: inout ConsoleSession, at now: Instant
  ) {
    guard console.canDrawCells(on: size) else {
      return console.refuse("watch needs a terminal of 80 x 24 that can move its cursor")
    }
    self.line = line
    periodNanoseconds = UInt64(seconds) * 1_000_000_000
    nextRun = now
    nextFrame = now + Limits.frameMilliseconds * 1_000_000
    console.clearCells()
    screen.divide(top: ConsoleSession.cellRowCount + 1, rows: Int(size.rows), "any key ends this", &console)
    console.pending = .watch
  }

  /// At each tick while the command is pending, and the one that is watched is not.
  mutating func step(_ console: inout ConsoleSession, at now: Instant) {
    if console.takeKey() { return end(&console) }
    if now >= nextFrame {
      nextFrame = now + Limits.frameMilliseconds * 1_000_000
      console.sendCells()
    }
    guard now >= nextRun else { return }
    nextRun = now + periodNanoseconds
    console.beginCapture(of: line)
  }

  /// At exit: restores the terminal.
  mutating func leave(_ console: inout ConsoleSession) {
    screen.undivide(&console)
    console.endDrawing()
  }

  private mutating func end(_ console: inout ConsoleSession) {
    leave(&console)
    console.complete()
  }
}
