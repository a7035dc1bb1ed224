import Base
import Foundation
import Kit
import TestSupport
import Testing

/// Whether chords are recognized, on strings plucked by sox and on the project's own.
@Suite struct ChordListenerTests {
  private static let format = AudioFormat(sampleRateHz: 48_000, channelCount: 1, sampleFormat: .int16)
  private static let kinds: [ChordKind] = [.major, .minor, .seventh, .minorSeventh]
  private static let names = (0..<7).flatMap { letter in
    kinds.map { ChordName(root: NoteName(letter: letter), kind: $0) }
  }

  /// What a player plays when asked for a chord.
  private enum Playing: String, CaseIterable {
    case theChord = "the chord"
    /// A finger is one fret beside its place.
    case besideAString = "one string a semitone off"
    case majorForMinor = "major for minor, minor for major"
    case withoutSeventh = "no seventh where one is asked for"
    case withSeventh = "a seventh where none is asked for"
    case another = "another of the 28"
  }

  /// The MIDI numbers of the notes played, lowest first; nil if the mistake is not possible.
  private static func notes(_ playing: Playing, of name: ChordName, _ generator: inout SeededGenerator) -> [Int]? {
    var played = name
    switch (playing, name.kind) {
    case (.theChord, _), (.besideAString, _): break
    case (.majorForMinor, .major): played.kind = .minor
    case (.majorForMinor, .minor): played.kind = .major
    case (.majorForMinor, .seventh): played.kind = .minorSeventh
    case (.majorForMinor, _): played.kind = .seventh
    case (.withoutSeventh, .seventh): played.kind = .major
    case (.withoutSeventh, .minorSeventh): played.kind = .minor
    case (.withSeventh, .major): played.kind = .seventh
    case (.withSeventh, .minor): played.kind = .minorSeventh
    case (.withoutSeventh, _), (.withSeventh, _): return nil
    case (.another, _): played = names.filter { $0 != name }.randomElement(using: &generator)!
    }
    let voicings = complete(played)
    // In half of the cases the voicing that chord books show first.
    let voicing = Bool.random(using: &generator) ? voicings[0] : voicings.randomElement(using: &generator)!
    guard playing == .besideAString else { return voicing }
    while true {
      var notes = voicing
      notes[Int.random(in: 0..<notes.count, using: &generator)] += Bool.random(using: &generator) ? 1 : -1
      if set(notes) != name.pitchClasses { return notes }
    }
  }

  /// The first positions of a chord that sound all of its notes.
  private static func complete(_ name: ChordName) -> [[Int]] {
    var search = ChordSearch(name, tuning: .standard)
    search.run()
    return (0..<search.count).map { search.shape(at: $0) }.filter {
      $0.pitchClasses(.standard) == name.pitchClasses && $0.soundingCount > 3
    }.prefix(8).map { shape in
      (0..<6).filter { shape.frets[$0] >= 0 }.map { Tuning.standard.note($0, fret: Int(shape.frets[$0])) }
    }
  }

  private static func set(_ notes: [Int]) -> PitchClassSet {
    var set = PitchClassSet()
    for note in notes { set.insert(PitchClass(note)) }
    return set
  }

  private protocol Instrument {
    mutating func sound(_ notes: [Int], _ generator: inout SeededGenerator) throws -> [Double]
  }

  /// Strings plucked by sox, all of them in tune, or 10 cents flat or sharp, with random levels.
  private struct SoxStrings: Instrument {
    private var plucks: [Double: [Double]] = [:]

    mutating func sound(_ notes: [Int], _ generator: inout SeededGenerator) throws -> [Double] {
      let detuning = [-0.1, 0, 0.1].randomElement(using: &generator)!
      var chord = [Double](repeating: 0, count: 120_000)
      for (string, note) in notes.enumerated() {
        let pluck = try pluck(Double(note) + detuning)
        let level = Double.random(in: 0.6...1.4, using: &generator)
        for index in 0..<min(pluck.count, chord.count - 1200 * string) {
          chord[1200 * string + index] += level * pluck[index]
        }
      }
      return chord
    }

