import Base
import Catalog
import Configuration
import Console
import Machine
import Wire

/// The loop's side of retention: when old takes are removed, and what is reported about it.
struct RetentionService: ~Copyable {
  var policy: RetentionSettings {
    // Takes that are too old by a new rule are removed now.
    didSet { if policy != oldValue { purgedDay = nil } }
  }
  private(set) var keeper: Job<KeeperRequest, KeeperReply>
  let pace: KeeperPace
  private let localTime: LocalTime
  /// The form of the list being printed.
  private var form = StatusForm.lines
  private var hasLines = false
  /// Whether all takes are compared: then a verdict is a line, not the end of the reply.
  private var comparesAll = false
  /// What `delete` has asked about: how it was named, which take it is, until when a repeated `delete` deletes it, and
  /// how.
  private var deletion: (choice: TakeChoice, path: FixedText<128>, end: Instant, action: TakeAction)?
  private var wiping = Wiping.none
  /// Whether `wipe` has begun to remove, and the services have not forgotten yet what people entered.
  var isForgetting = false
  private var soundReport: SoundReport?
  /// The ticket of what a button or a listener has said about the last take, until it is kept.
  private var remarkTicket: UInt32?
  /// The number of events up to the one that tells what came of that; 0 until there is one.
  var answer: UInt64 = 0
  /// The ticket of a pass in progress that no one asked for.
  private var ownPass: UInt32?
  /// What is to be completed; nil if nothing is.
  private var completion: (question: CompletionQuestion, ticket: UInt32)?
  /// The space used by takes, as requested last; nil until the answer comes.
  private(set) var shares: TakeShares?
  /// The ticket of that request until it is answered.
  private var measurement: UInt32?
  /// The day of the last pass for age, in days since 1970-01-01.
  private var purgedDay: Int64?
  /// When the machine started, in Unix seconds by the clock of the last look.
  private var startSeconds: Int64?
  /// No pass for age comes before this.
  private var nextAgePass: Instant = 0
  private var nextCheck: Instant = 0
  /// When a line without a terminal is next told the progress of a comparison.
  private var nextProgressLine: Instant = 0
  private var nextSpacePass: Instant = 0
  /// Whether it was reported that the clock is not set, and that space is short; cleared once either is over.
  private var hasReportedClock = false
  private var hasReportedSpace = false
  /// The takes of this boot that were recorded before the clock was set.
  private(set) var undated = UndatedTakes()

  init(
    policy: RetentionSettings, _ keeper: consuming Job<KeeperRequest, KeeperReply>, pace: KeeperPace,
    localTime: LocalTime = .offset(seconds: 0)
  ) {
    self.policy = policy
    self.keeper = keeper
    self.pace = pace
    self.localTime = localTime
  }

  /// At each exchange: has the keeper make a pass that is due.
  /// - Parameter freeByteCount: the card's free bytes, as last measured.
  mutating func step(
    _ clock: borrowing some ClockDriver & ~Copyable, freeByteCount: UInt64, isRecording: Bool,
    _ console: inout ConsoleSession
  ) {
    pace.publish(isRecording: isRecording)
    let now = clock.now
    guard now >= nextCheck else { return }
    nextCheck = now + Limits.retentionCheckSeconds * 1_000_000_000
    if !policy.isOff { beginWhatIsDue(clock, freeByteCount: freeByteCount, &console) }
    if ownPass == nil, freeByteCount < policy.leastFreeBesideBin { begin(.spaceInBin, clock, &console) }
  }

