import Base

/// What a player keeps: chords with the shapes that were chosen, several of a chord if wanted, and the tuning. It is a
/// small text, a line for each.
package struct ChordBook {
  /// A chord that was saved.
  package struct Entry: BitwiseCopyable, Sendable {
    /// Its name.
    package var name: ChordName
    /// How it is played.
    package var shape: ChordShape

    /// A chord in one of its shapes.
    package init(name: ChordName, shape: ChordShape) {
      self.name = name
      self.shape = shape
    }
  }

  private var entries = InlineArray<48, Entry>(
    repeating: Entry(
      name: ChordName(root: NoteName(letter: 0), kind: .major), shape: ChordShape(frets: InlineArray(repeating: -1))))
  /// How many chords there are.
  package private(set) var count = 0
  /// Whether each line that it was read from was understood.
  package private(set) var isWhole = true
  /// The open strings.
  package var tuning = Tuning.standard

  /// The most chords that it holds.
  package var capacity: Int { entries.count }

  /// An empty one.
  package init() {}

  /// Lines that are not understood, of a later version or damaged, are skipped.
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

  /// A chord, in the order in which they were saved.
  package func entry(at index: Int) -> Entry { entries[index] }

  /// Keeps a shape of a chord, once.
  /// - Returns: false when it is full.
  package mutating func save(_ entry: Entry) -> Bool {
    for index in 0..<count where entries[index].name == entry.name && entries[index].shape == entry.shape {
      return true
    }
    guard count < capacity else { return false }
    entries[count] = entry
    count += 1
    return true
  }

  /// Drops a shape of a chord; without a shape all of the chord's.
  /// - Returns: false when there was none.
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

  /// All of it, to be read again.
  package var text: FixedText<2048> {
    var text = FixedText<2048>()
    if tuning != .standard { text.append("tuning \(tuning.text)\n" as FixedText<48>) }
    for index in 0..<count {
      text.append("chord \(entries[index].name.text) \(entries[index].shape.text)\n" as FixedText<64>)
    }
    return text
  }
}