    private mutating func pluck(_ note: Double) throws -> [Double] {
      if let known = plucks[note] { return known }
      let raw = try ForeignProgram.run(
        "sox", ["-R", "-n", "-r", "48000", "-c", "1", "-t", "s16", "-", "synth", "2.5", "pluck", "%\(note - 69)"])
      let samples = stride(from: 0, to: raw.count - 1, by: 2).map {
        Double(Int16(bitPattern: UInt16(raw[$0]) | UInt16(raw[$0 + 1]) << 8))
      }
      let power = samples.reduce(0) { $0 + $1 * $1 } / Double(samples.count)
      plucks[note] = samples.map { $0 / power.squareRoot() }
      return plucks[note]!
    }
  }

  /// The strings with which the recorder plays a chord, each plucked with other noise.
  private struct OwnStrings: Instrument {
    func sound(_ notes: [Int], _ generator: inout SeededGenerator) throws -> [Double] {
      var memory = leakedBootMemory()
      var strings = try unwrapped(PluckedStrings(sampleRateHz: 48_000, in: &memory))
      // Six open strings that sound these notes, as frets of a tuning.
      var frets = InlineArray<6, Int8>(repeating: -1)
      for (string, note) in notes.enumerated() where string < 6 {
        frets[string] = Int8(clamping: note - Tuning.standard.note(string, fret: 0))
      }
      let shape = ChordShape(frets: frets)
      for _ in 0..<Int.random(in: 1...20, using: &generator) { strings.strum(shape, .standard) }
      var samples = [Float](repeating: 0, count: 120_000)
      var span = samples.mutableSpan
      strings.render(frameCount: 120_000, into: &span)
      return samples.map { Double($0) }
    }
  }

  /// 20 dB above white noise.
  private static func withNoise(_ samples: [Double], _ generator: inout SeededGenerator) -> [Double] {
    let power = samples.reduce(0) { $0 + $1 * $1 } / Double(samples.count)
    let scale = 0.08 / power.squareRoot()
    return samples.map { sample in
      // The same power as normal noise at a tenth of the chord's level.
      let noise = Double.random(in: -1...1, using: &generator) * 3.0.squareRoot() * 0.008
      return max(-1, min(1, sample * scale + noise))
    }
  }

  /// How often each was accepted as the chord.
  private static func accepted(
    _ instrument: inout some Instrument, rounds: Int, seed: UInt64
  ) throws -> [Playing: (count: Int, of: Int)] {
    var generator = SeededGenerator(seed: seed)
    let rig = try ListeningRig(format, seconds: 4)
    var results: [Playing: (count: Int, of: Int)] = [:]
    for _ in 0..<rounds {
      for name in names {
        for playing in Playing.allCases {
          guard let notes = notes(playing, of: name, &generator) else { continue }
          rig.play(withNoise(try instrument.sound(notes, &generator), &generator))
          let answer = try rig.listen(for: name, seconds: 2.5)
          results[playing, default: (0, 0)].of += 1
          if answer == .heard(HeardChord()) { results[playing, default: (0, 0)].count += 1 }
        }
      }
    }
    return results
  }

  private static func tell(_ instrument: String, _ results: [Playing: (count: Int, of: Int)]) {
    for playing in Playing.allCases {
      guard let result = results[playing] else { continue }
      print("chord of \(instrument): \(playing.rawValue): \(result.count) of \(result.of) taken for right")
    }
  }

  private static func expect(
    _ results: [Playing: (count: Int, of: Int)], right: Double, wrong: Double,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for (playing, result) in results {
      let rate = Double(result.count) / Double(result.of)
      if playing == .theChord {
        #expect(rate >= right, "\(playing.rawValue)", sourceLocation: sourceLocation)
      } else {
        #expect(rate <= wrong, "\(playing.rawValue)", sourceLocation: sourceLocation)
      }
    }
  }

  @Test("Of chords that sox plucks, detuned, in several voicings, with noise, the right ones are accepted, no others")
  func hearsForeignStrings() throws {
    var strings = SoxStrings()
    let results = try Self.accepted(&strings, rounds: Cases.count(2, of: 6), seed: 21)
    Self.tell("sox", results)
    Self.expect(results, right: 0.97, wrong: 0.02)
  }

  @Test("Of chords of the project's own strings too")
  func hearsOwnStrings() throws {
    var strings = OwnStrings()
    let results = try Self.accepted(&strings, rounds: Cases.count(2, of: 4), seed: 22)
    Self.tell("own strings", results)
    Self.expect(results, right: 0.82, wrong: 0.12)
  }

