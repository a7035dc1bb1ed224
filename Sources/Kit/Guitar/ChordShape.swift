import Base

/// The frets at which strings are pressed, and the fingers that press them.
package struct ChordShape: BitwiseCopyable, Equatable, Sendable {
  /// The fret of each string, lowest string first: 0 for open, -1 for muted.
  package internal(set) var frets: InlineArray<6, Int8>
  /// The finger on each string: 1 (the index) to 4 (the little finger), 0 for none.
  package internal(set) var fingers = InlineArray<6, Int8>(repeating: 0)

  /// - Parameter frets: the fret of each string, lowest string first; 0 for open, -1 for muted.
  package init(frets: InlineArray<6, Int8>) { self.frets = frets }

  /// Parses six frets, lowest string first: `x32010`, or separated by spaces, hyphens or commas, `x-10-12-12-12-10`.
  /// - Returns: nil for anything else, and for frets above 24.
  package init?(_ text: Span<UInt8>) {
    frets = InlineArray(repeating: -1)
    let isPlain = text.count == GuitarLimits.strings
    var string = 0
    var index = 0
    while index < text.count {
      if text[index].separatesFrets {
        index += 1
        continue
      }
      let start = index
      repeat { index += 1 } while !isPlain && index < text.count && !text[index].separatesFrets
      let word = text.extracting(start..<index)
      guard string < frets.count, let fret = Self.fret(word) else { return nil }
      frets[string] = fret
      string += 1
    }
    guard string == frets.count else { return nil }
  }

  private static func fret(_ word: Span<UInt8>) -> Int8? {
    if word.equals("x") || word.equals("X") { return -1 }
    guard let fret = word.parseInteger(as: Int8.self), fret >= 0, fret <= 24 else { return nil }
    return fret
  }

  /// The lowest fret that is pressed; 0 if none is.
  package var position: Int {
    var lowest: Int8 = 0
    for string in frets.indices where frets[string] > 0 {
      lowest = lowest == 0 ? frets[string] : min(lowest, frets[string])
    }
    return Int(lowest)
  }

  /// The highest fret that is pressed; 0 if none is.
  package var highestFret: Int {
    var highest: Int8 = 0
    for string in frets.indices { highest = max(highest, frets[string]) }
    return Int(highest)
  }

  /// The number of strings that sound.
  package var soundingCount: Int {
    var count = 0
    for string in frets.indices where frets[string] >= 0 { count += 1 }
    return count
  }

  /// The pitch classes that sound.
  package func pitchClasses(_ tuning: Tuning) -> PitchClassSet {
    var set = PitchClassSet()
    for string in frets.indices where frets[string] >= 0 {
      set.insert(PitchClass(tuning.note(string, fret: Int(frets[string]))))
    }
    return set
  }

  /// The lowest note that sounds; nil if none does.
  package func lowestNote(_ tuning: Tuning) -> Int? {
    var lowest: Int?
    for string in frets.indices where frets[string] >= 0 {
      let note = tuning.note(string, fret: Int(frets[string]))
      lowest = min(lowest ?? note, note)
    }
    return lowest
  }

  /// `x32010`; `x-10-12-12-12-10` if a fret has two digits.
  package var text: FixedText<24> {
    var text = FixedText<24>()
    let isWide = highestFret > 9
    for string in frets.indices {
      if string > 0, isWide { text.append("-") }
      if frets[string] < 0 { text.append("x") } else { text.append(integer: frets[string]) }
    }
    return text
  }

  /// The fingers in the same order: `x32010`, 0 for an open string.
  package var fingerText: FixedText<8> {
    var text = FixedText<8>()
    for string in fingers.indices {
      if frets[string] < 0 { text.append("x") } else { text.append(integer: fingers[string]) }
    }
    return text
  }

  /// Whether the same strings are pressed at the same frets.
  package static func == (left: ChordShape, right: ChordShape) -> Bool {
    for string in left.frets.indices where left.frets[string] != right.frets[string] { return false }
    return true
  }
}

extension UInt8 {
  fileprivate var separatesFrets: Bool {
    self == UInt8(ascii: " ") || self == UInt8(ascii: "-") || self == UInt8(ascii: ",") || self == UInt8(ascii: ".")
  }
}

/// A shape drawn as in a chord book, in plain ASCII: strings from left to right, frets from top to bottom, and the
/// finger numbers in the grid.
package struct ChordDiagram {
  private let shape: ChordShape
  private let tuning: Tuning
  /// The fret of the first row.
  private let firstFret: Int

  /// Begins with the nut and the first three frets if the shape fits, otherwise with the shape's lowest fret.
  package init(_ shape: ChordShape, _ tuning: Tuning) {
    self.shape = shape
    self.tuning = tuning
    firstFret = shape.highestFret <= 4 ? 1 : shape.position
  }

  /// The lines of string names, of open or muted strings, of the nut, and of the frets.
  package var lineCount: Int { 3 + max(4, shape.highestFret - firstFret + 1) }

  /// A line of at most 26 columns.
  /// - Parameter index: 0..<``lineCount``.
  package func line(at index: Int) -> FixedText<64> {
    switch index {
    case 0: return names
    case 1: return heads
    case 2: return firstFret == 1 ? "    ================" : "    ----------------"
    default: return row(fret: firstFret + index - 3)
    }
  }

  private var names: FixedText<64> {
    var line: FixedText<64> = "    "
    for string in shape.frets.indices { append(tuning.name(of: string).text, to: &line, isLast: string == 5) }
    return line
  }

  private var heads: FixedText<64> {
    var line: FixedText<64> = "    "
    for string in shape.frets.indices {
      let head: StaticString = shape.frets[string] < 0 ? "x" : shape.frets[string] == 0 ? "o" : " "
      append("\(head)", to: &line, isLast: string == 5)
    }
    return line
  }

  private func append(_ cell: FixedText<8>, to line: inout FixedText<64>, isLast: Bool) {
    line.append(cell)
    guard !isLast else { return }
    for _ in cell.byteCount..<3 { line.append(" ") }
  }

  private func row(fret: Int) -> FixedText<64> {
    var line: FixedText<64> = fret < 10 ? " \(fret)  " : "\(fret)  "
    let barre = barre(at: fret)
    for string in shape.frets.indices {
      if shape.frets[string] == fret { line.append(integer: shape.fingers[string]) } else { line.append("|") }
      let isCovered = barre.map { string >= $0.lowerBound && string < $0.upperBound } ?? false
      if string < 5 { line.append(isCovered ? "--" : "  ") }
    }
    return line
  }

  /// The strings that one finger covers at a fret, from the first to the last.
  private func barre(at fret: Int) -> ClosedRange<Int>? {
    for finger in 1...4 {
      var first: Int?
      var last = 0
      for string in shape.frets.indices where shape.frets[string] == fret && shape.fingers[string] == finger {
        first = first ?? string
        last = string
      }
      if let first, last > first { return first...last }
    }
    return nil
  }
}

extension ChordShape {
  /// The notes that sound, from the lowest string on, spelled as in a chord, with octaves: `C3 E3 G3 C4 E4`.
  package func noteText(_ name: ChordName, _ tuning: Tuning) -> FixedText<64> {
    var text = FixedText<64>()
    for string in frets.indices where frets[string] >= 0 {
      let note = tuning.note(string, fret: Int(frets[string]))
      let spelled = name.spelling(of: PitchClass(note))
      if !text.isEmpty { text.append(" ") }
      // B sharp is an octave below the C that it sounds like.
      text.append(spelled.text)
      text.append(integer: (note - spelled.accidental) / 12 - 1)
    }
    return text
  }
}