  /// Runs a command.
  /// - Parameter openPath: the path of the file that is open in the player.
  mutating func run(
    _ command: RetentionCommand, openPath: FixedText<256>?, _ clock: borrowing some ClockDriver & ~Copyable,
    _ console: inout ConsoleSession
  ) {
    nextProgressLine = clock.now + Limits.verificationLineSeconds * 1_000_000_000
    switch command {
    case .take(let choice, let action):
      var (choice, action) = (choice, action)
      var isAsking = false
      if action == .delete {
        if let (path, how) = asked(choice, console) {
          // The last take may be a different one by now.
          (choice, action) = (.path(path), how)
        } else {
          isAsking = true
          deletion = (choice, "", clock.now, .delete)
        }
      }
      var openName = FixedText<48>()
      if let openPath { openName = FixedText(openPath.lastPart) }
      ask(.take(choice, action, openName: openName, isDryRun: isAsking), &console)
    case .list(let count, let isInBin, let form):
      self.form = form
      hasLines = false
      ask(.list(count: count, isInBin: isInBin), &console)
    case .verifyAll: ask(.verifyAll, &console)
    case .emptyBin: ask(.purge(purge(.bin, clock)), &console)
    case .wipe(let fileCount): wipe(fileCount, clock, &console)
    case .purge(let isDryRun):
      guard !policy.isOff else { return console.refuse("retention is off: set [retention] days or min_free_bytes") }
      guard clock.source != .unset else {
        return console.refuse("the clock is not set: the age of takes is unknown")
      }
      ask(.purge(purge(.everything, isDryRun: isDryRun, clock)), &console)
    }
  }

  /// Applies an action that needs no confirmation to a take. Without a command, what comes of it is announced.
  @inline(never)
  mutating func begin(
    _ choice: TakeChoice, _ action: TakeAction, for origin: Origin, _ console: inout ConsoleSession
  ) {
    let request = KeeperRequest.take(choice, action, openName: "", isDryRun: false)
    if origin == .console { return ask(request, &console) }
    remarkTicket = keeper.send(request, &console)
    if !isRemarking { console.announce("the card does not answer: try again in a moment", as: .warning) }
  }

  /// Whether that is still being done.
  var isRemarking: Bool { remarkTicket != nil }

  /// Prints the takes of a day, counted from 1970-01-01.
  mutating func report(_ form: ReportForm, day: Int64, _ console: inout ConsoleSession) {
    soundReport = SoundReport(form, day: day, localTime: localTime)
    ask(.report(day: day), &console)
  }

  /// Notes that a take or a still was begun or completed: while the clock is not set, its folder does not tell its age.
  mutating func note(_ word: LibraryRequest, _ clock: borrowing some ClockDriver & ~Copyable) {
    guard !policy.isOff, clock.source == .unset, let path = word.takePath, let take = TakeFilePath(path) else { return }
    undated.add(take.number)
  }

  /// Asks for completions of the beginning of a take's name.
  mutating func complete(_ question: CompletionQuestion, _ console: inout ConsoleSession) {
    let request = KeeperRequest.complete(question.typed, isInBin: question.wanted == .deletedTake)
    if let ticket = keeper.send(request, &console) { completion = (question, ticket) }
  }

  /// Requests the space used by takes, which ``shares`` has soon, or never. Only one count runs, however slow the card.
  mutating func measure(_ console: inout ConsoleSession) {
    shares = nil
    if measurement == nil { measurement = keeper.send(.measure, &console) }
  }

  /// Whether a count is still running.
  var isMeasuring: Bool { measurement != nil }

  /// The take that `delete` asked about recently under the same name.
  private func asked(
    _ choice: TakeChoice, _ console: borrowing ConsoleSession
  ) -> (path: FixedText<128>, action: TakeAction)? {
    guard let deletion, deletion.choice == choice, console.isOpen(questionUntil: deletion.end) else { return nil }
    return (deletion.path, deletion.action)
  }

  private mutating func ask(_ request: KeeperRequest, _ console: inout ConsoleSession) {
    comparesAll = if case .verifyAll = request { true } else { false }
    if case .report = request {} else { soundReport = nil }
    keeper.begin(request, &console)
  }

  private func purge(
    _ scope: Purge.Scope, isDryRun: Bool = false, _ clock: borrowing some ClockDriver & ~Copyable
  ) -> Purge {
    Purge(
      scope, isDryRun: isDryRun, policy: policy, today: CivilTime.dayNumber(unixSeconds: clock.unixSeconds),
      undated: undated)
  }

