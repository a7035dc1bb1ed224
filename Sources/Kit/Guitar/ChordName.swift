import Base

/// The name of a chord, such as `Am7`, `F#m7b5` or `C/G`.
package struct ChordName: BitwiseCopyable, Equatable, Sendable {
  /// The note that the chord is built on.
  package var root: NoteName
  /// The chord's intervals.
  package var kind: ChordKind
  /// The lowest note, if it is named; otherwise it is the root.
  package var bass: NoteName?

  /// - Parameter bass: nil for the root.
  package init(root: NoteName, kind: ChordKind, bass: NoteName? = nil) {
    self.root = root
    self.kind = kind
    self.bass = bass
  }

  /// - Returns: nil if the text is not the name of a known chord.
  @export(interface)
  package init?(_ text: Span<UInt8>) {
    var rest = text.withoutBrackets
    guard let root = NoteName.take(from: &rest) else { return nil }
    self.root = root
    if let slash = Self.lastSlash(in: rest), let kind = ChordKind(rest.extracting(first: slash)) {
      var afterSlash = rest.extracting(droppingFirst: slash + 1)
      if let bass = NoteName.take(from: &afterSlash), afterSlash.isEmpty {
        self.kind = kind
        self.bass = bass
        return
      }
    }
    guard let kind = ChordKind(rest) else { return nil }
    self.kind = kind
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

  /// The number of notes, not counting the bass.
  package var noteCount: Int { kind.intervals.count }

  /// A note of the chord, spelled, from the root on.
  /// - Parameter index: 0..<``noteCount``.
  package func note(at index: Int) -> NoteName { root.raised(by: kind.intervals[index]) }

  /// The pitch classes, not counting the bass.
  package var pitchClasses: PitchClassSet {
    var set = PitchClassSet()
    for index in 0..<noteCount { set.insert(note(at: index).pitchClass) }
    return set
  }

  /// The pitch classes that every shape must have: all but a fifth that may be left out.
  var essentialPitchClasses: PitchClassSet {
    var set = pitchClasses
    if kind.canDropFifth { set.remove(fifth) }
    return set
  }

  /// The pitch classes whose absence is audible: all but a perfect fifth, which is also the root's third harmonic.
  package var audiblePitchClasses: PitchClassSet {
    var set = pitchClasses
    set.remove(fifth)
    return set
  }

  /// A perfect fifth above the root.
  var fifth: PitchClass { PitchClass(root.pitchClass.number + 7) }

  /// The spelling of a note in the chord; any other note by its usual name.
  @export(interface)
  package func spelling(of pitchClass: PitchClass) -> NoteName {
    if let bass, bass.pitchClass == pitchClass { return bass }
    for index in 0..<noteCount where note(at: index).pitchClass == pitchClass { return note(at: index) }
    return NoteName(pitchClass)
  }
}

/// The chords that match a text: first the one that it spells, then those whose names begin with it, then those whose
/// names contain it, in any case. Every kind is there on seventeen roots, counting sharps and flats separately.
package struct ChordNames {
  private enum Order {
    case spelled, beginning, within, none
  }

  private let text: FixedText<32>
  private var order = Order.spelled
  private var root = 0
  private var kind: UInt8 = 0
  private var hasBeginning = false

  private static var roots: StaticString { "C C# Db D D# Eb E F F# Gb G G# Ab A A# Bb B" }

  /// - Parameter text: the text as typed; the root may be a Korean note name.
  package init(finding text: Span<UInt8>) {
    var rest = text
    var plain = FixedText<32>()
    // A letter may begin several roots: A, A sharp, A flat.
    if !text.isEmpty, text[0] >= 0x80, let note = NoteName.take(from: &rest) { plain.append(note.text) }
    plain.append(bytes: rest)
    self.text = plain
  }

  /// The next name; nil if there is none.
  @export(interface)
  package mutating func next() -> ChordName? {
    if order == .spelled {
      order = .beginning
      if let name = ChordName(text.bytes), !name.text.bytes.contains(text.bytes, at: 0) { return name }
    }
    while order != .none {
      while let name = nextCandidate() {
        if isFound(name) { return name }
      }
      root = 0
      // Most names contain any single letter: only those that begin with it are meant.
      order = order == .beginning && !(hasBeginning && text.byteCount == 1) ? .within : .none
    }
    return nil
  }

  private mutating func isFound(_ candidate: ChordName) -> Bool {
    let name = candidate.text
    let begins = name.bytes.contains(text.bytes, at: 0)
    if order == .beginning {
      if begins { hasBeginning = true }
      return begins
    }
    guard !begins else { return false }
    for place in 1..<max(name.byteCount, 1) where name.bytes.contains(text.bytes, at: place) { return true }
    return false
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
  /// Whether `part` is at a place, in any case.
  fileprivate func contains(_ part: Span<UInt8>, at place: Int) -> Bool {
    guard count >= place + part.count else { return false }
    for index in part.indices where self[place + index].lowercased != part[index].lowercased { return false }
    return true
  }

  /// The content of the brackets of a chord in a text, `[Am7]` or `(Am7)`; all of it without brackets.
  fileprivate var withoutBrackets: Span<UInt8> {
    @_lifetime(copy self)
    get {
      guard count > 2 else { return self }
      let isBracketed =
        (self[0] == UInt8(ascii: "[") && self[count - 1] == UInt8(ascii: "]"))
        || (self[0] == UInt8(ascii: "(") && self[count - 1] == UInt8(ascii: ")"))
      return isBracketed ? extracting(1..<count - 1) : self
    }
  }
}

/// The names of a shape: first those with its own bass as the root, then those with another chord note in the bass,
/// then those with a foreign note.
package struct ShapeNames {
  private let sounding: PitchClassSet
  private let bass: PitchClass
  private var order = Order.rooted
  private var root = 0
  private var kind: UInt8 = 0
  /// The notes of each kind on C: parsed from its formula once, not for each of the twelve roots.
  private var notes = InlineArray<96, PitchClassSet>(repeating: PitchClassSet())
  private var essentialNotes = InlineArray<96, PitchClassSet>(repeating: PitchClassSet())

  private enum Order: UInt8 {
    case rooted, inverted, foreignBass
    /// Of a kind that is called so only where nothing else fits.
    case rare
  }

  /// - Returns: nil if no string sounds.
  package init?(_ shape: ChordShape, _ tuning: Tuning) {
    guard let lowest = shape.lowestNote(tuning) else { return nil }
    sounding = shape.pitchClasses(tuning)
    bass = PitchClass(lowest)
    precondition(ChordKind.count <= notes.count, "there are more kinds of chords than places")
    while let kind = ChordKind(rawValue: kind) {
      let name = ChordName(root: NoteName(letter: 0), kind: kind)
      notes[Int(kind.rawValue)] = name.pitchClasses
      essentialNotes[Int(kind.rawValue)] = name.essentialPitchClasses
      self.kind += 1
    }
    kind = 0
  }

  /// The next name; nil if there is none.
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
        if next.isRare == (order == .rare) { return next }
        continue
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
    let notes = self.notes[Int(kind.rawValue)].raised(by: root.pitchClass.number)
    let essential = essentialNotes[Int(kind.rawValue)].raised(by: root.pitchClass.number)
    switch order {
    case .rooted, .rare:
      guard root.pitchClass == bass, sounding.isSubset(of: notes), essential.isSubset(of: sounding) else { return nil }
    case .inverted:
      guard root.pitchClass != bass, notes.contains(bass), sounding.isSubset(of: notes),
        essential.isSubset(of: sounding)
      else { return nil }
      let spelled = name.spelling(of: bass)
      name.bass = spelled.accidental.magnitude > 1 ? NoteName(bass) : spelled
    case .foreignBass:
      guard !notes.contains(bass) else { return nil }
      var others = sounding
      others.remove(bass)
      guard others.isSubset(of: notes), essential.isSubset(of: others) else { return nil }
      name.bass = NoteName(bass)
    }
    return name
  }
}
