import Base

/// A player's saved chords, each with the chosen shapes, and the tuning. The text has one line for each.
package struct ChordBook {
  /// A saved chord.
  package struct Entry: BitwiseCopyable, Sendable {
    package var name: ChordName
    /// The shape in which it is played.
    package var shape: ChordShape

    package init(name: ChordName, shape: ChordShape) {
      self.name = name
      self.shape = shape
    }
  }

  private var entries = InlineArray<48, Entry>(
    repeating: Entry(
      name: ChordName(root: NoteName(letter: 0), kind: .major), shape: ChordShape(frets: InlineArray(repeating: -1))))
  package private(set) var count = 0
  /// Whether each line that it was read from was understood.
  package private(set) var isWhole = true
  /// The open strings.
  package var tuning = Tuning.standard

  /// The most entries.
  package var capacity: Int { entries.count }

  /// An empty book.
  package init() {}

  /// Parses a text. Lines that are not understood, from a later version or damaged, are skipped.
  @export(interface)
  package init(_ text: Span<UInt8>) {
    text.forEachLine { line in if !take(line) { isWhole = false } }
  }

  private mutating func take(_ line: Span<UInt8>) -> Bool {
    if let notes = line.removingPrefix("tuning ") {
      guard let tuning = try? Tuning(notes) else { return false }
      self.tuning = tuning
      return true
    }
    var words = QuotedWords(line)
    guard (try? words.next())?.bytes.equals("chord") == true, let name = try? words.next(),
      let chord = ChordName(name.bytes)
    else { return false }
    let word = try? words.next()
    if let word, let shape = ChordShape(word.bytes) { return save(Entry(name: chord, shape: shape)) }
    // Earlier versions kept the number of the shape, in the order of the search.
    let position = word?.bytes.parseInteger(as: Int.self)
    var search = ChordSearch(chord, tuning: tuning)
    search.run()
    guard search.count > 0 else { return false }
    let isSaved = save(Entry(name: chord, shape: search.shape(at: max(1, min(position ?? 1, search.count)) - 1)))
    return isSaved && (word == nil || position != nil)
  }

  /// An entry, in the order of saving.
  package func entry(at index: Int) -> Entry { entries[index] }

  /// Saves a shape of a chord, without duplicates.
  /// - Returns: false if the book is full.
  package mutating func save(_ entry: Entry) -> Bool {
    for index in 0..<count where entries[index].name == entry.name && entries[index].shape == entry.shape {
      return true
    }
    guard count < capacity else { return false }
    entries[count] = entry
    count += 1
    return true
  }

  /// Deletes a shape of a chord; for nil all of the chord's.
  /// - Returns: false if there was none.
  package mutating func forget(_ name: ChordName, _ shape: ChordShape?) -> Bool {
    let before = count
    count = 0
    for index in 0..<before {
      let entry = entries[index]
      if entry.name == name, shape == nil || entry.shape == shape { continue }
      entries[count] = entry
      count += 1
    }
    return count < before
  }

  /// The whole text, to be read again.
  @export(interface)
  package var text: FixedText<2048> {
    var text = FixedText<2048>()
    if tuning != .standard { text.append("tuning \(tuning.text)\n" as FixedText<48>) }
    for index in 0..<count {
      text.append("chord \(entries[index].name.text) \(entries[index].shape.text)\n" as FixedText<64>)
    }
    return text
  }
}
