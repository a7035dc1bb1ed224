import Base
import Console
import Kit
import Machine
import Playback
import Record
import Wire

/// `practice`: asks for a chord, plays it, counts in a bar, listens for a bar, and says how it went.
///
/// A round runs on its own. The command that began it is answered when the round is over; on a terminal the next round
/// follows until a key is pressed.
struct PracticeService: Application, ~Copyable {
  private let place = StaysInPlace()
  private var kept: KeptPractice
  private var worker: Job<ChordRequest, ChordReply>
  private var phase = PracticePhase.off
  private var round = PracticeRound()
  /// Whether the worker has not answered a request yet. Another one now would be about later sound.
  private var isAsking = false
  /// Until when another `practice reset` clears the progress.
  private var resetAgainEnd: Instant = 0
  /// Until when `ok` waits for the card.
  private var keepingEnd: Instant = 0

  init(_ kept: KeptPractice, _ worker: consuming Job<ChordRequest, ChordReply>) {
    self.kept = kept
    self.worker = worker
  }

  /// The chord, and how it went.
  func screen(_ surroundings: ApplicationSurroundings, _ console: borrowing ConsoleSession) -> ViewApplication? {
    guard let shape = round.shape, phase != .off else { return nil }
    var name = FixedText<16>(round.name.text.bytes)
    switch phase {
    case .told(let isRight, _): name.append(isRight ? " ○" : " ×")
    case .asked: name.append(" ?")
    default: break
    }
    return .chord(ChordReading(name: name, frets: shape.frets, fingers: shape.fingers))
  }

  /// Whether ``tick(_:_:)`` has anything to do.
  func hasWork(for console: borrowing ConsoleSession) -> Bool {
    isBusy || worker.hasNews(for: console) || kept.hasWork
  }

  /// Whether a round is in progress.
  var isBusy: Bool { phase != .off }

  /// - Parameters:
  ///   - tuning: the guitar's tuning.
  ///   - refusal: why the speaker cannot be used.
  mutating func run(
    _ command: PracticeCommand, _ tuning: Tuning, _ refusal: PlayerRefusal?, _ console: inout ConsoleSession
  ) -> Effect? {
    switch command {
    case .ask(let tempo):
      if let refusal { return refuse(refusal.line, &console) }
      if let tempo, tempo != kept.book.beatsPerMinute { kept.change { $0.beatsPerMinute = tempo } }
      worker.wait(until: nil, &console)
      begin(tuning)
    case .answer(let isRight):
      guard case .asked = phase else { return refuse("nothing is asked: practice asks for a chord", &console) }
      worker.wait(until: nil, &console)
      note(isRight, &console)
    case .stop:
      worker.wait(until: nil, &console)
      return end(&console)
    case .progress: tellProgress(&console)
    case .reset: reset(&console)
    }
    return nil
  }

  private func refuse(_ reason: FixedText<128>, _ console: inout ConsoleSession) -> Effect? {
    console.refuse(reason)
    return nil
  }

  /// Takes the buttons `play` and `stop` during a practice.
  mutating func serve(
    _ gesture: Gesture, of button: ApplicationButton, _ console: inout ConsoleSession
  ) -> ServedGesture? {
    guard phase != .off, case .short = gesture else { return nil }
    switch (button, phase) {
    case (.play, .asked): note(true, &console)
    case (.stop, .asked): note(false, &console)
    case (.play, _): begin(round.tuning)
    case (.stop, _): return ServedGesture(effect: end(&console))
    default: return nil
    }
    return ServedGesture(effect: nil)
  }

  mutating func tick(_ format: AudioFormat?, _ console: inout ConsoleSession) -> Effect? {
    kept.step(&console)
    var heard: ChordReply?
    steps: while worker.hasNews(for: console) {
      switch worker.next(&console, endsAtKey: phase != .off && console.isTerminal) {
      case .unattended(let reply, _): (heard, isAsking) = (reply, false)
      case .answered: break
      case .interrupted where phase != .off: return end(&console)
      case .interrupted, .late, .nothing: break steps
      }
    }
    let effect = advance(heard, format, &console)
    completeIfKept(&console)
    return effect
  }

