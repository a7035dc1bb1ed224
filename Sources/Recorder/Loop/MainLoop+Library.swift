import Console
import Library
import Values
import Playback
import Text

extension MainLoop where Machine: ~Copyable {
  /// Asks something that is answered later; whoever asked is told where too much is unanswered.
  mutating func askLibrary(_ question: LibraryQuestion, for errand: LibraryErrand) {
    guard !library.ask(question, for: errand) else { return }
    refuse(
      "the library has not answered the questions before: try again in a moment" as FixedText<80>, for: errand.asker)
  }

  /// Takes in what the library says, as far as the console has room for it.
  mutating func serveLibrary() {
    if library.errand == .show, console.takeInterrupt() { library.passOver() }
    while let errand = library.errand, let answer = library.peek() {
      if case .show = errand, !console.canReply { return }
      library.take()
      serve(answer, errand)
    }
  }

  private mutating func serve(_ answer: LibraryAnswer, _ errand: LibraryErrand) {
    switch (answer, errand) {
    case (.entry(let entry), .show): console.reply(entry.line)
    case (.item(let item), .queue): append(item)
    case (.item(let item), .prepare(let asker)): open(item, andPlayAt: nil, for: asker)
    case (.item(let item), .play(let asker, let instant)):
      open(item, andPlayAt: instant.map { .monotonic(nanoseconds: $0) } ?? .now, for: asker)
    case (.done(let count, let coverage), _): end(errand, count: count, coverage)
    case (.refused(let refusal), _):
      refuse(refusal.line, for: errand.asker)
      library.endErrand()
    default: break
    }
  }

  private mutating func append(_ item: MediaItem) {
    do throws(PlayerRefusal) {
      try player.append(item)
      library.answerItemCount += 1
    } catch {}
  }

  private mutating func end(_ errand: LibraryErrand, count: UInt32, _ coverage: LibraryCoverage) {
    switch errand {
    case .show, .passOver:
      if let note = coverage.note { console.reply(note) }
      console.complete()
    case .queue: endQueueing(wanted: count)
    // The player answers once the file is open.
    case .prepare, .play: break
    }
    library.endErrand()
  }

  private mutating func endQueueing(wanted: UInt32) {
    let appended = library.answerItemCount
    if appended < wanted {
      return console.refuse(
        "the queue holds \(player.queue.capacity) items: \(wanted - appended) of \(wanted) were left out"
          as FixedText<128>)
    }
    console.reply("\(appended) queued, \(player.queue.count) in the queue" as FixedText<64>)
    console.complete()
  }
}
