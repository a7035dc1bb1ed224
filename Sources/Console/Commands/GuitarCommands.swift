import Base
import Kit

/// The chord commands of the guitar kit.
package enum GuitarCommand: Equatable, Sendable {
  /// Draws and plays a chord.
  case chord(ChordName, ShapeChoice)
  /// `N.C.`, which song sheets print where no chord is played.
  case noChord
  /// Names a shape.
  case find(ChordShape)
  /// Lists the names that begin with or contain this text.
  case search(FixedText<32>)
  case save(ChordName, ShapeChoice)
  case saved
  /// Deletes one saved shape of a chord; nil for all of them.
  case forget(ChordName, ChordShape?)
  /// Sets the open strings; nil prints them.
  case tuning(Tuning?)
}

/// Selects one of a chord's shapes.
package enum ShapeChoice: Equatable, Sendable {
  /// The position in the list, from 1, best first.
  case position(Int)
  /// The shape with these frets.
  case frets(ChordShape)
}

/// What `practice` does.
package enum PracticeCommand: Equatable, Sendable {
  /// Asks for the next chord, from now on at this tempo; nil for the last tempo.
  case ask(beatsPerMinute: Int?)
  /// Tells how it went, if it was not heard.
  case answer(isRight: Bool)
  case stop
  /// Prints the progress with each chord.
  case progress
  /// Clears the progress.
  case reset
}

/// What `metronome` does.
package enum MetronomeAction: Equatable, Sendable {
  /// Prints the present count.
  case show
  case off
  /// Taps the tempo once.
  case tap
  /// Starts or changes the metronome.
  case count(Rhythm)
}

extension CommandTable {
  static func visitGuitar(_ visit: CommandVisitor) {
    visit(
      "chord", .kit, "NAME [N]|find|search|…", "show how a chord is played on a guitar",
      "NAME is Am7 or C/G; N its position or frets. Also: find x32010, search m7, save NAME [N], saved, forget NAME [FRETS].",
      Examples("chord Am7", "chord C/G 2"), Command.parseChord)
    visit(
      "tuning", .kit, "[NOTES|standard]", "show or set the tuning of the open strings",
      "NOTES are six, the lowest string first, such as DADGAD or Eb Ab Db Gb Bb Eb; they are kept across restarts.",
      Examples("tuning DADGAD"), Command.parseTuning)
    visit(
      "metronome", .kit, "[BPM [BEATS [PARTS]]]", "metronome; off ends it, tap sets its tempo",
      "BPM is 20 to 400, BEATS 1 to 16 to a bar, PARTS 1 to 4 to a beat. metronome tap or the play button taps the tempo.",
      Examples("metronome 120 4 2", "metronome off"), Command.parseMetronome)
    visit(
      "practice", .kit, "[BPM|progress|…]", "ask for a chord, and check how it is played",
      "28 chords, counted in at BPM, 40 to 200. Also: yes, no (how it went, if not heard), progress, stop, reset.",
      Examples("practice 80", "practice progress"), Command.parsePractice)
    visit(
      "tuner", .kit, "[HZ]", "show the pitch of what the microphone hears",
      "HZ is the pitch of A4, 390 to 466 (440 if left out); on a terminal the needle follows until a key is pressed.",
      Examples("tuner 442"), Command.parseTuner)
  }
}

extension Command {
  static func parseChord(_ arguments: inout Arguments) throws(CommandError) -> Command {
    let word = arguments.next()
    guard let word else { throw wrong(nil, "chord", "a name such as Am7, or find, search, save, saved or forget") }
    if word.equals("find") { return .guitar(.find(try shape(arguments.takeRest()))) }
    if word.equals("search") { return .guitar(.search(try text(arguments.next(), "chord search", "a part of a name"))) }
    if word.equals("saved") { return .guitar(.saved) }
    if word.equals("forget") {
      let name = try chord(arguments.next(), "chord forget")
      guard let frets = arguments.next() else { return .guitar(.forget(name, nil)) }
      return .guitar(.forget(name, try shape(frets)))
    }
    if word.equals("save") {
      let name = try chord(arguments.next(), "chord save")
      return .guitar(.save(name, try choice(arguments.next(), "chord save")))
    }
    if word.equals("N.C.") || word.equals("N.C") || word.equals("NC") { return .guitar(.noChord) }
    let name = try chord(word, "chord")
    return .guitar(.chord(name, try choice(arguments.next(), "chord")))
  }

