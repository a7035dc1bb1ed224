import Base
import Catalog
import Configuration
import Console
import Machine
import Wire

/// The loop's side of retention: when old takes are to go, and what is said about it.
struct RetentionService: ~Copyable {
  var policy: RetentionSettings {
    // What has become too old by another rule goes now.
    didSet { if policy != oldValue { purgedDay = nil } }
  }
  private(set) var orders: QueueProducer<KeeperOrder>
  private(set) var reports: QueueConsumer<KeeperReport>
  let pace: KeeperPace
  private let localTime: LocalTime
  /// How the list under way is printed.
  private var form = StatusForm.lines
  private var hasLines = false
  /// What `delete` has asked about: how it was named, which take that is, and until when another `delete` deletes it.
  private var deletion: (choice: TakeChoice, path: FixedText<128>, end: Instant)?
  private(set) var orderCount: UInt32 = 0
  /// The pass that no one asked for and that is under way.
  private var ownPass: UInt32?
  /// What is to be completed; nil when nothing is.
  private var completion: CompletionQuestion?
  private var completionNumber: UInt32 = 0
  /// The space used by takes, as requested last; nil until it is answered.
  private(set) var shares: TakeShares?
  private var measurement: UInt32?
  /// The day of the last pass for age, counted from 1970-01-01.
  private var purgedDay: Int64?
  private var nextCheck: Instant = 0
  /// When a line without a terminal tells next how far a comparison has come.
  private var nextProgressLine: Instant = 0
  /// The next pass for space.
  private var nextSpacePass: Instant = 0
  /// Whether it was said that the clock is not set, and that space is short; until either is over.
  private var hasReportedClock = false
  private var hasReportedSpace = false
  /// The takes of this boot that were recorded while the clock was not set.
  private(set) var undated = UndatedTakes()

  init(
    policy: RetentionSettings, orders: consuming QueueProducer<KeeperOrder>,
    reports: consuming QueueConsumer<KeeperReport>, pace: KeeperPace,
    localTime: LocalTime = .offset(seconds: 0)
  ) {
    self.policy = policy
    self.orders = orders
    self.reports = reports
    self.pace = pace
    self.localTime = localTime
  }

  /// At each exchange: tells what the worker has done, and orders a pass that is due.
  /// - Parameter freeByteCount: on the card, as last measured.
  mutating func step(
    _ clock: borrowing some ClockDriver & ~Copyable, freeByteCount: UInt64, isRecording: Bool,
    _ console: inout ConsoleSession
  ) {
    pace.publish(isRecording: isRecording)
    let now = clock.now
    while let report = reports.peek() {
      if console.pending?.isRetention == true, !console.canReply { break }
      _ = reports.pop()
      serve(report, &console, at: now)
    }
    guard now >= nextCheck else { return }
    nextCheck = now + Limits.retentionCheckSeconds * 1_000_000_000
    if !policy.isOff { orderWhatIsDue(clock, freeByteCount: freeByteCount, &console) }
    if ownPass == nil, freeByteCount < policy.leastFreeBesideBin { _ = begin(.spaceInBin, clock) }
  }

  /// Runs a command.
  /// - Parameter openPath: of the file that is open in the player.
  mutating func run(
    _ command: RetentionCommand, openPath: FixedText<256>?, _ clock: borrowing some ClockDriver & ~Copyable,
    _ console: inout ConsoleSession
  ) {
    nextProgressLine = clock.now + Limits.verificationLineSeconds * 1_000_000_000
    switch command {
    case .take(let choice, let action):
      var choice = choice
      var isAsking = false
      if action == .delete {
        if let path = asked(choice, console) {
          // The last take may be another one by now.
          choice = .path(path)
        } else {
          isAsking = true
          deletion = (choice, "", clock.now)
        }
      }
      var openName = FixedText<48>()
      if let openPath { openName = FixedText(openPath.lastPart) }
      ask(.take(nextTicket(isDryRun: isAsking), choice, action, openName: openName), &console)
    case .list(let count, let isInBin, let form):
      self.form = form
      hasLines = false
      ask(.list(nextTicket(isDryRun: false), count: count, isInBin: isInBin), &console)
    case .verifyAll: ask(.verifyAll(nextTicket(isDryRun: false)), &console)
    case .emptyBin: ask(.purge(purge(.bin, nextTicket(isDryRun: false), clock)), &console)
    case .purge(let isDryRun):
      guard !policy.isOff else { return console.refuse("retention is off: set [retention] days or min_free_bytes") }
      guard clock.source != .unset else {
        return console.refuse("the clock is not set: the age of takes is unknown")
      }
      ask(.purge(purge(.everything, nextTicket(isDryRun: isDryRun), clock)), &console)
    }
  }

