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

  /// Reads what is kept. A file that cannot be read costs the lines and no more, and is told.
  init(_ file: KeptText, of console: inout ConsoleSession, in storage: inout Storage) {
    self.file = file
    console.restoreLines(file.readOrSetAside(from: &storage).bytes)
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

/// The file that keeps the newest events for the next run, each with its date.
struct KeptEvents {
  private let file: KeptText
  /// Those of the runs before this one, each in a line.
  let before: KeptText.Content
  /// How many events had been reported when the file was last written.
  private var writtenCount: UInt64 = 0
  private var nextWrite: Instant = 0

  /// Reads what is kept. A file that cannot be read costs the events and no more, and is told.
  init(_ file: KeptText, in storage: inout Storage) {
    self.file = file
    before = file.readOrSetAside(from: &storage)
  }

  /// At each tick: has the worker write what is new, also while a take is open: that is when somebody will ask what
  /// happened.
  mutating func step(_ console: borrowing ConsoleSession, _ clock: borrowing ClockService, at now: Instant) {
    guard console.eventCount != writtenCount, now >= nextWrite, !file.isBeingWritten else { return }
    file.write(content(console, clock))
    writtenCount = console.eventCount
    nextWrite = now + Limits.keptEventsSeconds * 1_000_000_000
  }

  /// The newest events of this run that fit, and before them as many of the earlier ones as still do.
  private func content(_ console: borrowing ConsoleSession, _ clock: borrowing ClockService) -> KeptText.Content {
    var first = console.eventCount
    var byteCount = 0
    while first > 0, let line = line(first - 1, console, clock), byteCount + line.byteCount <= KeptText.Content.capacity
    {
      byteCount += line.byteCount
      first -= 1
    }
    var content = before.newestLines(atMost: KeptText.Content.capacity - byteCount)
    for number in first..<console.eventCount {
      if let line = line(number, console, clock) { content.append(line) }
    }
    return content
  }

  private func line(
    _ number: UInt64, _ console: borrowing ConsoleSession, _ clock: borrowing ClockService
  ) -> FixedText<280>? {
    console.event(number).map { "\(clock.date(of: $0.instant)) \($0.line)\n" }
  }
}

extension KeptText.Content {
  /// The whole lines at the end that are no longer than a number of bytes together.
  fileprivate func newestLines(atMost byteCount: Int) -> KeptText.Content {
    var start = max(self.byteCount - byteCount, 0)
    while start > 0, start < self.byteCount, bytes[start - 1] != UInt8(ascii: "\n") { start += 1 }
    return KeptText.Content(bytes.extracting(droppingFirst: start))
  }
}

extension Services {
  /// Answers `events before`.
  mutating func tellEarlierEvents() {
    let text = keptEvents.before
    var isAnyKept = false
    text.bytes.forEachLine { line in
      let date = line.firstWord
      let event = FixedText<240>(line.extracting(droppingFirst: min(date.count + 1, line.count)))
      console.reply("at \(FixedText<32>(date)): \(event)" as FixedText<280>)
      isAnyKept = true
    }
    if !isAnyKept { console.reply("no events are kept from before the start") }
    console.complete()
  }
}

extension Limits {
  /// Events are written so often at most: each time costs the card two flushes.
  static var keptEventsSeconds: UInt64 { 10 }

  /// What is typed on the console is written so often at most: each time costs the card two flushes. Of what is
  /// pasted, the last lines are lost when the program ends at once.
  static var commandLinesSeconds: UInt64 { 1 }
}
