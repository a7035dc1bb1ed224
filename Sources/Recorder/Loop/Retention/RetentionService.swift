import Console
import Library
import Port
import Retention
import Rings
import Text
import Values

/// The loop's side of retention: when old takes are to go, and what is said about it.
struct RetentionService: ~Copyable {
  let policy: RetentionPolicy
  private(set) var orders: QueueProducer<RetentionOrder>
  private(set) var reports: QueueConsumer<RetentionReport>
  let pace: RetentionPace
  private(set) var orderCount: UInt32 = 0
  /// The pass that no one asked for and that is under way.
  private var ownPass: UInt32?
  /// The day of the last pass for age, counted from 1970-01-01.
  private var purgedDay: Int64?
  private var nextCheck: Instant = 0
  /// When a line without a terminal tells next how far a comparison has come.
  private var nextProgressLine: Instant = 0
  /// The next pass for space.
  private var nextSpacePass: Instant = 0
  /// Whether it was said that the clock is not set, and that space is short; until either is over.
  private var hasToldClock = false
  private var hasToldSpace = false
  /// The takes of this boot that were recorded while the clock was not set.
  private(set) var undated = UndatedTakes()

  init(
    policy: RetentionPolicy, orders: consuming QueueProducer<RetentionOrder>,
    reports: consuming QueueConsumer<RetentionReport>, pace: RetentionPace
  ) {
    self.policy = policy
    self.orders = orders
    self.reports = reports
    self.pace = pace
  }

  /// At each exchange: tells what the worker has done, and orders a pass that is due.
  /// - Parameter freeByteCount: on the card, as last measured.
  mutating func step(
    _ clock: borrowing some Clock & ~Copyable, freeByteCount: UInt64, isRecording: Bool,
    _ console: inout ConsoleSession
  ) {
    pace.publish(isRecording: isRecording)
    let now = clock.now
    while let report = reports.peek() {
      if console.pending?.isRetention == true, !console.canReply { break }
      _ = reports.pop()
      serve(report, &console, at: now)
    }
    guard !policy.isOff, now >= nextCheck else { return }
    nextCheck = now + Limits.retentionCheckSeconds * 1_000_000_000
    orderWhatIsDue(clock, freeByteCount: freeByteCount, &console)
  }

  /// Runs a command.
  mutating func run(
    _ command: RetentionCommand, _ clock: borrowing some Clock & ~Copyable, _ console: inout ConsoleSession
  ) {
    switch command {
    case .mark(let path, let isProtected):
      ask(.mark(nextTicket(isDryRun: false), path: path, isProtected: isProtected), &console)
    case .verify(let path):
      nextProgressLine = clock.now + Limits.verificationLineSeconds * 1_000_000_000
      ask(.verify(nextTicket(isDryRun: false), path: path), &console)
    case .purge(let isDryRun):
      guard !policy.isOff else { return console.refuse("retention is off: set [retention] days or min_free_bytes") }
      guard clock.source != .unset else {
        return console.refuse("the clock is not set: nobody knows which takes are old")
      }
      ask(.purge(purge(.everything, nextTicket(isDryRun: isDryRun), clock)), &console)
    }
  }

  /// A take or a still was begun or completed: while the clock is not set, its folder says nothing about its age.
  mutating func note(_ word: LibraryQuestion, _ clock: borrowing some Clock & ~Copyable) {
    guard !policy.isOff, clock.source == .unset, let path = word.takePath, let take = TakeFilePath(path) else { return }
    undated.add(take.number)
  }

  private mutating func ask(_ order: RetentionOrder, _ console: inout ConsoleSession) {
    guard orders.push(order) else {
      return console.refuse("the card does not answer: try again in a moment")
    }
    console.pending = .retention(number: orderCount)
  }

  private mutating func nextTicket(isDryRun: Bool) -> RetentionTicket {
    orderCount &+= 1
    return RetentionTicket(number: orderCount, isDryRun: isDryRun)
  }

  private func purge(
    _ scope: Purge.Scope, _ ticket: RetentionTicket, _ clock: borrowing some Clock & ~Copyable
  ) -> Purge {
    Purge(
      ticket: ticket, scope: scope, today: CivilTime.dayNumber(unixSeconds: clock.unixSeconds), undated: undated)
  }

  private mutating func orderWhatIsDue(
    _ clock: borrowing some Clock & ~Copyable, freeByteCount: UInt64, _ console: inout ConsoleSession
  ) {
    guard ownPass == nil else { return }
    guard clock.source != .unset else {
      if !hasToldClock { console.announce("retention waits: the clock is not set") }
      hasToldClock = true
      return
    }
    hasToldClock = false
    let today = CivilTime.dayNumber(unixSeconds: clock.unixSeconds)
    if freeByteCount >= policy.leastFreeByteCount { hasToldSpace = false }
    if purgedDay != today {
      if begin(.everything, clock) { purgedDay = today }
    } else if freeByteCount < policy.leastFreeByteCount, clock.now >= nextSpacePass {
      _ = begin(.space, clock)
    }
  }