  private mutating func advance(
    _ answer: ChordReply?, _ format: AudioFormat?, _ console: inout ConsoleSession
  ) -> Effect? {
    let now = console.now
    switch phase {
    case .off: break
    case .searching:
      if round.search?.step() != true { return show(&console) }
    case .sounding(let end) where now >= end:
      phase = .countingIn(since: now)
      return .countIn(Rhythm(beatsPerMinute: Double(kept.book.beatsPerMinute)))
    case .countingIn(let start): return countIn(since: start, &console)
    case .listening(let start, let end) where now >= end && !isAsking:
      guard let format else { return ask("the microphone is not open", &console) }
      let seconds = Double(now - start) / 1e9
      let request = ChordRequest(format: format, name: round.name, seconds: seconds)
      isAsking = worker.send(request, &console) != nil
      phase = .judging
    case .judging: if let answer { return judge(answer, &console) }
    case .told(_, let end) where now >= end, .asked(let end) where now >= end:
      guard isPending(console) else { return self.end(&console) }
      begin(round.tuning)
    default: break
    }
    return nil
  }

  private mutating func begin(_ tuning: Tuning) {
    round = PracticeRound(index: kept.book.next, tuning)
    phase = .searching
  }

  /// Shows how the chord is played, once the search is over, and plays it.
  private mutating func show(_ console: inout ConsoleSession) -> Effect? {
    guard let search = round.search, search.count > 0 else {
      tell("\(round.name.text) cannot be played in this tuning: set another with tuning", &console)
      return end(&console)
    }
    let shape = search.shape(at: 0)
    round.search = nil
    round.shape = shape
    let entry = kept.book.entry(at: round.index)
    let standing: FixedText<48> = entry.tries == 0 ? "new" : "\(entry.rightCount) of \(entry.tries) right so far"
    if isPending(console) {
      console.reply("play \(round.name.text): \(standing)" as FixedText<96>)
      console.draw(shape, of: round.name, round.tuning)
    } else {
      console.announce("play \(round.name.text), \(shape.text): \(standing)" as FixedText<96>)
    }
    phase = .sounding(until: console.now + Limits.practiceSoundMilliseconds * 1_000_000)
    return .strum(shape, round.tuning)
  }

  /// Counts four beats. The fifth click is cancelled before it comes.
  private mutating func countIn(since start: Instant, _ console: inout ConsoleSession) -> Effect? {
    let beats = Double(console.now - start) / 60e9 * Double(kept.book.beatsPerMinute)
    let beat = min(4, Int(beats) + 1)
    if beat != round.beat {
      round.beat = beat
      if console.isTerminal, isPending(console) { drawBeats(beat, &console) }
    }
    if beats >= 4 {
      if console.isTerminal, isPending(console) { endBeats("♪\r\n", &console) }
      phase = .listening(since: console.now, until: console.now + listeningNanoseconds)
    } else if beats >= 3.5, round.isCounting {
      round.isCounting = false
      return .countIn(nil)
    }
    return nil
  }

  private var listeningNanoseconds: UInt64 {
    let bar = 4 * 60 / Double(kept.book.beatsPerMinute)
    let seconds = min(max(bar, Limits.practiceSeconds.lowerBound), Limits.practiceSeconds.upperBound)
    return UInt64(seconds * 1e9) + Limits.practiceLateMilliseconds * 1_000_000
  }

  private mutating func judge(_ answer: ChordReply, _ console: inout ConsoleSession) -> Effect? {
    switch answer {
    case .heard(let heard):
      note(heard.isRight, &console, hearing: heard)
      return nil
    case .nothing: return ask("no chord was heard", &console)
    case .tooSoon: return ask("the microphone has only just started", &console)
    case .otherRate: return ask("the microphone's rate has changed since boot: restart the recorder", &console)
    }
  }