  /// A take or a still was begun or completed: while the clock is not set, its folder says nothing about its age.
  mutating func note(_ word: LibraryQuestion, _ clock: borrowing some ClockDriver & ~Copyable) {
    guard !policy.isOff, clock.source == .unset, let path = word.takePath, let take = TakeFilePath(path) else { return }
    undated.add(take.number)
  }

  /// Asks to what the beginning of a take's name can be completed.
  mutating func complete(_ question: CompletionQuestion) {
    let ticket = nextTicket(isDryRun: false)
    guard orders.push(.complete(ticket, question.typed, isInBin: question.wanted == .deletedTake)) else { return }
    completion = question
    completionNumber = ticket.number
  }

  /// Requests the space used by takes: ``shares`` has it, soon or never. One count at a time, however slow the card is.
  mutating func measure() {
    shares = nil
    guard measurement == nil else { return }
    let ticket = nextTicket(isDryRun: false)
    if orders.push(.measure(ticket)) { measurement = ticket.number }
  }

  /// Whether the count is not there yet.
  var isMeasuring: Bool { measurement != nil }

  /// The take that `delete` has asked about when it was named like this before, not long ago.
  private func asked(_ choice: TakeChoice, _ console: borrowing ConsoleSession) -> FixedText<128>? {
    guard let deletion, deletion.choice == choice, console.isOpen(questionUntil: deletion.end) else { return nil }
    return deletion.path
  }

  private mutating func ask(_ order: KeeperOrder, _ console: inout ConsoleSession) {
    guard orders.push(order) else {
      return console.refuse("the card does not answer: try again in a moment")
    }
    var isAll = false
    if case .verifyAll = order { isAll = true }
    console.pending = .retention(number: orderCount, isAll ? .all : .one)
  }

  private mutating func nextTicket(isDryRun: Bool) -> KeeperTicket {
    orderCount &+= 1
    return KeeperTicket(number: orderCount, isDryRun: isDryRun)
  }

  private func purge(
    _ scope: Purge.Scope, _ ticket: KeeperTicket, _ clock: borrowing some ClockDriver & ~Copyable
  ) -> Purge {
    Purge(
      ticket: ticket, scope: scope, policy: policy, today: CivilTime.dayNumber(unixSeconds: clock.unixSeconds),
      undated: undated)
  }

  private mutating func orderWhatIsDue(
    _ clock: borrowing some ClockDriver & ~Copyable, freeByteCount: UInt64, _ console: inout ConsoleSession
  ) {
    guard ownPass == nil else { return }
    guard clock.source != .unset else {
      if !hasReportedClock { console.announce("retention waits: the clock is not set", as: .warning) }
      hasReportedClock = true
      return
    }
    hasReportedClock = false
    let today = CivilTime.dayNumber(unixSeconds: clock.unixSeconds)
    if freeByteCount >= policy.leastFreeByteCount { hasReportedSpace = false }
    if purgedDay != today {
      if begin(.everything, clock) { purgedDay = today }
    } else if freeByteCount < policy.leastFreeByteCount, clock.now >= nextSpacePass {
      _ = begin(.space, clock)
    }
  }

  private mutating func begin(_ scope: Purge.Scope, _ clock: borrowing some ClockDriver & ~Copyable) -> Bool {
    guard orders.push(.purge(purge(scope, nextTicket(isDryRun: false), clock))) else { return false }
    ownPass = orderCount
    return true
  }

  private mutating func serve(_ report: KeeperReport, _ console: inout ConsoleSession, at now: Instant) {
    switch report {
    case .absent(let ticket, let root): tell("\(root.name)/ does not exist: skipped", ticket, &console)
    case .day(let ticket, let day): tell(day.line(isDryRun: ticket.isDryRun), ticket, &console)
    case .stays(let ticket, let path, let reason): tell("\(path) stays: \(reason.text)", ticket, &console)
    case .failed(let ticket, let root, let failure):
      let folder: StaticString = root?.name ?? "bin"
      tell("nothing more is removed from \(folder)/ for now: \(failure.line)", ticket, &console)
    case .purged(let ticket, let summary): end(ticket, summary, &console, at: now)
    case .done(let ticket, let path, let result): tell(result, path, ticket, &console, at: now)
    case .take(let ticket, let take):
      guard console.pending?.awaits(ticket) == true else { return }
      if !hasLines, form == .lines { ListedTake.reportHead(&console) }
      hasLines = true
      take.report(form, localTime, &console)
    case .ended(let ticket, let count, let total, let stills):
      if console.pending?.awaits(ticket) == true { end(count, of: total, stills: stills, &console) }
    case .verifying(let ticket, let progress):
      if console.pending?.awaits(ticket) == true { tell(progress, &console, at: now) }
    case .verified(let ticket, let path, let verdict):
      guard console.pending?.awaits(ticket) == true else { return }
      clearRow(&console)
      if case .retention(_, .all) = console.pending { return console.reply(verdict.line(path)) }
      guard verdict.isWhole else { return console.refuse(verdict.line(path)) }
      console.reply(verdict.line(path))
      console.complete()
    case .names(let ticket, let words):
      guard ticket.number == completionNumber, let question = completion.take() else { return }
      console.complete(question, with: words)
    case .measured(let ticket, let shares): if measurement == ticket.number { end(measurement: shares) }
    case .refused(let ticket, _) where measurement == ticket.number: end(measurement: nil)
    case .refused(let ticket, let refusal):
      guard console.pending?.awaits(ticket) == true else { return }
      clearRow(&console)
      console.refuse(refusal.line)
    }
  }

