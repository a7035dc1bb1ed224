import Base

/// A shape as a chord book draws it, in plain ASCII: strings from left to right, frets from top to bottom, and in the grid
/// the fingers' numbers.
package struct ChordDiagram {
  private let shape: ChordShape
  private let tuning: Tuning
  /// The fret of the first row.
  private let firstFret: Int

  /// The nut and the first three frets where the shape fits them, or its own frets.
  package init(_ shape: ChordShape, _ tuning: Tuning) {
    self.shape = shape
    self.tuning = tuning
    firstFret = shape.highestFret <= 4 ? 1 : shape.position
  }

  /// The strings' names, what is open or damped, the nut, and the frets.
  package var lineCount: Int { 3 + max(4, shape.highestFret - firstFret + 1) }

  /// A line, with at most 26 columns.
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
  /// What sounds, from the lowest string on, in the spelling of a chord, with octaves: `C3 E3 G3 C4 E4`.
  package func noteText(_ name: ChordName, _ tuning: Tuning) -> FixedText<64> {
    var text = FixedText<64>()
    for string in frets.indices where frets[string] >= 0 {
      let note = tuning.note(string, fret: Int(frets[string]))
      let spelled = name.spelling(of: PitchClass(note))
      if !text.isEmpty { text.append(" ") }
      // B sharp lies an octave below the C that it sounds like.
      text.append(spelled.text)
      text.append(integer: (note - spelled.accidental) / 12 - 1)
    }
    return text
  }
}