  /// Asks the player how it went, as it was not heard.
  private mutating func ask(_ reason: StaticString, _ console: inout ConsoleSession) -> Effect? {
    phase = .asked(until: console.now + Limits.chordSeconds * 1_000_000_000)
    tell("\(reason)", &console)
    tell("was it right? Say practice yes or practice no, or press play or stop", &console)
    if isPending(console) { console.complete() }
    return nil
  }

  private mutating func note(
    _ isRight: Bool, _ console: inout ConsoleSession, hearing heard: HeardChord = HeardChord()
  ) {
    let index = round.index
    let wasLearned = kept.book.entry(at: index).isLearned
    kept.change { $0.note(index, isRight: isRight) }
    let entry = kept.book.entry(at: index)
    let isLearned = entry.isLearned && !wasLearned
    let verdict: StaticString = isRight ? isLearned ? "right, and learned" : "right" : "not right"
    tell("\(round.name.text): \(verdict)\(Self.mistakes(heard, round.name))", &console)
    let rest = console.isTerminal && isPending(console) ? Limits.practiceRestMilliseconds : Limits.chordSeconds * 1000
    phase = .told(isRight: isRight, until: console.now + rest * 1_000_000)
    keepingEnd = console.now + Limits.practiceKeepingMilliseconds * 1_000_000
  }

  /// `: E is missing, Eb does not belong`.
  private static func mistakes(_ heard: HeardChord, _ name: ChordName) -> FixedText<128> {
    var text = FixedText<128>()
    append(heard.missing, name, " is missing", " are missing", to: &text)
    append(heard.foreign, name, " does not belong", " do not belong", to: &text)
    return text
  }

  private static func append(
    _ notes: PitchClassSet, _ name: ChordName, _ one: StaticString, _ several: StaticString,
    to text: inout FixedText<128>
  ) {
    guard notes.count > 0 else { return }
    text.append(text.isEmpty ? ": " : ", ")
    var left = notes.count
    for number in 0..<12 where notes.contains(PitchClass(number)) {
      text.append(name.spelling(of: PitchClass(number)).text)
      left -= 1
      if left > 0 { text.append(left == 1 ? " and " : ", ") }
    }
    text.append(notes.count == 1 ? one : several)
  }

  private mutating func end(_ console: inout ConsoleSession) -> Effect? {
    if case .countingIn = phase, console.isTerminal, isPending(console) { endBeats("\r\n", &console) }
    let isCounting = if case .countingIn = phase { round.isCounting } else { false }
    phase = .off
    round.shape = nil
    return isCounting ? .countIn(nil) : nil
  }

  /// Answers the command once its round is over and on the card; on a terminal the next round follows instead.
  private mutating func completeIfKept(_ console: inout ConsoleSession) {
    guard isPending(console), kept.isKept || console.now >= keepingEnd else { return }
    switch phase {
    case .off: console.complete()
    case .told where !console.isTerminal: console.complete()
    default: break
    }
  }

  private func isPending(_ console: borrowing ConsoleSession) -> Bool { worker.isAwaited(by: console) }

  /// Tells it in the reply if a command is pending, else as an event.
  private func tell(_ line: FixedText<256>, _ console: inout ConsoleSession) {
    if isPending(console) { console.reply(line) } else { console.announce(line) }
  }

  private func drawBeats(_ beat: Int, _ console: inout ConsoleSession) {
    var row = FixedText<160>()
    for number in 1...beat { row.append("\(number) " as FixedText<8>) }
    console.drawRow(row)
  }

  private func endBeats(_ text: StaticString, _ console: inout ConsoleSession) {
    console.draw(text)
    console.endDrawing()
  }
}

