import Base
import Catalog
import Console
import Machine
import Wire

/// The loop's side of the library: what was asked, and who gets the replies.
struct LibraryService: ~Copyable {
  /// What the pending command does with the replies.
  enum Asked {
    /// `list` and `find`: shows the entries.
    case entries(StatusForm)
    /// `lyrics`: shows the lines.
    case lyrics
    /// `artwork`: draws the picture once it is there.
    case artwork
    /// `queue`: appends the items, or begins a new queue with them.
    case items(replaces: Bool)
    /// `prepare` and `play`: opens the file.
    case file(FileUse)
    /// `rescan`: another pass through the folders has been ordered.
    case pass
    /// `rescan`: waits until this many passes have ended; the library had this many files before.
    case passEnd(passCount: UInt32, fileCount: UInt32)
  }

  private(set) var worker: Job<LibraryRequest, LibraryReply>
  let time: LibraryTime
  let progress: LibraryProgress
  private(set) var asked = Asked.lyrics
  /// Whether ctrl-C was typed: the remaining replies are then skipped.
  private(set) var isBrokenOff = false
  /// The files that buttons have asked for, each with its reply's ticket.
  private(set) var sought = InlineArray<8, (ticket: UInt32, use: FileUse)?>(repeating: nil)
  /// What is to be completed; nil if nothing is.
  private(set) var completion: (question: CompletionQuestion, ticket: UInt32)?
  /// The number of the entry that was shown last.
  private(set) var listedNumber = 0

  mutating func run(_ command: LibraryCommand, _ console: inout ConsoleSession) {
    listedNumber = 0
    switch command {
    case .list(let kind, let form): ask(.list(kind), .entries(form), &console)
    case .find(let field, let text): ask(.find(field, text), .entries(.lines), &console)
    case .enqueue(let words): ask(.enqueue(words: words), .items(replaces: false), &console)
    case .replaceQueue(let words): ask(.enqueue(words: words), .items(replaces: true), &console)
    case .enqueueArtist(let name): ask(.enqueueArtist(name), .items(replaces: false), &console)
    // The player knows the open file's name.
    case .lyrics, .artwork: break
    case .rescan: ask(.rescan, .pass, &console)
    }
  }

  /// Asks for the lyrics of a file.
  /// - Parameter positionSeconds: the position heard now; NaN if the file is not open.
  mutating func askLyrics(of path: FixedText<256>, positionSeconds: Double, _ console: inout ConsoleSession) {
    ask(.lyrics(path: path, positionSeconds: positionSeconds), .lyrics, &console)
  }

  /// Asks for the picture of a file.
  mutating func askArtwork(of path: FixedText<256>, _ console: inout ConsoleSession) {
    ask(.artwork(path: path), .artwork, &console)
  }

  /// Looks for a file; refuses if too many requests are unanswered.
  mutating func find(_ request: LibraryRequest, for use: FileUse, _ origin: Origin, _ console: inout ConsoleSession) {
    guard origin == .button else { return ask(request, .file(use), &console) }
    guard let place = place(of: nil), let ticket = worker.send(request, &console) else {
      return console.refuse(Self.busy, for: .button)
    }
    sought[place] = (ticket, use)
  }

  /// An index into the files that buttons have asked for.
  /// - Parameter ticket: nil for a free place.
  private func place(of ticket: UInt32?) -> Int? {
    for index in sought.indices where sought[index]?.ticket == ticket { return index }
    return nil
  }

  /// Asks for the completions of a name.
  mutating func complete(_ question: CompletionQuestion, _ wanted: LibraryNames, _ console: inout ConsoleSession) {
    let request = LibraryRequest.names(wanted, beginningWith: question.typed)
    if let ticket = worker.send(request, &console) { completion = (question, ticket) }
  }

  /// Sends a notice, which is not answered. If the library is far behind the notice is dropped: its next pass finds the
  /// file.
  /// - Returns: whether it was sent.
  @discardableResult mutating func tell(_ word: LibraryRequest, _ console: inout ConsoleSession) -> Bool {
    worker.send(word, &console) != nil
  }

  /// At each exchange: publishes the time for the library's worker.
  func publish(_ clock: borrowing Clock) {
    time.publish(now: clock.now, unixSeconds: clock.unixSeconds)
  }

  /// At each tick: handles the library's replies, as far as the console has space for them.
  /// - Returns: an order for the player; call again until nil.
  mutating func step(_ console: inout ConsoleSession) -> Effect? {
    followPass(&console)
    while worker.hasNews(for: console) {
      var effect: Effect?
      switch worker.next(&console) {
      case .nothing: return nil
      case .answered(let reply): effect = serve(reply, &console)
      case .unattended(let reply, let ticket): effect = serve(reply, ticket, &console)
      case .interrupted: if !endPass(&console) { isBrokenOff = true }
      case .late: if !endPass(&console) { console.refuse(Self.busy) }
      }
      if let effect { return effect }
    }
    return nil
  }

  private static var busy: FixedText<80> { "the library has not answered earlier requests: try again in a moment" }