  private mutating func beginWhatIsDue(
    _ clock: borrowing some ClockDriver & ~Copyable, freeByteCount: UInt64, _ console: inout ConsoleSession
  ) {
    guard ownPass == nil else { return }
    guard clock.source != .unset else {
      if !hasReportedClock { console.announce("retention waits: the clock is not set", as: .warning) }
      hasReportedClock = true
      return
    }
    hasReportedClock = false
    watchJumps(clock, &console)
    let today = CivilTime.dayNumber(unixSeconds: clock.unixSeconds)
    if freeByteCount >= policy.leastFreeByteCount { hasReportedSpace = false }
    if purgedDay != today, clock.now >= nextAgePass || clock.source == .synchronised {
      if begin(.everything, clock, &console) { purgedDay = today }
    } else if freeByteCount < policy.leastFreeByteCount, clock.now >= nextSpacePass {
      begin(.space, clock, &console)
    }
  }

  /// By a clock that is suddenly ahead, takes are suddenly old. If a person has mistyped the year, there is time to
  /// notice.
  private mutating func watchJumps(_ clock: borrowing some ClockDriver & ~Copyable, _ console: inout ConsoleSession) {
    let running = Int64((clock.now.rawValue + clock.suspendedNanoseconds) / 1_000_000_000)
    let start = clock.unixSeconds - running
    let jump = start - (startSeconds ?? start)
    startSeconds = start
    if jump < -86_400 { nextAgePass = 0 }
    guard jump > 86_400, clock.source < .synchronised else { return }
    nextAgePass = clock.now + Limits.retentionDoubtSeconds * 1_000_000_000
    console.announce("retention waits for an hour: the clock was set ahead by more than a day", as: .warning)
  }

  @discardableResult private mutating func begin(
    _ scope: Purge.Scope, _ clock: borrowing some ClockDriver & ~Copyable, _ console: inout ConsoleSession
  ) -> Bool {
    ownPass = keeper.send(.purge(purge(scope, clock)), &console)
    return ownPass != nil
  }

  /// At each tick: reports what the keeper has done. Ctrl-C stops waiting, and ends a comparison.
  mutating func tick(_ console: inout ConsoleSession) {
    while keeper.hasNews(for: console) {
      switch keeper.next(&console) {
      case .nothing: return
      case .answered(let reply): serve(reply, &console)
      case .unattended(let reply, let ticket): serve(reply, ticket, &console)
      case .late: console.refuse("the card does not answer: try again in a moment")
      case .interrupted:
        pace.breakOff(keeper.ticket)
        clearRow(&console)
        console.complete()
      }
    }
  }

  private mutating func serve(_ reply: KeeperReply, _ console: inout ConsoleSession) {
    switch reply {
    // The findings of a dry run are the reply to its command.
    case .purging(let event, isDryRun: true): console.reply(event.line(isDryRun: true))
    case .purging(let event, isDryRun: false): announce(event, keeper.ticket, &console)
    case .purged(let summary, _) where wiping.ticket == keeper.ticket: endWiping(summary, isAwaited: true, &console)
    case .purged(let summary, let isDryRun): console.answer(summary.line(isDryRun: isDryRun))
    case .done(let path, let result): tell(result, path, &console)
    case .take(let take):
      if !hasLines, form == .lines { ListedTake.reportHead(&console) }
      hasLines = true
      take.report(form, localTime, &console)
    case .record(let record): soundReport?.tell(record, &console)
    case .ended where soundReport != nil:
      soundReport?.end(&console)
      soundReport = nil
    case .ended(let count, let total, let stills): end(count, of: total, stills: stills, &console)
    case .verifying(let progress): tell(progress, &console)
    case .verified(let path, let verdict):
      clearRow(&console)
      guard comparesAll || verdict.isWhole else { return console.refuse(verdict.line(path)) }
      console.reply(verdict.line(path))
      if !comparesAll { console.complete() }
    // An event, because the reply may be JSON.
    case .unreadable(let failure):
      clearRow(&console)
      console.announce(failure.line, as: .fault)
    case .refused(let refusal):
      clearRow(&console)
      console.refuse(refusal.line)
    // No command waits for these.
    case .names, .measured: break
    }
  }

