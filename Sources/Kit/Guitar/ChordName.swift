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
  package func spelling(of pitchClass: PitchClass) -> NoteName {
    if let bass, bass.pitchClass == pitchClass { return bass }
    for index in 0..<noteCount where note(at: index).pitchClass == pitchClass { return note(at: index) }
    return NoteName(pitchClass)
  }
}