/// The phase of a practice round.
private enum PracticePhase: Equatable {
  case off
  /// The shapes of the chord are being computed.
  case searching
  /// The chord is being played.
  case sounding(until: Instant)
  case countingIn(since: Instant)
  /// Somebody plays the chord.
  case listening(since: Instant, until: Instant)
  /// The worker is judging what was played.
  case judging
  /// Only the player knows how it went.
  case asked(until: Instant)
  case told(isRight: Bool, until: Instant)
}

/// The chord that is asked for.
private struct PracticeRound {
  /// The index in ``PracticeBook``.
  var index = 0
  var name = PracticeBook.chord(at: 0)
  var tuning = Tuning.standard
  var search: ChordSearch?
  var shape: ChordShape?
  /// The beat of the count-in.
  var beat = 0
  var isCounting = true

  init() {}

  init(index: Int, _ tuning: Tuning) {
    self.index = index
    name = PracticeBook.chord(at: index)
    self.tuning = tuning
    search = ChordSearch(name, tuning: tuning)
  }
}

extension PracticeService {
  private mutating func reset(_ console: inout ConsoleSession) {
    let count = kept.book.triedCount
    guard count > 0 else { return console.answer("there is no progress to delete") }
    guard console.isOpen(questionUntil: resetAgainEnd) else {
      resetAgainEnd = console.now + Limits.resetAgainSeconds * 1_000_000_000
      return console.ask("delete the results of \(count: count, "chord")", for: Limits.resetAgainSeconds)
    }
    resetAgainEnd = 0
    kept.change {
      let tempo = $0.beatsPerMinute
      $0 = PracticeBook()
      $0.beatsPerMinute = tempo
    }
    keepingEnd = console.now + Limits.practiceKeepingMilliseconds * 1_000_000
    phase = .off
    worker.wait(until: nil, &console)
  }

  /// Prints a row for each root, with a column for each kind.
  private func tellProgress(_ console: inout ConsoleSession) {
    console.reply("right of tries, + or - for the last one, * for learned")
    let kinds: InlineArray<4, ChordKind> = [.major, .minor, .seventh, .minorSeventh]
    for letter in 0..<7 {
      var row = FixedText<96>()
      for column in kinds.indices {
        let name = ChordName(root: NoteName(letter: letter), kind: kinds[column])
        guard let index = PracticeBook.index(of: name) else { continue }
        let cell = cell(name, kept.book.entry(at: index))
        row.append(cell)
        guard column < kinds.count - 1 else { continue }
        for _ in cell.byteCount..<20 { row.append(" ") }
      }
      console.reply(row)
    }
    let book = kept.book
    console.answer("\(book.learnedCount) of \(PracticeBook.count) learned, at \(book.beatsPerMinute) a minute")
  }

  /// `Am7  12 of 15 +*`.
  private func cell(_ name: ChordName, _ entry: PracticeBook.Entry) -> FixedText<32> {
    var cell: FixedText<32> = "\(name.text)"
    while cell.byteCount < 5 { cell.append(" ") }
    guard entry.tries > 0 else {
      cell.append("-")
      return cell
    }
    cell.append("\(entry.rightCount)/\(entry.tries) " as FixedText<24>)
    cell.append(entry.isRight ? "+" : "-")
    if entry.isLearned { cell.append("*") }
    return cell
  }
}

extension Limits {
  /// How long a practised chord sounds before the count-in: long enough to hear it and to place the fingers.
  static var practiceSoundMilliseconds: UInt64 { 2000 }

  /// How long a chord is listened to: a bar, but long enough for a strum to ring, and no longer than sound is kept.
  static var practiceSeconds: ClosedRange<Double> { 2...3 }

  /// The microphone's latency, and the blocks in which sound reaches the sample ring.
  static var practiceLateMilliseconds: UInt64 { 100 }

  /// The pause between an answer and the next chord on a terminal: long enough to read which note was wrong.
  static var practiceRestMilliseconds: UInt64 { 2500 }

  /// How long `practice` waits for the answer to be on the card.
  static var practiceKeepingMilliseconds: UInt64 { 1000 }
}