  @Test("What is missing and what does not belong is told by its name")
  func tellsNotes() throws {
    let rig = try ListeningRig(Self.format, seconds: 4)
    var strings = SoxStrings()
    var generator = SeededGenerator(seed: 13)
    let name = ChordName(root: NoteName(letter: 0), kind: .major)
    func hears(_ notes: [Int]) throws -> HeardChord? {
      rig.play(Self.withNoise(try strings.sound(notes, &generator), &generator))
      guard case .heard(let heard) = try rig.listen(for: name, seconds: 2.5) else { return nil }
      return heard
    }
    #expect(try hears([48, 52, 55, 60, 64]) == HeardChord())
    // E flat instead of E.
    #expect(try hears([48, 55, 60, 63, 67]) == HeardChord(missing: Self.set([4]), foreign: Self.set([3])))
    // The open A string instead of the C on it.
    #expect(try hears([45, 52, 55, 60, 64]) == HeardChord(foreign: Self.set([9])))
    // A missing fifth passes, because it cannot be detected.
    #expect(try hears([48, 52, 60, 64]) == HeardChord())
    // Strummed late, after a knock.
    let chord = try strings.sound([48, 52, 55, 60, 64], &generator).map { $0 / 40 }
    let knock = (0..<4800).map { _ in Double.random(in: -0.9...0.9, using: &generator) }
    rig.play(knock + [Double](repeating: 0, count: 40_000) + chord.prefix(75_200))
    #expect(try rig.listen(for: name, seconds: 2.5) == .heard(HeardChord()))
    // Played softly, beside a clock that ticks loudly.
    rig.play(
      try strings.sound([48, 52, 55, 60, 64], &generator).enumerated().map { frame, sample in
        let tick = frame % 24_000
        return sample / 100 + (tick < 240 ? 0.6 * cos(Double(tick) * 2 * .pi / 48) : 0)
      })
    #expect(try rig.listen(for: name, seconds: 2.5) == .heard(HeardChord()))
    // Only C and G.
    #expect(try hears([48, 55, 60])?.missing == Self.set([4]))
  }

  @Test("What lies far above a chord is not mirrored among its notes")
  func mirrorsNothing() throws {
    let rig = try ListeningRig(Self.format, seconds: 4)
    var strings = SoxStrings()
    var generator = SeededGenerator(seed: 15)
    // At 8,000 Hz, the rate of chord detection, these two would alias to an E of 165 Hz and one of 330 Hz.
    let whistle = (0..<120_000).map { (frame: Int) -> Double in
      let radians = Double(frame) * 2 * Double.pi / 48_000
      return 10 * sin(radians * 7_835.2) + 10 * sin(radians * 7_670.4)
    }
    let chord = try strings.sound([48, 55, 60], &generator)
    rig.play(Self.withNoise(zip(chord, whistle).map { $0 + $1 }, &generator))
    let heard = try rig.listen(for: ChordName(root: NoteName(letter: 0), kind: .major), seconds: 2.5)
    #expect(heard == .heard(HeardChord(missing: Self.set([4]))))
  }

  @Test("Silence, noise, a click and a constant part are no chord, and too short or strange a sound is told")
  func hearsNothing() throws {
    let rig = try ListeningRig(Self.format, seconds: 4)
    var generator = SeededGenerator(seed: 14)
    let name = ChordName(root: NoteName(letter: 5), kind: .minorSeventh)
    #expect(try rig.listen(for: name, seconds: 2.5) == .tooSoon)
    let count = 120_000
    let noise = (0..<count).map { _ in Double.random(in: -0.3...0.3, using: &generator) }
    let clicks = (0..<count).map { $0 % 48_000 < 240 ? 0.5 * cos(Double($0) * 2 * .pi / 48) : 0 }
    let room = clicks.map { $0 + Double.random(in: -0.001...0.001, using: &generator) }
    for sound in [[Double](repeating: 0, count: count), [Double](repeating: 0.5, count: count), noise, clicks, room] {
      rig.play(sound)
      #expect(try rig.listen(for: name, seconds: 2.5) == .nothing)
    }
    #expect(try rig.listen(for: name, seconds: 2.5, rateHz: 44_100) == .otherRate)
  }
}
