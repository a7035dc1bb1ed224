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