  private mutating func ask(_ request: LibraryRequest, _ asked: Asked, _ console: inout ConsoleSession) {
    self.asked = asked
    isBrokenOff = false
    worker.begin(request, &console)
  }

  private mutating func serve(_ reply: LibraryReply, _ console: inout ConsoleSession) -> Effect? {
    switch (reply, asked) {
    case (.entry(let entry), .entries(let form)): if !isBrokenOff { show(entry, form, &console) }
    case (.lyrics(let line, let isNow), _): if !isBrokenOff { show(line, isNow: isNow, &console) }
    case (.item(let item), .items(let replaces)):
      asked = .items(replaces: false)
      return .append(item, replaces: replaces)
    // The player answers once the file is open.
    case (.item(let item), .file(let use)): return .open(item, use, .console)
    case (.done(let count, let coverage), _): return end(count, coverage, &console)
    case (.refused(let refusal), _): console.refuse(refusal.line)
    default: break
    }
    return nil
  }

  /// Handles a reply that no command waits for.
  private mutating func serve(_ reply: LibraryReply, _ ticket: UInt32, _ console: inout ConsoleSession) -> Effect? {
    switch reply {
    case .item(let item):
      guard let place = place(of: ticket), let use = sought[place]?.use else { return nil }
      sought[place] = nil
      return .open(item, use, .button)
    case .names(let words): complete(ticket, with: words, &console)
    // Complete with what the console itself knows.
    case .done: complete(ticket, with: WordCompletion(), &console)
    case .refused(let refusal):
      if let place = place(of: ticket) { sought[place] = nil }
      console.refuse(refusal.line, for: .button)
    case .entry, .lyrics: break
    }
    return nil
  }

  private mutating func complete(_ ticket: UInt32, with words: WordCompletion, _ console: inout ConsoleSession) {
    guard let (question, asked) = completion, asked == ticket else { return }
    completion = nil
    console.complete(question, with: words)
  }

  /// Marks the line being sung as the queue marks the item being played.
  private func show(_ line: LyricsLine, isNow: Bool, _ console: inout ConsoleSession) {
    guard let milliseconds = line.milliseconds else { return console.quote(line.text) }
    let mark: StaticString = isNow ? ">" : " "
    let seconds = milliseconds / 1000
    console.quote("\(mark) \(seconds / 60):\(seconds % 60, width: 2)  \(line.text)" as FixedText<280>)
  }

  /// People refer to files by number; a script, which counts lines, gets them unnumbered.
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

  private mutating func end(_ count: UInt32, _ coverage: LibraryCoverage, _ console: inout ConsoleSession) -> Effect? {
    switch asked {
    case .entries(.json) where !isBrokenOff, .lyrics where !isBrokenOff: console.complete()
    case .artwork where !isBrokenOff: return .drawArtwork
    case .entries, .lyrics:
      if let note = coverage.note { console.reply(note) }
      if let note = coverage.unnamedNote { console.reply(note) }
      if let note = coverage.elsewhereNote { console.reply(note) }
      if !isBrokenOff { tellCount(count, isWhole: coverage.note == nil, &console) }
      console.complete()
    case .items: return .endAppending(wantedCount: count)
    case .pass:
      asked = .passEnd(passCount: count, fileCount: coverage.indexedCount)
      worker.wait(until: console.now + Limits.rescanSeconds * 1_000_000_000, &console)
    case .artwork, .file, .passEnd: console.complete()
    }
    return nil
  }

  /// An empty result must not look like silence to a person; a script counts lines.
  private func tellCount(_ count: UInt32, isWhole: Bool, _ console: inout ConsoleSession) {
    guard console.isTerminal else { return }
    if count > 0 {
      console.reply("\(count: count, "file")" as FixedText<32>)
    } else if isWhole {
      console.reply("no files were found")
    }
  }

  private func followPass(_ console: inout ConsoleSession) {
    guard case .passEnd(let passCount, let fileCount) = asked, worker.isAwaited(by: console),
      Int32(bitPattern: progress.passCount &- passCount) >= 0
    else { return }
    console.answer(Self.line(found: progress.coverage.indexedCount, before: fileCount))
  }

  /// - Returns: false if no pass is waited for.
  private func endPass(_ console: inout ConsoleSession) -> Bool {
    guard case .passEnd = asked else { return false }
    console.answer("still indexing: \(count: progress.coverage.indexedCount, "file") so far")
    return true
  }

  private static func line(found count: UInt32, before: UInt32) -> FixedText<256> {
    if count > before { return "\(count: count, "file") found, \(grouped: count - before) more than before" }
    if count < before { return "\(count: count, "file") found, \(grouped: before - count) fewer than before" }
    return "\(count: count, "file") found, as many as before"
  }
}

extension MediaItem {
  /// Adds the entry's members for programs.
  func report(_ console: inout ConsoleSession) {
    console.member("path", text: shownPath.bytes)
    console.member("title", text: title.bytes)
    console.member("artist", text: artist.bytes)
    console.member("seconds", .decimal(durationSeconds, decimals: 3))
  }
}

extension Limits {
  /// How long `rescan` waits: a card with many files takes seconds, and a stalled one must not hold up a script.
  static var rescanSeconds: UInt64 { 60 }
}
