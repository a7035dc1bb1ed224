import Base
import Catalog
import Console
import Machine
import Wire

/// The loop's side of the library: the queries under way, and who gets their answers.
struct LibraryService: ~Copyable {
  /// Who asked, and so what is done with the answer.
  enum Query: BitwiseCopyable {
    /// The console's command, whose state is in ``ConsoleSession/pending``.
    case console
    /// A button: the file is opened.
    case button(FileUse)
    /// Somebody types the beginning of a name.
    case completion
    /// The file has been passed on; only the end of the answer is still to come.
    case answered

    var origin: Origin {
      switch self {
      case .console: .console
      case .button, .completion, .answered: .button
      }
    }
  }

  private(set) var questions: QueueProducer<LibraryQuestion>
  private(set) var answers: QueueConsumer<LibraryAnswer>
  let time: LibraryTime
  let progress: LibraryProgress
  /// The queries that are not answered yet, the oldest first.
  private(set) var queries = InlineArray<8, Query>(repeating: .answered)
  private(set) var queryCount = 0
  /// What is to be completed; nil when nothing is.
  private(set) var completion: CompletionQuestion?
  /// Of the entry that was shown last.
  private(set) var listedNumber = 0

  /// Whether an answer is awaited.
  var isAwaiting: Bool { queryCount > 0 }

  /// Runs a command of the library.
  mutating func run(_ command: LibraryCommand, _ console: inout ConsoleSession) {
    listedNumber = 0
    switch command {
    case .list(let kind, let form): ask(.list(kind), as: .console, then: .entries(form), &console)
    case .find(let field, let text): ask(.find(field, text), as: .console, then: .entries(.lines), &console)
    case .enqueue(let words): ask(.enqueue(words: words), as: .console, then: .items(appendedCount: 0), &console)
    case .replaceQueue(let words): ask(.enqueue(words: words), as: .console, then: .replacing, &console)
    case .enqueueArtist(let name): ask(.enqueueArtist(name), as: .console, then: .items(appendedCount: 0), &console)
    // The open file's name comes from the player.
    case .lyrics, .artwork: break
    case .rescan: ask(.rescan, as: .console, then: .ordered, &console)
    }
  }

  /// Asks for the lyrics of a file.
  /// - Parameter positionSeconds: what is heard of it now; NaN when it is not open.
  mutating func askLyrics(of path: FixedText<256>, positionSeconds: Double, _ console: inout ConsoleSession) {
    ask(.lyrics(path: path, positionSeconds: positionSeconds), as: .console, then: .lyrics, &console)
  }

  /// Asks for the picture of a file.
  mutating func askArtwork(of path: FixedText<256>, _ console: inout ConsoleSession) {
    ask(.artwork(path: path), as: .console, then: .artwork, &console)
  }

  /// Looks for a file; refuses if too many queries are unanswered.
  mutating func find(
    _ question: LibraryQuestion, for use: FileUse, _ origin: Origin, _ console: inout ConsoleSession
  ) {
    ask(question, as: origin == .console ? .console : .button(use), then: .file(use), &console)
  }

  /// Asks for what a name can be completed to; not while another question is to be answered.
  mutating func complete(_ question: CompletionQuestion, _ wanted: LibraryNames) {
    guard !isAwaiting, questions.push(.names(wanted, beginningWith: question.typed)) else { return }
    completion = question
    queries[0] = .completion
    queryCount = 1
  }

  /// Sends a notice, which is not answered. It is dropped if the library is far behind: its next pass finds the file.
  /// - Returns: whether it was sent.
  @discardableResult mutating func tell(_ word: LibraryQuestion) -> Bool { questions.push(word) }

  /// At each exchange: publishes the time for the library's worker.
  func publish(_ clock: borrowing Clock) {
    time.publish(now: clock.now, unixSeconds: clock.unixSeconds)
  }

  /// At each tick: handles the library's answers, as far as the console has space for them.
  /// - Returns: an order for the player; call again until nil.
  mutating func step(_ console: inout ConsoleSession) -> Effect? {
    while isAwaiting, let answer = answers.peek() {
      let query = queries[0]
      if case .console = query, isShowing(console), !console.canReply { return nil }
      _ = answers.pop()
      if let effect = serve(answer, query, &console) { return effect }
    }
    return nil
  }

  /// Whether the answer is shown line by line.
  private func isShowing(_ console: borrowing ConsoleSession) -> Bool {
    switch console.pending {
    case .library(.entries), .library(.lyrics): true
    default: false
    }
  }

  /// At each tick while the console waits for an answer: after ctrl-C the rest of the answer is skipped.
  func checkInterrupt(_ reply: LibraryReply, _ console: inout ConsoleSession) {
    switch reply {
    case .entries, .lyrics: if console.takeInterrupt() { console.pending = .library(.passedOver) }
    default: break
    }
  }

  private mutating func ask(
    _ question: LibraryQuestion, as query: Query, then reply: LibraryReply, _ console: inout ConsoleSession
  ) {
    guard queryCount < queries.count, questions.push(question) else {
      return console.refuse(
        "the library has not answered earlier requests: try again in a moment" as FixedText<80>,
        for: query.origin)
    }
    queries[queryCount] = query
    queryCount += 1
    if case .console = query { console.pending = .library(reply) }
  }