  /// Handles a reply that no command waits for.
  private mutating func serve(_ reply: KeeperReply, _ ticket: UInt32, _ console: inout ConsoleSession) {
    switch reply {
    case .purging(let event, isDryRun: false): announce(event, ticket, &console)
    case .purged(let summary, _) where ticket == ownPass: endOwnPass(summary, &console)
    case .purged(let summary, _) where ticket == wiping.ticket: endWiping(summary, isAwaited: false, &console)
    case .names(let words):
      guard let (question, asked) = completion, asked == ticket else { return }
      completion = nil
      console.complete(question, with: words)
    case .measured(let shares) where ticket == measurement: (measurement, self.shares) = (nil, shares)
    case .refused where ticket == measurement: measurement = nil
    case .done(let path, .judged(let verdict)) where ticket == remarkTicket: console.announce(verdict.line(path))
    case .done(let path, .noted(let remarks)) where ticket == remarkTicket: console.announce(Self.line(remarks, path))
    case .refused(let refusal) where ticket == remarkTicket: console.announce(refusal.line, as: .fault)
    default: break
    }
    guard ticket == remarkTicket else { return }
    remarkTicket = nil
    answer = console.eventCount
  }

  private static func line(_ remarks: TakeRemarks, _ path: FixedText<128>) -> FixedText<448> {
    "\(path): \(remarks)"
  }

  private func announce(_ event: PurgeEvent, _ ticket: UInt32, _ console: inout ConsoleSession) {
    guard ticket != wiping.ticket else {
      return console.announce("wipe: \(event.line(isDryRun: false))" as FixedText<420>)
    }
    console.announce("retention: \(event.line(isDryRun: false))" as FixedText<420>)
  }

  private func tell(_ name: KeptName, _ path: FixedText<128>, _ console: inout ConsoleSession) {
    switch (name.isDamaged, name.text.isEmpty) {
    case (false, true): console.answer("\(path) has no name")
    case (false, false): console.answer("\(path) is called \"\(name.text.printable)\"")
    case (true, true): console.answer("\(path) has lost its name: the file with it is damaged, name the take again")
    case (true, false):
      console.answer("\(path) is called \"\(name.text.printable)\"; the file with its name is damaged, name it again")
    }
  }

  private mutating func tell(_ result: TakeResult, _ path: FixedText<128>, _ console: inout ConsoleSession) {
    clearRow(&console)
    switch result {
    case .protected(let isProtected):
      console.answer("\(path) is \(isProtected ? "protected" : "no longer protected" as StaticString)")
    case .name(let name): tell(name, path, &console)
    case .judged(let verdict): console.answer(verdict.line(path))
    case .noted(let remarks):
      if !remarks.isEmpty { console.reply(Self.line(remarks, path)) }
      console.complete()
    case .deletable(let byteCount, let hasBin):
      deletion?.path = path
      deletion?.end = console.now + Limits.resetAgainSeconds * 1_000_000_000
      deletion?.action = hasBin ? .delete : .remove
      console.ask(
        hasBin
          ? "move \(path) into the bin, which frees \(size: byteCount) when it is emptied"
          : "the card has no room for the bin: remove \(path) for ever, which frees \(size: byteCount)",
        for: Limits.resetAgainSeconds)
    case .deleted(let byteCount):
      deletion = nil
      console.answer("\(path) is in the bin, which frees \(size: byteCount) when it is emptied")
    case .removed(let byteCount):
      deletion = nil
      console.answer("\(path) is removed, which has freed \(size: byteCount)")
    case .undeleted: console.answer("\(path) is back")
    case .exported(let verdict):
      console.reply("\(path) is copied, and the copy was verified" as FixedText<256>)
      console.reply(verdict.line(path))
      console.complete()
    }
  }

