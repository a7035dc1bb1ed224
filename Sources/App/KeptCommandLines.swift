import Base
import Console
import Machine
import Record

/// The file that keeps what was typed on the console over a restart.
struct KeptCommandLines {
  private let file: KeptText
  /// How many lines had been entered when the file was last written.
  private var writtenCount: Int
  private var nextWrite: Instant = 0

  /// Reads what is kept. A file that cannot be read costs the lines and no more.
  init(_ file: KeptText, of console: inout ConsoleSession, in storage: inout Storage) {
    self.file = file
    if let content = try? file.read(from: &storage) { console.restoreLines(content.bytes) }
    writtenCount = console.enteredLineCount
  }

  /// At each tick: has the worker write what is new, but not while a take is open: the card is the take's.
  mutating func step(_ console: borrowing ConsoleSession, isTakeOpen: Bool, at now: Instant) {
    guard console.enteredLineCount != writtenCount, !isTakeOpen, now >= nextWrite, !file.isBeingWritten else { return }
    file.write(console.enteredLines())
    writtenCount = console.enteredLineCount
    nextWrite = now + Limits.commandLinesSeconds * 1_000_000_000
  }
}
