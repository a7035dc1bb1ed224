import Base

/// A chord by its name, such as `Am7`, `F#m7b5` or `C/G`.
package struct ChordName: BitwiseCopyable, Equatable, Sendable {
  /// The note that it is built on.
  package var root: NoteName
  /// What it is built of.
  package var kind: ChordKind
  /// The lowest note, where it is named; else it is the root.
  package var bass: NoteName?

  /// - Parameter bass: nil for the root.
  package init(root: NoteName, kind: ChordKind, bass: NoteName? = nil) {
    self.root = root
    self.kind = kind
    self.bass = bass
  }

  /// - Returns: nil when the text is no name of a chord that is known here.
  @export(interface)
  package init?(_ text: Span<UInt8>) {
    var rest = text
    guard let root = NoteName.take(from: &rest) else { return nil }
    self.root = root
    if let kind = ChordKind(rest) {
      self.kind = kind
      return
    }
    guard let slash = Self.lastSlash(in: rest) else { return nil }
    var afterSlash = rest.extracting(droppingFirst: slash + 1)
    guard let kind = ChordKind(rest.extracting(first: slash)), let bass = NoteName.take(from: &afterSlash),
      afterSlash.isEmpty
    else { return nil }
    self.kind = kind
    self.bass = bass
  }

  private static func lastSlash(in text: Span<UInt8>) -> Int? {
    var index = text.count - 1
    while index >= 0 {
      if text[index] == UInt8(ascii: "/") { return index }
      index -= 1
    }
    return nil
  }

  /// The name as it is usually written.
  package var text: FixedText<24> {
    guard let bass else { return "\(root.text)\(kind.name)" }
    return "\(root.text)\(kind.name)/\(bass.text)"
  }

  /// The pitch class that the lowest string must have.
  var lowest: PitchClass { (bass ?? root).pitchClass }

  /// How many notes it has, the bass not counted.
  package var noteCount: Int { kind.intervals.count }

  /// Its notes, spelled, from the root on.
  /// - Parameter index: 0..<``noteCount``.
  package func note(at index: Int) -> NoteName { root.raised(by: kind.intervals[index]) }

  /// Its notes as they sound, the bass not counted.
  package var pitchClasses: PitchClassSet {
    var set = PitchClassSet()
    for index in 0..<noteCount { set.insert(note(at: index).pitchClass) }
    return set
  }

  /// Those that every shape must have: all but a fifth that may be left out.
  var essentialPitchClasses: PitchClassSet {
    var set = pitchClasses
    if kind.canDropFifth { set.remove(fifth) }
    return set
  }

  /// Those whose absence can be heard: all but the perfect fifth, which sounds in the root's third harmonic as well.
  package var audiblePitchClasses: PitchClassSet {
    var set = pitchClasses
    set.remove(fifth)
    return set
  }

  /// A perfect fifth above the root.
  var fifth: PitchClass { PitchClass(root.pitchClass.number + 7) }

  /// A note of the chord by the name that it has in it; any other by its usual name.
  @export(interface)
  package func spelling(of pitchClass: PitchClass) -> NoteName {
    if let bass, bass.pitchClass == pitchClass { return bass }
    for index in 0..<noteCount where note(at: index).pitchClass == pitchClass { return note(at: index) }
    return NoteName(pitchClass)
  }
}

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

/// The names that a shape has: those of its own bass first, then those with a chord's note in the bass, then those with
/// another.
package struct ShapeNames {
  private let sounding: PitchClassSet
  private let bass: PitchClass
  private var order = Order.rooted
  private var root = 0
  private var kind: UInt8 = 0

  private enum Order: UInt8 {
    case rooted, inverted, foreignBass
  }

  /// - Returns: nil when no string sounds.
  package init?(_ shape: ChordShape, _ tuning: Tuning) {
    guard let lowest = shape.lowestNote(tuning) else { return nil }
    sounding = shape.pitchClasses(tuning)
    bass = PitchClass(lowest)
  }

  /// The next name; nil when there is none.
  @export(interface)
  package mutating func next() -> ChordName? {
    while true {
      guard let kind = nextKind() else { return nil }
      let root = NoteName(PitchClass(self.root))
      if let name = name(root, kind) { return name }
    }
  }

  private mutating func nextKind() -> ChordKind? {
    while true {
      if let next = ChordKind(rawValue: kind) {
        kind += 1
        return next
      }
      kind = 0
      root += 1
      if root < 12 { continue }
      root = 0
      guard let next = Order(rawValue: order.rawValue + 1) else { return nil }
      order = next
    }
  }

  private func name(_ root: NoteName, _ kind: ChordKind) -> ChordName? {
    var name = ChordName(root: root, kind: kind)
    let notes = name.pitchClasses
    switch order {
    case .rooted: guard root.pitchClass == bass, fits(name, sounding) else { return nil }
    case .inverted:
      guard root.pitchClass != bass, notes.contains(bass), fits(name, sounding) else { return nil }
      let spelled = name.spelling(of: bass)
      name.bass = spelled.accidental.magnitude > 1 ? NoteName(bass) : spelled
    case .foreignBass:
      guard !notes.contains(bass) else { return nil }
      var others = sounding
      others.remove(bass)
      guard fits(name, others) else { return nil }
      name.bass = NoteName(bass)
    }
    return name
  }

  private func fits(_ name: ChordName, _ notes: PitchClassSet) -> Bool {
    notes.isSubset(of: name.pitchClasses) && name.essentialPitchClasses.isSubset(of: notes)
  }
}