  private mutating func end(_ count: UInt32, of total: UInt32, stills: UInt32, _ console: inout ConsoleSession) {
    clearRow(&console)
    guard comparesAll else {
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

  /// In place on a terminal, otherwise a line now and then.
  private mutating func tell(_ progress: VerificationProgress, _ console: inout ConsoleSession) {
    if console.isTerminal {
      console.drawRow(FixedText(progress.text.bytes))
    } else if console.now >= nextProgressLine {
      nextProgressLine = console.now + Limits.verificationLineSeconds * 1_000_000_000
      console.reply(progress.text)
    }
  }

  private func clearRow(_ console: inout ConsoleSession) {
    if console.isTerminal { console.drawRow("") }
  }

  private mutating func endOwnPass(_ summary: PurgeSummary, _ console: inout ConsoleSession) {
    ownPass = nil
    guard summary.isShortOfSpace else { return }
    nextSpacePass = console.now + Limits.retentionRetrySeconds * 1_000_000_000
    guard !hasReportedSpace else { return }
    hasReportedSpace = true
    console.announce("retention: less is free than [retention] min_free_bytes, and nothing more may go", as: .warning)
  }
}

/// How far `wipe` is.
private enum Wiping {
  case none
  /// The takes are counted, for the question.
  case counting(ticket: UInt32)
  /// The first question is open until this instant, and then the second one.
  case asked(PurgeSummary, end: Instant)
  case askedAgain(PurgeSummary, end: Instant)
  case removing(ticket: UInt32)

  /// The ticket of the pass.
  var ticket: UInt32? {
    switch self {
    case .counting(let ticket), .removing(let ticket): ticket
    case .none, .asked, .askedAgain: nil
    }
  }
}

extension RetentionService {
  private mutating func wipe(
    _ fileCount: UInt32?, _ clock: borrowing some ClockDriver & ~Copyable, _ console: inout ConsoleSession
  ) {
    switch (wiping, fileCount) {
    case (.asked(let summary, let end), nil) where console.isOpen(questionUntil: end):
      wiping = .askedAgain(summary, end: console.now + Limits.wipeAgainSeconds * 1_000_000_000)
      console.askAgain(
        "remove \(DaySummary.text(fileCount: summary.fileCount, byteCount: summary.byteCount)) for ever",
        for: Limits.wipeAgainSeconds, confirmedBy: "wipe \(summary.fileCount)")
    case (.askedAgain(let summary, let end), let count?)
    where count == summary.fileCount && console.isOpen(questionUntil: end):
      var purge = purge(.wipe, clock)
      purge.lastNumber = summary.lastNumber
      ask(.purge(purge), &console)
      wiping = .removing(ticket: keeper.ticket)
      isForgetting = true
    case (_, nil):
      ask(.purge(purge(.wipe, isDryRun: true, clock)), &console)
      wiping = .counting(ticket: keeper.ticket)
    default: console.refuse("nothing is removed: type wipe alone, and answer its two questions")
    }
  }

  private mutating func endWiping(_ summary: PurgeSummary, isAwaited: Bool, _ console: inout ConsoleSession) {
    let files = DaySummary.text(fileCount: summary.fileCount, byteCount: summary.byteCount)
    if case .counting = wiping {
      wiping = .none
      // Its questions are for the person who still waits.
      guard isAwaited else { return }
      wiping = .asked(summary, end: console.now + Limits.resetAgainSeconds * 1_000_000_000)
      return console.ask(
        "remove all takes and stills, \(files), their names, and the calculator's history",
        for: Limits.resetAgainSeconds)
    }
    wiping = .none
    console.announce("wiped: \(files)", as: .warning)
    guard isAwaited else { return }
    guard !summary.hasFailed else { return console.refuse("something could not be removed: events tells why") }
    console.answer("\(files) removed, and the names and the calculator's history")
  }
}

extension LibraryRequest {
  /// The take that the notice is about.
  fileprivate var takePath: FixedText<128>? {
    switch self {
    case .growing(let path): FixedText(path.bytes)
    case .complete(let path, _): FixedText(path.bytes)
    default: nil
    }
  }
}

extension Limits {
  /// How often the loop looks whether a day has begun, the clock was set, or space has run out: at 100 Mbit/s a take
  /// fills 125 MB in that time.
  static var retentionCheckSeconds: UInt64 { 10 }

  /// How long nothing is removed for its age after the clock was set far ahead.
  static var retentionDoubtSeconds: UInt64 { 3600 }

  /// How often `verify` prints its progress on a line without a terminal.
  static var verificationLineSeconds: UInt64 { 3 }

  /// The second question of `wipe` is open this long: time to read a number and to type it.
  static var wipeAgainSeconds: UInt64 { 30 }

  /// How long after a pass that could not free enough the next one comes: an earlier one would find the same.
  static var retentionRetrySeconds: UInt64 { 600 }
}