  private mutating func begin(_ scope: Purge.Scope, _ clock: borrowing some Clock & ~Copyable) -> Bool {
    guard orders.push(.purge(purge(scope, nextTicket(isDryRun: false), clock))) else { return false }
    ownPass = orderCount
    return true
  }

  private mutating func serve(_ report: RetentionReport, _ console: inout ConsoleSession, at now: Instant) {
    switch report {
    case .absent(let ticket, let root): tell("\(root.name)/ is not there: passed over", ticket, &console)
    case .day(let ticket, let day): tell(day.line(isDryRun: ticket.isDryRun), ticket, &console)
    case .stays(let ticket, let path, let reason): tell("\(path) stays: \(reason.text)", ticket, &console)
    case .failed(let ticket, let root, let failure):
      tell("nothing more goes in \(root.name)/ now: \(failure.line)", ticket, &console)
    case .purged(let ticket, let summary): end(ticket, summary, &console, at: now)
    case .marked(let ticket, let path, let isProtected):
      guard console.pending?.awaits(ticket) == true else { return }
      console.answer("\(path) is \(isProtected ? "protected" : "no longer protected" as StaticString)")
    case .verifying(let ticket, let progress):
      if console.pending?.awaits(ticket) == true { tell(progress, &console, at: now) }
    case .verified(let ticket, let path, let verdict):
      guard console.pending?.awaits(ticket) == true else { return }
      clearRow(&console)
      guard verdict.isWhole else { return console.refuse(verdict.line(path)) }
      console.reply(verdict.line(path))
      console.complete()
    case .refused(let ticket, let refusal):
      guard console.pending?.awaits(ticket) == true else { return }
      clearRow(&console)
      console.refuse(refusal.line)
    }
  }

  /// At each tick while a command is pending: ctrl-C stops waiting, and ends a comparison.
  func checkInterrupt(_ number: UInt32, _ console: inout ConsoleSession) {
    guard console.takeInterrupt() else { return }
    pace.breakOff(orderNumber: number)
    clearRow(&console)
    console.complete()
  }

  /// On a terminal in place, otherwise a line now and then.
  private mutating func tell(_ progress: VerificationProgress, _ console: inout ConsoleSession, at now: Instant) {
    if console.isTerminal {
      let row: FixedText<128> = "\r\u{1B}[K\(progress.text)"
      _ = console.draw(row.bytes)
      console.endDrawing()
    } else if now >= nextProgressLine {
      nextProgressLine = now + Limits.verificationLineSeconds * 1_000_000_000
      console.reply(progress.text)
    }
  }

  private func clearRow(_ console: inout ConsoleSession) {
    guard console.isTerminal else { return }
    console.draw("\r\u{1B}[K")
    console.endDrawing()
  }

  /// What a dry run finds is the reply to its command; what goes is an event.
  private func tell(_ line: FixedText<400>, _ ticket: RetentionTicket, _ console: inout ConsoleSession) {
    if ticket.isDryRun {
      if console.pending?.awaits(ticket) == true { console.reply(line) }
    } else {
      console.announce("retention: \(line)" as FixedText<420>)
    }
  }

  private mutating func end(
    _ ticket: RetentionTicket, _ summary: PurgeSummary, _ console: inout ConsoleSession, at now: Instant
  ) {
    if console.pending?.awaits(ticket) == true { console.answer(summary.line(isDryRun: ticket.isDryRun)) }
    guard ownPass == ticket.number else { return }
    ownPass = nil
    guard summary.isShortOfSpace else { return }
    nextSpacePass = now + Limits.retentionRetrySeconds * 1_000_000_000
    guard !hasToldSpace else { return }
    hasToldSpace = true
    console.announce("retention: less is free than [retention] min_free_bytes, and nothing more may go")
  }
}

extension LibraryQuestion {
  /// The take that it is about.
  fileprivate var takePath: FixedText<128>? {
    switch self {
    case .growing(let path): FixedText(path.bytes)
    case .complete(let path): FixedText(path.bytes)
    default: nil
    }
  }
}

extension PendingCommand {
  fileprivate var isRetention: Bool { if case .retention = self { true } else { false } }

  fileprivate func awaits(_ ticket: RetentionTicket) -> Bool {
    if case .retention(ticket.number) = self { true } else { false }
  }
}
