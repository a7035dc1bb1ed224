import Base
import Console
import Machine
import Record

/// The file that keeps the typed command lines across restarts.
struct KeptCommandLines: ~Copyable {
  private let place = StaysInPlace()
  private let file: KeptText
  /// How many lines had been entered when the file was last written.
  private var writtenCount: Int
  private var nextWrite: Instant = 0

  /// Reads the kept lines. If the file cannot be read, the lines are lost, nothing else, and the failure is reported.
  init(_ file: KeptText, of console: inout ConsoleSession, in storage: inout Storage) {
    self.file = file
    file.readOrSetAside(from: &storage) { text in
      console.restoreLines(text)
      return true
    }
    writtenCount = console.enteredLineCount
  }

  /// At each tick: has the worker write new lines, but not during a take, when the card belongs to the take.
  mutating func step(_ console: borrowing ConsoleSession, isTakeOpen: Bool, at now: Instant) {
    guard console.enteredLineCount != writtenCount, !isTakeOpen, now >= nextWrite, !file.isBeingWritten else { return }
    file.write(console.enteredLines())
    writtenCount = console.enteredLineCount
    nextWrite = now + Limits.commandLinesSeconds * 1_000_000_000
  }
}

/// The file that keeps the newest events for the next run, each with its date.
struct KeptEvents: ~Copyable {
  private let place = StaysInPlace()
  private let file: KeptLog
  /// The number of bytes at the beginning that come from earlier runs.
  private var beforeByteCount: Int
  /// How many events were added to the text.
  private var addedCount: UInt64 = 0
  private var isChanged = false
  private var nextWrite: Instant = 0

  /// Reads the kept events. If the file cannot be read, the events are lost, nothing else, and the failure is reported.
  init(_ file: KeptLog, in storage: inout Storage) {
    self.file = file
    file.readOrSetAside(from: &storage)
    FoldedRestarts.fold(file)
    beforeByteCount = file.text.count
  }

  /// At each tick: adds new events and has the worker write them, even during a take, which somebody may ask about.
  mutating func step(_ console: borrowing ConsoleSession, _ clock: borrowing ClockService, at now: Instant) {
    guard !file.isBeingWritten else { return }
    for _ in 0..<Limits.keptEventsPerTick where addedCount < console.eventCount {
      if let line = line(addedCount, console, clock) {
        beforeByteCount = max(beforeByteCount - file.append(line.bytes), 0)
        isChanged = true
      }
      addedCount += 1
    }
    guard isChanged, addedCount == console.eventCount, now >= nextWrite else { return }
    file.write()
    isChanged = false
    nextWrite = now + Limits.keptEventsSeconds * 1_000_000_000
  }

  private func line(
    _ number: UInt64, _ console: borrowing ConsoleSession, _ clock: borrowing ClockService
  ) -> FixedText<280>? {
    console.event(number).map { "\(clock.date(of: $0.instant)) \($0.line)\n" }
  }

  /// The part of the earlier runs' events that has not been printed yet.
  /// - Parameter rest: the number of bytes left to print; nil for all.
  @_lifetime(borrow self)
  fileprivate func before(rest: Int?) -> Span<UInt8> {
    let text = file.text.extracting(first: beforeByteCount)
    return text.extracting(last: min(rest ?? text.count, text.count))
  }
}

extension Services {
  /// Answers `events before`, as far as the console has space; the rest follows at a later tick.
  /// - Parameter rest: the number of bytes left to print; nil at first.
  mutating func tellEarlierEvents(rest: Int? = nil) {
    var byteCount = keptEvents.before(rest: rest).count
    if rest == nil, byteCount == 0 { console.reply("no events are kept from before the start") }
    let isBrokenOff = console.takeInterrupt()
    while byteCount > 0, !isBrokenOff {
      guard console.canReply else { return console.pending = .earlierEvents(rest: byteCount) }
      let text = keptEvents.before(rest: byteCount)
      var end = 0
      while end < text.count, text[end] != UInt8(ascii: "\n") { end += 1 }
      let line = text.extracting(first: end)
      let date = line.firstWord
      let event = FixedText<240>(line.extracting(droppingFirst: min(date.count + 1, line.count)))
      if !line.isEmpty { console.reply("at \(FixedText<32>(date)): \(event)" as FixedText<280>) }
      byteCount = max(text.count - end - 1, 0)
    }
    console.complete()
  }
}

extension Limits {
  /// The most events added in a tick: each has at most 280 bytes, a start has a dozen, and 64 can wait.
  static var keptEventsPerTick: Int { 16 }

  /// The shortest time between writes of the events: each write costs the card two flushes.
  static var keptEventsSeconds: UInt64 { 10 }

  /// The shortest time between writes of the command lines: each write costs the card two flushes. If lines are pasted
  /// and the program ends at once, the last of them are lost.
  static var commandLinesSeconds: UInt64 { 1 }
}