  private mutating func serve(
    _ answer: LibraryAnswer, _ query: Query, _ console: inout ConsoleSession
  ) -> Effect? {
    switch answer {
    case .entry(let entry):
      if case .console = query, case .library(.entries(let form)) = console.pending { show(entry, form, &console) }
      return nil
    case .lyrics(let line, let isNow):
      if case .console = query, case .library(.lyrics) = console.pending { show(line, isNow: isNow, &console) }
      return nil
    case .names(let words):
      if let question = completion.take() { console.complete(question, with: words) }
      return nil
    case .item(let item): return serve(item, query, console.pending)
    case .done(let count, let coverage):
      endQuery()
      if case .completion = query { completeWithNothing(&console) }
      guard case .console = query, case .library(let reply) = console.pending else { return nil }
      return end(reply, count, coverage, &console)
    case .refused(let refusal):
      endQuery()
      console.refuse(refusal.line, for: query.origin)
      return nil
    }
  }

  private mutating func serve(_ item: MediaItem, _ query: Query, _ pending: PendingCommand?) -> Effect? {
    switch query {
    case .answered, .completion: return nil
    case .button(let use):
      queries[0] = .answered
      return .open(item, use, .button)
    case .console:
      switch pending {
      case .library(.items), .library(.replacing): return .append(item)
      case .library(.file(let use)):
        queries[0] = .answered
        return .open(item, use, .console)
      default: return nil
      }
    }
  }

  /// The line that is sung is marked as what plays is in the queue.
  private func show(_ line: LyricsLine, isNow: Bool, _ console: inout ConsoleSession) {
    guard let milliseconds = line.milliseconds else { return console.quote(line.text) }
    let mark: StaticString = isNow ? ">" : " "
    let seconds = milliseconds / 1000
    console.quote("\(mark) \(seconds / 60):\(seconds % 60, width: 2)  \(line.text)" as FixedText<280>)
  }

  /// A person names files by their numbers; a script, which counts lines, gets them as they are.
  private mutating func show(_ entry: LibraryEntry, _ form: StatusForm, _ console: inout ConsoleSession) {
    listedNumber += 1
    guard form == .json else {
      guard console.isTerminal else { return console.quote(entry.line) }
      return console.quote("\(listedNumber)  \(entry.line)" as FixedText<624>)
    }
    console.beginReport(.json)
    console.member("kind", .name(entry.kind.name))
    entry.item.report(&console)
    if let refusal = entry.refusal { console.member("refusal", .name(refusal.problem)) }
    console.endPart()
  }

  private func end(
    _ reply: LibraryReply, _ count: UInt32, _ coverage: LibraryCoverage, _ console: inout ConsoleSession
  ) -> Effect? {
    switch reply {
    case .entries(.json): console.complete()
    case .entries, .passedOver:
      if let note = coverage.note { console.reply(note) }
      if let note = coverage.unnamedNote { console.reply(note) }
      if let note = coverage.elsewhereNote { console.reply(note) }
      if reply != .passedOver { tellCount(count, isWhole: coverage.note == nil, &console) }
      console.complete()
    case .ordered:
      console.pending = .rescan(
        passCount: count, fileCount: coverage.indexedCount,
        until: console.now + Limits.rescanSeconds * 1_000_000_000)
    case .lyrics: console.complete()
    case .artwork: return .drawArtwork
    case .items, .replacing, .notReplaced: return .endAppending(wantedCount: count)
    // The player answers once the file is open.
    case .file: break
    }
    return nil
  }

  /// To a person nothing must not look like silence; a script counts lines.
  private func tellCount(_ count: UInt32, isWhole: Bool, _ console: inout ConsoleSession) {
    guard console.isTerminal else { return }
    if count > 0 {
      console.reply("\(count: count, "file")" as FixedText<32>)
    } else if isWhole {
      console.reply("no files were found")
    }
  }

  /// At each tick while `rescan` is pending.
  func checkRescan(
    passCount: UInt32, fileCount: UInt32, until end: Instant, _ console: inout ConsoleSession, at now: Instant
  ) {
    let coverage = progress.coverage
    guard Int32(bitPattern: progress.passCount &- passCount) < 0 else {
      return console.answer(Self.line(found: coverage.indexedCount, before: fileCount))
    }
    if now >= end || console.takeInterrupt() {
      console.answer("still indexing: \(count: coverage.indexedCount, "file") so far")
    }
  }

  private static func line(found count: UInt32, before: UInt32) -> FixedText<256> {
    if count > before { return "\(count: count, "file") found, \(grouped: count - before) more than before" }
    if count < before { return "\(count: count, "file") found, \(grouped: before - count) fewer than before" }
    return "\(count: count, "file") found, as many as before"
  }

  /// What the console itself knows is completed.
  private mutating func completeWithNothing(_ console: inout ConsoleSession) {
    if let question = completion.take() { console.complete(question, with: WordCompletion()) }
  }

  private mutating func endQuery() {
    queryCount -= 1
    for index in 0..<queryCount { queries[index] = queries[index + 1] }
  }
}

extension MediaItem {
  /// Adds what programs are told of it.
  func report(_ console: inout ConsoleSession) {
    console.member("path", text: shownPath.bytes)
    console.member("title", text: title.bytes)
    console.member("artist", text: artist.bytes)
    console.member("seconds", .decimal(durationSeconds, decimals: 3))
  }
}

extension Limits {
  /// How long `rescan` waits: a card of many files takes seconds, and one that does not answer must not hold a script.
  static var rescanSeconds: UInt64 { 60 }
}
