import Base

/// The application on the display, with the data to draw it. A take's time and faults always stay visible.
package enum ViewApplication: BitwiseCopyable, Equatable, Sendable {
  /// The camera's picture.
  case viewfinder
  /// The content of ``ViewStatus/player``, large.
  case player
  case hangulClock(HangulBoardLevels)
  case tuner(TunerReading)
  case chord(ChordReading)
  case metronome(MetronomeReading)
}

/// The brightness of each syllable in the Hangul clock's grid.
package struct HangulBoardLevels: BitwiseCopyable, Equatable, Sendable {
  /// Row by row from the upper left, 0 (unlit) to 255.
  package var levels: InlineArray<36, UInt8>

  package init(_ levels: InlineArray<36, UInt8>) { self.levels = levels }

  package static func == (one: Self, other: Self) -> Bool {
    for index in one.levels.indices where one.levels[index] != other.levels[index] { return false }
    return true
  }
}

package struct TunerReading: BitwiseCopyable, Equatable, Sendable {
  /// A MIDI note number, 0…127: 69 is A4. Nil while no pitch is heard.
  package var note: UInt8?
  /// How far the pitch is above the note, in hundredths of a semitone, -50…50.
  package var cents: Float
  package var hertz: Float
  package var referenceHertz: Float

  package init(note: UInt8?, cents: Float, hertz: Float, referenceHertz: Float) {
    self.note = note
    self.cents = cents
    self.hertz = hertz
    self.referenceHertz = referenceHertz
  }
}

/// A chord's fingering.
package struct ChordReading: BitwiseCopyable, Equatable, Sendable {
  /// Such as `F#m7b5`, at most 16 bytes of UTF-8.
  package var name: FixedText<16>
  /// One per string, lowest first, 0…24: 0 for open, -1 for muted.
  package var frets: InlineArray<6, Int8>
  /// One per string: 1 (index finger) to 4 (little finger), 0 for none.
  package var fingers: InlineArray<6, Int8>

  package init(name: FixedText<16>, frets: InlineArray<6, Int8>, fingers: InlineArray<6, Int8>) {
    self.name = name
    self.frets = frets
    self.fingers = fingers
  }

  package static func == (one: Self, other: Self) -> Bool {
    for string in 0..<6 where one.frets[string] != other.frets[string] || one.fingers[string] != other.fingers[string] {
      return false
    }
    return one.name == other.name
  }
}

/// The metronome's tempo, and the beat that sounds.
package struct MetronomeReading: BitwiseCopyable, Equatable, Sendable {
  /// Beats per minute.
  package var tempo: Float
  /// Beats in a bar, 1…16.
  package var beatCount: UInt8
  /// The beat that sounded last, 0 for the accented one.
  package var beat: UInt8

  package init(tempo: Float, beatCount: UInt8, beat: UInt8) {
    self.tempo = tempo
    self.beatCount = beatCount
    self.beat = beat
  }
}

extension ViewApplication {
  /// 64-bit words in shared memory: the number of the application, then its data.
  static var wordCount: Int { 6 }

  func write(to words: inout ViewStatus.Words, from start: Int) {
    switch self {
    case .viewfinder: words[start] = 0
    case .player: words[start] = 1
    case .hangulClock(let board):
      words[start] = 2
      for index in board.levels.indices { setByte(board.levels[index], at: index, of: &words, from: start + 1) }
    case .tuner(let reading):
      words[start] = 3
      words[start + 1] = reading.note.map { UInt64($0) } ?? .max
      words[start + 2] = pair(reading.cents, reading.hertz)
      words[start + 3] = pair(reading.referenceHertz, 0)
    case .chord(let reading):
      words[start] = 4
      words[start + 1] = UInt64(reading.name.byteCount)
      for index in 0..<reading.name.byteCount {
        setByte(reading.name.bytes[index], at: index, of: &words, from: start + 2)
      }
      for string in 0..<6 {
        setByte(UInt8(bitPattern: reading.frets[string]), at: string, of: &words, from: start + 4)
        setByte(UInt8(bitPattern: reading.fingers[string]), at: string, of: &words, from: start + 5)
      }
    case .metronome(let reading):
      words[start] = 5
      words[start + 1] = pair(reading.tempo, 0)
      words[start + 2] = UInt64(reading.beatCount) | UInt64(reading.beat) << 8
    }
  }

  /// Accepts any words: an unknown application becomes the viewfinder, an invalid value the nearest valid one.
  init(_ words: ViewStatus.Words, from start: Int) {
    switch words[start] {
    case 1: self = .player
    case 2:
      var levels = InlineArray<36, UInt8>(repeating: 0)
      for index in levels.indices { levels[index] = byte(of: words, at: index, from: start + 1) }
      self = .hangulClock(HangulBoardLevels(levels))
    case 3:
      self = .tuner(
        TunerReading(
          note: words[start + 1] < 128 ? UInt8(words[start + 1]) : nil,
          cents: first(words[start + 2], within: -50...50), hertz: second(words[start + 2], within: 0...100_000),
          referenceHertz: first(words[start + 3], within: 0...1_000)))
    case 4: self = .chord(ChordReading(words, from: start))
    case 5:
      let beatCount = min(16, max(1, UInt8(truncatingIfNeeded: words[start + 2])))
      self = .metronome(
        MetronomeReading(
          tempo: first(words[start + 1], within: 0...1_000), beatCount: beatCount,
          beat: min(beatCount - 1, UInt8(truncatingIfNeeded: words[start + 2] >> 8))))
    default: self = .viewfinder
    }
  }
}

extension ChordReading {
  fileprivate init(_ words: ViewStatus.Words, from start: Int) {
    var name = FixedText<16>()
    for index in 0..<min(16, Int(words[start + 1] & 0xFF)) {
      name.append(byte: byte(of: words, at: index, from: start + 2))
    }
    var frets = InlineArray<6, Int8>(repeating: 0)
    var fingers = InlineArray<6, Int8>(repeating: 0)
    for string in 0..<6 {
      frets[string] = min(24, max(-1, Int8(bitPattern: byte(of: words, at: string, from: start + 4))))
      fingers[string] = min(4, max(0, Int8(bitPattern: byte(of: words, at: string, from: start + 5))))
    }
    self.init(name: name, frets: frets, fingers: fingers)
  }
}
