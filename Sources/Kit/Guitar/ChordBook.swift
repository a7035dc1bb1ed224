import Base

/// What a player keeps: chords with the position that was chosen, and the tuning. It is a small text, a line for each.
package struct ChordBook {
  /// A chord that was saved.
  package struct Entry: BitwiseCopyable, Sendable {
    /// Its name.
    package var name: ChordName
    /// Which of its shapes, from 1 on.
    package var position: Int

    /// A chord at one of its positions.
    package init(name: ChordName, position: Int) {
      self.name = name
      self.position = position
    }
  }

  private var entries = InlineArray<48, Entry>(
    repeating: Entry(name: ChordName(root: NoteName(letter: 0), kind: .major), position: 1))
  /// How many chords there are.
  package private(set) var count = 0
  /// The open strings.
  package var tuning = Tuning.standard

  /// The most chords that it holds.
  package var capacity: Int { entries.count }

  /// An empty one.
  package init() {}

  /// Lines that are not understood, of a later version or damaged, are skipped.
  @export(interface)
  package init(_ text: Span<UInt8>) {
    text.forEachLine { line in take(line) }
  }

  private mutating func take(_ line: Span<UInt8>) {
    if let notes = line.removingPrefix("tuning ") {
      if let tuning = try? Tuning(notes) { self.tuning = tuning }
      return
    }
    var words = QuotedWords(line)
    guard (try? words.next())?.bytes.equals("chord") == true, let name = try? words.next(),
      let chord = ChordName(name.bytes)
    else { return }
    let position = (try? words.next())?.bytes.parseInteger(as: Int.self) ?? 1
    _ = save(Entry(name: chord, position: max(1, position)))
  }

  /// A chord, in the order in which they were saved.
  package func entry(at index: Int) -> Entry { entries[index] }

  /// Keeps a chord, or another position of one that is kept.
  /// - Returns: false when it is full.
  package mutating func save(_ entry: Entry) -> Bool {
    for index in 0..<count where entries[index].name == entry.name {
      entries[index] = entry
      return true
    }
    guard count < capacity else { return false }
    entries[count] = entry
    count += 1
    return true
  }

  /// - Returns: false when the chord was not there.
  package mutating func forget(_ name: ChordName) -> Bool {
    for index in 0..<count where entries[index].name == name {
      for later in index + 1..<max(count, index + 1) { entries[later - 1] = entries[later] }
      count -= 1
      return true
    }
    return false
  }

  /// All of it, to be read again.
  package var text: FixedText<2048> {
    var text = FixedText<2048>()
    if tuning != .standard { text.append("tuning \(tuning.text)\n" as FixedText<48>) }
    for index in 0..<count {
      text.append("chord \(entries[index].name.text) \(entries[index].position)\n" as FixedText<48>)
    }
    return text
  }
}
