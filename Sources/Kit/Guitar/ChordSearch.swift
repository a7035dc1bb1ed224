/// Computes the shapes that can be played of a chord, one position of the hand a step.
///
/// A shape sounds no note that is not in the name, all that are but a fifth that may be left out, and the named bass as
/// the lowest; a hand reaches it with four fingers.
package struct ChordSearch {
  /// What is searched.
  package let name: ChordName
  /// For these open strings.
  package let tuning: Tuning
  /// The next position; 0 for the open strings alone.
  private var position = 0
  private let wanted: PitchClassSet
  private let essential: PitchClassSet
  /// The best first, once the search has ended.
  private var found = InlineArray<208, RankedShape>(repeating: RankedShape())
  /// How many were found.
  package private(set) var count = 0
  /// Where those of the present position begin.
  private var positionStart = 0

  /// A search that has not begun.
  package init(_ name: ChordName, tuning: Tuning) {
    self.name = name
    self.tuning = tuning
    wanted = name.pitchClasses
    essential = name.essentialPitchClasses
    precondition(found.count == GuitarLimits.shapes, "the table of shapes has another size than its limit")
  }

  /// Searches one position.
  /// - Returns: false once all were searched, and the shapes are in their order.
  package mutating func step() -> Bool {
    guard position <= GuitarLimits.highestPosition else { return false }
    positionStart = count
    extend(ChordShape(frets: InlineArray(repeating: -1)), string: 0, innerMutes: 0)
    rankWithinPosition()
    position += 1
    if position > GuitarLimits.highestPosition { sort(from: 0) }
    return true
  }

  /// Searches all positions: not for the loop.
  package mutating func run() { while step() {} }

  /// A shape, from the best on.
  /// - Parameter index: 0..<``count``.
  package func shape(at index: Int) -> ChordShape { found[index].shape }

  /// Tries all that the strings from `string` on can do.
  private mutating func extend(_ shape: ChordShape, string: Int, innerMutes: Int) {
    guard string < GuitarLimits.strings else { return consider(shape) }
    extend(shape, string: string + 1, innerMutes: innerMutes)
    // Strings that were damped before this one, after one that sounds.
    var mutes = innerMutes
    var last = string - 1
    while last >= 0, shape.frets[last] < 0 { last -= 1 }
    if last >= 0 { mutes += string - 1 - last }
    guard mutes <= GuitarLimits.innerMutes else { return }
    let isLowest = last < 0
    press(shape, string, fret: 0, isLowest: isLowest, mutes)
    guard position > 0 else { return }
    for fret in position...position + GuitarLimits.reach(at: position) {
      press(shape, string, fret: fret, isLowest: isLowest, mutes)
    }
  }

  private mutating func press(_ shape: ChordShape, _ string: Int, fret: Int, isLowest: Bool, _ innerMutes: Int) {
    let pitch = PitchClass(tuning.note(string, fret: fret))
    guard isLowest ? pitch == name.lowest : wanted.contains(pitch) || pitch == name.lowest else { return }
    var shape = shape
    shape.frets[string] = Int8(fret)
    extend(shape, string: string + 1, innerMutes: innerMutes)
  }

  private mutating func consider(_ shape: ChordShape) {
    guard shape.position == position, shape.soundingCount >= GuitarLimits.leastStrings else { return }
    let sounding = shape.pitchClasses(tuning)
    guard essential.isSubset(of: sounding), let lowest = shape.lowestNote(tuning),
      PitchClass(lowest) == name.lowest, bassIsAlone(shape, sounding), let fingering = Fingering.easiest(of: shape)
    else { return }
    var shape = shape
    shape.fingers = fingering.fingers
    let lacksFifth = name.kind.canDropFifth && !sounding.contains(name.fifth)
    // Each note once, as jazz guitarists lay four-note chords out.
    let isClose = name.noteCount > 3 && shape.soundingCount == name.noteCount && sounding.count == name.noteCount
    let cost = fingering.effort + Self.cost(of: shape) + (lacksFifth ? 8 : 0) - (isClose ? 14 : 0)
    insert(RankedShape(shape: shape, cost: cost))
  }

  /// A bass that is not a note of the chord sounds only as the lowest.
  private func bassIsAlone(_ shape: ChordShape, _ sounding: PitchClassSet) -> Bool {
    guard !wanted.contains(name.lowest) else { return true }
    var count = 0
    for string in shape.frets.indices where shape.frets[string] >= 0 {
      if PitchClass(tuning.note(string, fret: Int(shape.frets[string]))) == name.lowest { count += 1 }
    }
    return count == 1
  }

  /// How far it is from what a chord book shows first: low on the neck, little reach, open strings where the hand is near
  /// them, and no strings damped in the middle or at the top.
  private static func cost(of shape: ChordShape) -> Int {
    let position = shape.position
    let reaches: InlineArray<5, Int> = [0, 6, 12, 28, 40]
    let openCost = shape.highestFret < 4 ? -10 : shape.highestFret == 4 ? 8 : 12
    var cost = 7 * position + (position > 0 ? reaches[shape.highestFret - position] : 0)
    var mutes = 0
    for string in shape.frets.indices {
      if shape.frets[string] == 0 { cost += openCost }
      guard shape.frets[string] >= 0 else {
        mutes += 1
        continue
      }
      if mutes > 0 { cost += muteCost(shape, before: string, count: mutes) }
      mutes = 0
    }
    return cost + 20 * mutes
  }

  /// Strings damped below one that sounds: the lowest, which are not struck, or one that the finger on the string before
  /// touches with its tip, as in chords that are moved along the neck; with open strings it is a poor choice.
  private static func muteCost(_ shape: ChordShape, before string: Int, count: Int) -> Int {
    guard string > count else { return 4 * count * (count + 1) }
    for string in shape.frets.indices where shape.frets[string] == 0 { return 64 }
    return 28
  }

  /// Keeps the best of a position.
  private mutating func insert(_ shape: RankedShape) {
    let isFull = count - positionStart == GuitarLimits.shapesPerPosition
    if isFull, shape.cost >= found[count - 1].cost { return }
    var place = isFull ? count - 1 : count
    while place > positionStart, found[place - 1].cost > shape.cost {
      found[place] = found[place - 1]
      place -= 1
    }
    found[place] = shape
    if !isFull { count += 1 }
  }

  /// The next position's best comes before this one's variations.
  private mutating func rankWithinPosition() {
    for index in positionStart..<count { found[index].cost += 8 * (index - positionStart) }
  }

  /// By insertion: of equal cost the lower position stays first.
  private mutating func sort(from start: Int) {
    for index in start..<count {
      let shape = found[index]
      var place = index
      while place > start, found[place - 1].cost > shape.cost {
        found[place] = found[place - 1]
        place -= 1
      }
      found[place] = shape
    }
  }
}

/// A shape and how hard it is to like.
struct RankedShape {
  var shape = ChordShape(frets: InlineArray(repeating: -1))
  var cost = 0
}