  static func parseTuning(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let notes = arguments.takeRest() else { return .guitar(.tuning(nil)) }
    if notes.equals("standard") { return .guitar(.tuning(.standard)) }
    do throws(Tuning.Problem) {
      return .guitar(.tuning(try Tuning(notes)))
    } catch {
      throw wrong(notes, "tuning", "six notes such as EADGBE, the lowest string first, or standard")
    }
  }

  static func parseMetronome(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .player(.metronome(.show)) }
    if word.equals("off") { return .player(.metronome(.off)) }
    if word.equals("tap") { return .player(.metronome(.tap)) }
    guard let tempo = word.parseDecimal(), GuitarLimits.beatsPerMinute.contains(tempo) else {
      throw wrong(word, "metronome", "20…400 beats a minute, off or tap")
    }
    let beats = try count(arguments.next(), orElse: 4, GuitarLimits.beatsPerBar, "1…16 beats to a bar")
    let clicks = try count(arguments.next(), orElse: 1, GuitarLimits.clicksPerBeat, "1…4 clicks to a beat")
    return .player(.metronome(.count(Rhythm(beatsPerMinute: tempo, beats: beats, subdivisions: clicks))))
  }

  static func parsePractice(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .practice(.ask(beatsPerMinute: nil)) }
    if word.equals("yes") { return .practice(.answer(isRight: true)) }
    if word.equals("no") { return .practice(.answer(isRight: false)) }
    if word.equals("stop") { return .practice(.stop) }
    if word.equals("progress") { return .practice(.progress) }
    if word.equals("reset") { return .practice(.reset) }
    guard let tempo = word.parseInteger(as: Int.self), GuitarLimits.practiceTempo.contains(tempo) else {
      throw wrong(word, "practice", "40…200 beats a minute, yes, no, progress, stop or reset")
    }
    return .practice(.ask(beatsPerMinute: tempo))
  }

  static func parseTuner(_ arguments: inout Arguments) throws(CommandError) -> Command {
    guard let word = arguments.next() else { return .tuner(referenceHertz: 440) }
    guard let hertz = word.parseDecimal(), PitchLimits.referenceHertz.contains(hertz) else {
      throw wrong(word, "tuner", "390…466 Hz, or nothing for 440")
    }
    return .tuner(referenceHertz: hertz)
  }

  private static func chord(
    _ word: Span<UInt8>?, _ command: StaticString
  ) throws(CommandError) -> ChordName {
    guard let word, let name = ChordName(word) else { throw wrong(word, command, "a chord such as Am7, F#m7b5 or C/G") }
    return name
  }

  private static func shape(_ words: Span<UInt8>?) throws(CommandError) -> ChordShape {
    guard let words, let shape = ChordShape(words) else {
      throw wrong(words, "chord find", "six frets, the lowest string first, x for a muted one, such as x32010")
    }
    return shape
  }

  private static func choice(
    _ word: Span<UInt8>?, _ command: StaticString
  ) throws(CommandError) -> ShapeChoice {
    guard let word else { return .position(1) }
    if let shape = ChordShape(word) { return .frets(shape) }
    guard let number = word.parseInteger(as: Int.self), number >= 1, number <= GuitarLimits.shapes else {
      throw wrong(word, command, "a position, from 1, or six frets such as x32010")
    }
    return .position(number)
  }

  private static func count(
    _ word: Span<UInt8>?, orElse usual: Int, _ range: ClosedRange<Int>, _ expected: StaticString
  ) throws(CommandError) -> Int {
    guard let word else { return usual }
    guard let number = word.parseInteger(as: Int.self), range.contains(number) else {
      throw wrong(word, "metronome", expected)
    }
    return number
  }
}