  private mutating func end(measurement shares: TakeShares?) {
    measurement = nil
    self.shares = shares
  }

  private mutating func tell(
    _ result: TakeResult, _ path: FixedText<128>, _ ticket: KeeperTicket, _ console: inout ConsoleSession,
    at now: Instant
  ) {
    guard console.pending?.awaits(ticket) == true else { return }
    clearRow(&console)
    switch result {
    case .protected(let isProtected):
      console.answer("\(path) is \(isProtected ? "protected" : "no longer protected" as StaticString)")
    case .name(let name) where name.isEmpty: console.answer("\(path) has no name")
    case .name(let name): console.answer("\(path) is called \"\(name.printable)\"")
    case .deletable(let byteCount):
      deletion?.path = path
      deletion?.end = console.now + Limits.resetAgainSeconds * 1_000_000_000
      console.ask(
        "move \(path) into the bin, which frees \(size: byteCount) when it is emptied", for: Limits.resetAgainSeconds)
    case .deleted(let byteCount):
      deletion = nil
      console.answer("\(path) is in the bin, which frees \(size: byteCount) when it is emptied")
    case .undeleted: console.answer("\(path) is back")
    case .exported(let verdict):
      console.reply("\(path) is copied, and the copy was verified" as FixedText<256>)
      console.reply(verdict.line(path))
      console.complete()
    }
  }

  private mutating func end(
    _ count: UInt32, of total: UInt32, stills: UInt32, _ console: inout ConsoleSession
  ) {
    clearRow(&console)
    guard case .retention(_, .all) = console.pending else {
      if !hasLines, form == .lines { console.reply("there is no take") }
      return console.complete()
    }
    if stills == 1 { console.reply("1 still is not compared: only takes have a seal") }
    if stills > 1 {
      console.reply("\(grouped: stills) stills are not compared: only takes have a seal" as FixedText<96>)
    }
    guard count == total else {
      let verb: StaticString = total - count == 1 ? "is" : "are"
      return console.refuse("\(grouped: total - count) of \(count: total, "take") \(verb) not whole" as FixedText<96>)
    }
    let verb: StaticString = total == 1 ? "is" : "are"
    console.answer("\(grouped: total) of \(count: total, "take") \(verb) whole")
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
      console.drawRow(FixedText(progress.text.bytes))
    } else if now >= nextProgressLine {
      nextProgressLine = now + Limits.verificationLineSeconds * 1_000_000_000
      console.reply(progress.text)
    }
  }

  private func clearRow(_ console: inout ConsoleSession) {
    if console.isTerminal { console.drawRow("") }
  }

  /// What a dry run finds is the reply to its command; what goes is an event.
  private func tell(_ line: FixedText<400>, _ ticket: KeeperTicket, _ console: inout ConsoleSession) {
    if ticket.isDryRun {
      if console.pending?.awaits(ticket) == true { console.reply(line) }
    } else {
      console.announce("retention: \(line)" as FixedText<420>)
    }
  }

  private mutating func end(
    _ ticket: KeeperTicket, _ summary: PurgeSummary, _ console: inout ConsoleSession, at now: Instant
  ) {
    if console.pending?.awaits(ticket) == true { console.answer(summary.line(isDryRun: ticket.isDryRun)) }
    guard ownPass == ticket.number else { return }
    ownPass = nil
    guard summary.isShortOfSpace else { return }
    nextSpacePass = now + Limits.retentionRetrySeconds * 1_000_000_000
    guard !hasReportedSpace else { return }
    hasReportedSpace = true
    console.announce("retention: less is free than [retention] min_free_bytes, and nothing more may go", as: .warning)
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

  fileprivate func awaits(_ ticket: KeeperTicket) -> Bool {
    if case .retention(ticket.number, _) = self { true } else { false }
  }
}

extension Limits {
  /// How often the loop looks whether a day has begun, the clock was set, or space has run out: at 100 Mbit/s a take
  /// fills 125 MB meanwhile.
  static var retentionCheckSeconds: UInt64 { 10 }

  /// How often a line without a terminal is told how far `verify` has come.
  static var verificationLineSeconds: UInt64 { 3 }

  /// After a pass that could not free enough, the next one comes this much later: it would find the same.
  static var retentionRetrySeconds: UInt64 { 600 }
}
