import Base
import Console
import Kit
import Machine
import Record
import Wire

/// Chords on the console: how they are played, what shapes are called, and the shapes that somebody saves.
struct GuitarService: Application, ~Copyable {
  private let place = StaysInPlace()
  private var book: ChordBook
  /// The content of the file.
  private var writtenBook: ChordBook
  private let file: KeptText
  private var search: ChordSearch?
  /// The last chord that was shown, and until when it is on the display.
  private var shown: (chord: ChordReading, end: Instant)?

  /// Reads the saved chords. If the file cannot be read, only its content is missing.
  init(_ file: KeptText, in storage: inout Storage) {
    var book = ChordBook()
    file.readOrSetAside(from: &storage) { text in
      book = ChordBook(text)
      return book.isWhole
    }
    self.book = book
    writtenBook = book
    self.file = file
  }

  /// The open strings.
  var tuning: Tuning { book.tuning }

  mutating func run(_ command: GuitarCommand, _ console: inout ConsoleSession) {
    switch command {
    case .chord(let name, let choice):
      search = ChordSearch(name, tuning: book.tuning)
      console.pending = .guitar(.searching(choice))
    case .noChord: console.answer("no chord is played")
    case .find(let shape): tellNames(shape, &console)
    case .search(let text): tellNames(finding: text, &console)
    case .save(let name, let choice):
      search = ChordSearch(name, tuning: book.tuning)
      console.pending = .guitar(.choosing(choice))
    case .forget(let name, let shape):
      guard book.forget(name, shape) else { return console.refuse("\(name.text) is not saved" as FixedText<64>) }
      keep(&console)
    case .saved: tellSaved(&console)
    case .tuning(nil): console.answer("tuning \(book.tuning.text)")
    case .tuning(let tuning?):
      book.tuning = tuning
      keep(&console)
    }
  }

  /// At each tick while a command is pending. A search covers one hand position per tick.
  /// - Returns: the effect of playing the chord, if it is to be heard.
  mutating func advance(_ reply: GuitarReply, _ console: inout ConsoleSession) -> Effect? {
    switch reply {
    case .searching(let choice), .choosing(let choice):
      if console.takeInterrupt() {
        console.complete()
      } else if search?.step() != true {
        guard let (search, position) = found(choice, &console) else { break }
        guard case .choosing = reply else { return tellShape(search, position, &console) }
        save(search.name, search.shape(at: position - 1), &console)
      }
    case .saving:
      guard !file.isBeingWritten else { break }
      answerSaving(&console)
    }
    return nil
  }

  /// The last chord that was asked for, shown for a while.
  func screen(_ surroundings: ApplicationSurroundings, _ console: borrowing ConsoleSession) -> ViewApplication? {
    guard let shown, console.now < shown.end else { return nil }
    return .chord(shown.chord)
  }

  private mutating func keep(_ console: inout ConsoleSession) {
    // Each command waits until its text is written.
    file.write(book.text)
    console.pending = .guitar(.saving)
  }

  private mutating func answerSaving(_ console: inout ConsoleSession) {
    if let failure = file.failure {
      book = writtenBook
      return console.refuse(failure.line)
    }
    writtenBook = book
    console.complete()
  }

  private mutating func save(_ name: ChordName, _ shape: ChordShape, _ console: inout ConsoleSession) {
    guard book.save(ChordBook.Entry(name: name, shape: shape)) else {
      return console.refuse("\(book.capacity) chords are saved: forget one first" as FixedText<64>)
    }
    keep(&console)
  }

  /// Takes the shape that was asked for, once the search has ended.
  private mutating func found(
    _ choice: ShapeChoice, _ console: inout ConsoleSession
  ) -> (search: ChordSearch, position: Int)? {
    guard let search else { return nil }
    self.search = nil
    switch choice {
    case .position(let position):
      if position <= search.count { return (search, position) }
    case .frets(let shape):
      for index in 0..<search.count where search.shape(at: index) == shape { return (search, index + 1) }
    }
    refuse(choice, search, &console)
    return nil
  }

  private func refuse(_ choice: ShapeChoice, _ search: ChordSearch, _ console: inout ConsoleSession) {
    let name = search.name.text
    guard search.count > 0 else { return console.refuse("\(name) cannot be played in this tuning" as FixedText<64>) }
    switch choice {
    case .position: console.refuse("\(name) has \(count: search.count, "position")" as FixedText<64>)
    case .frets(let shape): console.refuse("\(shape.text) is none of the shapes of \(name)" as FixedText<96>)
    }
  }

  private mutating func tellShape(_ search: ChordSearch, _ position: Int, _ console: inout ConsoleSession) -> Effect? {
    let name = search.name
    let shape = search.shape(at: position - 1)
    console.reply("\(name.text), position \(position) of \(search.count)" as FixedText<64>)
    console.draw(shape, of: name, search.tuning)
    console.complete()
    shown = (
      ChordReading(name: FixedText(name.text.bytes), frets: shape.frets, fingers: shape.fingers),
      end: console.now + Limits.chordSeconds * 1_000_000_000
    )
    return .strum(shape, search.tuning)
  }

  private func tellNames(_ shape: ChordShape, _ console: inout ConsoleSession) {
    var row = WordRow()
    if var names = ShapeNames(shape, book.tuning) {
      while let name = names.next() { row.add(name.text, &console) }
    }
    row.end(orSay: "no known name fits", &console)
  }

  private func tellNames(finding text: FixedText<32>, _ console: inout ConsoleSession) {
    var row = WordRow()
    var names = ChordNames(finding: text.bytes)
    while let name = names.next() { row.add(name.text, &console) }
    row.end(orSay: "no chord has this in its name", &console)
  }

  private func tellSaved(_ console: inout ConsoleSession) {
    for index in 0..<book.count {
      let entry = book.entry(at: index)
      console.reply("\(entry.name.text) \(entry.shape.text)" as FixedText<64>)
    }
    console.complete()
  }
}

extension ConsoleSession {
  /// Draws how a chord is played.
  mutating func draw(_ shape: ChordShape, of name: ChordName, _ tuning: Tuning) {
    let diagram = ChordDiagram(shape, tuning)
    for index in 0..<diagram.lineCount { reply(diagram.line(at: index)) }
    reply("frets \(shape.text), fingers \(shape.fingerText)" as FixedText<64>)
    var notes = FixedText<64>()
    for index in 0..<name.noteCount {
      if index > 0 { notes.append(" ") }
      notes.append(name.note(at: index).text)
    }
    reply("notes \(notes): \(shape.noteText(name, tuning))" as FixedText<128>)
  }
}

/// Words arranged in terminal rows.
private struct WordRow {
  private var line = FixedText<80>()
  private var isEmpty = true

  mutating func add(_ word: FixedText<24>, _ console: inout ConsoleSession) {
    if line.byteCount + word.byteCount + 1 >= 80 { flush(&console) }
    if !line.isEmpty { line.append(" ") }
    line.append(word)
    isEmpty = false
  }

  /// Ends the reply.
  /// - Parameter nothing: the refusal if there were no words.
  mutating func end(orSay nothing: StaticString, _ console: inout ConsoleSession) {
    guard !isEmpty else { return console.refuse("\(nothing)" as FixedText<64>) }
    flush(&console)
    console.complete()
  }

  private mutating func flush(_ console: inout ConsoleSession) {
    console.reply(line)
    line.removeAll()
  }
}

extension Limits {
  /// How long the display shows a chord that was asked for: long enough to place the fingers and to try it.
  static var chordSeconds: UInt64 { 30 }
}
