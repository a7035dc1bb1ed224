import Base

/// The chords whose names begin with a text, in any case: every kind on seventeen roots, sharps and flats apart.
package struct ChordNames {
  private let prefix: FixedText<32>
  private var root = 0
  private var kind: UInt8 = 0

  private static var roots: StaticString { "C C# Db D D# Eb E F F# Gb G G# Ab A A# Bb B" }

  /// - Parameter prefix: as it is typed; the root may be a Korean note name.
  package init(beginningWith prefix: Span<UInt8>) {
    var rest = prefix
    var text = FixedText<32>()
    // A letter may be the beginning of several roots: A, A sharp, A flat.
    if !prefix.isEmpty, prefix[0] >= 0x80, let note = NoteName.take(from: &rest) { text.append(note.text) }
    text.append(bytes: rest)
    self.prefix = text
  }

  /// The next name; nil when there is none.
  package mutating func next() -> ChordName? {
    while let name = nextCandidate() {
      if name.text.bytes.begins(with: prefix.bytes) { return name }
    }
    return nil
  }

  private mutating func nextCandidate() -> ChordName? {
    var words = QuotedWords(Self.roots.utf8Bytes)
    for _ in 0..<root { _ = try? words.next() }
    guard let word = try? words.next(), let chord = ChordName(word.bytes), let kind = ChordKind(rawValue: kind) else {
      return nil
    }
    self.kind += 1
    if self.kind == ChordKind.count {
      self.kind = 0
      root += 1
    }
    return ChordName(root: chord.root, kind: kind)
  }
}

extension Span where Element == UInt8 {
  fileprivate func begins(with prefix: Span<UInt8>) -> Bool {
    guard count >= prefix.count else { return false }
    for index in prefix.indices where self[index].lowerCase != prefix[index].lowerCase { return false }
    return true
  }
}

extension UInt8 {
  fileprivate var lowerCase: UInt8 { self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self | 0x20 : self }
}
