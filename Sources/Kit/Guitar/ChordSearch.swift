/// Computes the playable shapes of a chord, one hand position per step.
///
/// A shape has no note outside the name, all notes of the name except a fifth that may be left out, and the named bass
/// as its lowest note; four fingers can reach it.
package struct ChordSearch {
  package let name: ChordName
  package let tuning: Tuning
  /// The next position; 0 for open strings only.
  private var position = 0
  private let wanted: PitchClassSet
  private let essential: PitchClassSet
  private let book: BookForms
  /// The shapes, best first once the search has ended.
  private var found = InlineArray<208, RankedShape>(repeating: RankedShape())
  /// The number of shapes found.
  package private(set) var count = 0
  /// The index of the first shape of the present position.
  private var positionStart = 0

  /// A search that has not begun.
  @export(interface)
  package init(_ name: ChordName, tuning: Tuning) {
    self.name = name
    self.tuning = tuning
    wanted = name.pitchClasses
    essential = name.essentialPitchClasses
    book = BookForms(name, tuning)
    precondition(found.count == GuitarLimits.shapes, "the table of shapes has another size than its limit")
  }

  /// Searches one position.
  /// - Returns: false once all positions are searched and the shapes are sorted.
  @export(interface)
  package mutating func step() -> Bool {
    guard position <= GuitarLimits.highestPosition else { return false }
    positionStart = count
    extend(ChordShape(frets: InlineArray(repeating: -1)), string: 0, innerMutes: 0)
    rankWithinPosition()
    position += 1
    if position > GuitarLimits.highestPosition { sort(from: 0) }
    return true
  }

  /// Searches all positions: not for use in the loop.
  package mutating func run() { while step() {} }

  /// A shape, best first.
  /// - Parameter index: 0..<``count``.
  package func shape(at index: Int) -> ChordShape { found[index].shape }

  /// Tries all combinations for the strings from `string` on.
  private mutating func extend(_ shape: ChordShape, string: Int, innerMutes: Int) {
    guard string < GuitarLimits.strings else { return consider(shape) }
    extend(shape, string: string + 1, innerMutes: innerMutes)
    // Muted strings before this one and after one that sounds.
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
    // Each note once, as jazz guitarists voice four-note chords.
    let isClose = name.noteCount > 3 && shape.soundingCount == name.noteCount && sounding.count == name.noteCount
    var cost = fingering.effort + Self.cost(of: shape) + (lacksFifth ? 8 : 0) - (isClose ? 14 : 0)
    // Costs are in the hundreds: the shapes of books come before all computed ones.
    if let rank = book.rank(of: shape) { cost = 20 * rank - 10_000 }
    insert(RankedShape(shape: shape, cost: cost))
  }

  /// Whether a bass outside the chord sounds only as the lowest note.
  private func bassIsAlone(_ shape: ChordShape, _ sounding: PitchClassSet) -> Bool {
    guard !wanted.contains(name.lowest) else { return true }
    var count = 0
    for string in shape.frets.indices where shape.frets[string] >= 0 {
      if PitchClass(tuning.note(string, fret: Int(shape.frets[string]))) == name.lowest { count += 1 }
    }
    return count == 1
  }

  /// How far the shape is from what a chord book shows first: low on the neck, a small stretch, open strings if the
  /// hand is near them, and no muted strings in the middle or at the top.
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

  /// The cost of muted strings below one that sounds: the lowest ones, which are not struck, or one that the tip of the
  /// finger on the string before touches, as in movable chords; with open strings it is a poor choice.
  private static func muteCost(_ shape: ChordShape, before string: Int, count: Int) -> Int {
    guard string > count else { return 4 * count * (count + 1) }
    for string in shape.frets.indices where shape.frets[string] == 0 { return 64 }
    return 28
  }

  /// Keeps the best shapes of a position.
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

  /// Ranks the best shape of the next position before the variations of this one.
  private mutating func rankWithinPosition() {
    for index in positionStart..<count { found[index].cost += 8 * (index - positionStart) }
  }

  /// An insertion sort: of equal costs the lower position stays first.
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

/// A shape and its cost, lowest for the best.
struct RankedShape {
  var shape = ChordShape(frets: InlineArray(repeating: -1))
  var cost = 0
}

/// Assigns fingers to strings: the easiest way with four fingers, where the index may lie across several strings (a
/// barre) and one other may press neighbouring strings at one fret.
struct Fingering {
  /// The finger on each string: 1 to 4, 0 for none.
  private(set) var fingers = InlineArray<6, Int8>(repeating: 0)
  /// How hard the shape is for the hand: less is easier.
  private(set) var effort = 0
  /// The same, for deciding whether to use a barre.
  private var cost = 0

  /// The place of one finger.
  private struct Grip {
    var fret: Int8
    var firstString: Int
    var lastString: Int
  }

  private let frets: InlineArray<6, Int8>
  private let position: Int8
  private var grips = InlineArray<6, Grip>(repeating: Grip(fret: 0, firstString: 0, lastString: 0))
  private var gripCount = 0

  private static var fingerEffort: Int { 8 }
  private static var barreEffort: Int { 4 }
  /// Less than a finger, so that a barre is used if it saves one.
  private static var barreCost: Int { 7 }
  /// The cost of each string under the barre that another finger presses: the open D chord is not played with a barre.
  private static var coveredCost: Int { 3 }
  private static var neighboursEffort: Int { 10 }
  /// Index and middle finger at one fret, others two or more frets up.
  private static var crampEffort: Int { 30 }

  /// - Returns: nil if four fingers cannot press the shape.
  static func easiest(of shape: ChordShape) -> Fingering? {
    let plain = Fingering(shape, barre: nil)
    guard let barre = barre(of: shape), let barred = Fingering(shape, barre: barre) else { return plain }
    guard let plain, plain.cost <= barred.cost else { return barred }
    return plain
  }

  /// The strings that the index covers from its tip on: it would mute an open one, and cannot skip one.
  private static func barre(of shape: ChordShape) -> Range<Int>? {
    let position = Int8(shape.position)
    guard position > 0 else { return nil }
    var first: Int?
    var end = 0
    for string in shape.frets.indices where shape.frets[string] == position {
      first = first ?? string
      end = string + 1
    }
    guard let first, end - first > 1 else { return nil }
    for string in first..<shape.frets.count {
      let fret = shape.frets[string]
      guard fret > 0 || (fret < 0 && string >= end) else { return nil }
    }
    return first..<end
  }

  private init?(_ shape: ChordShape, barre: Range<Int>?) {
    frets = shape.frets
    position = Int8(shape.position)
    collectGrips(barre)
    let available = barre == nil ? 4 : 3
    var hasNeighbours = false
    if gripCount > available {
      guard pressNeighbours(), gripCount <= available else { return nil }
      hasNeighbours = true
    }
    layFingers(barre)
    effort = Self.fingerEffort * gripCount + (hasNeighbours ? Self.neighboursEffort : 0)
    if barre == nil, isCramped { effort += Self.crampEffort }
    cost = effort
    guard let barre else { return }
    effort += Self.fingerEffort + Self.barreEffort
    cost += Self.fingerEffort + Self.barreCost
    for string in barre where frets[string] > position { cost += Self.coveredCost }
  }

  private var isCramped: Bool {
    gripCount > 2 && grips[1].fret == position && grips[gripCount - 1].fret > position + 1
  }

  /// Collects one grip for each string that is pressed outside the barre, by fret and then by string.
  private mutating func collectGrips(_ barre: Range<Int>?) {
    guard position > 0 else { return }
    for fret in position...position + Int8(GuitarLimits.reach(at: Int(position))) {
      for string in frets.indices where frets[string] == fret {
        if fret == position, let barre, barre.contains(string) { continue }
        grips[gripCount] = Grip(fret: fret, firstString: string, lastString: string)
        gripCount += 1
      }
    }
  }

  /// Presses neighbouring strings at one fret, the highest possible, with one finger: two with its tip, more if it may
  /// lie across all higher strings. At the lowest fret the barre does this.
  private mutating func pressNeighbours() -> Bool {
    var end = gripCount
    while end > 1, grips[end - 1].fret > position {
      var start = end - 1
      while start > 0, grips[start - 1].fret == grips[start].fret,
        grips[start - 1].lastString + 1 == grips[start].firstString
      {
        start -= 1
      }
      let last = grips[end - 1].lastString
      if !isSounding(above: last) {
        if end - start > 1 { return merge(start, end) }
      } else if end - start > 1, frets[last + 1] != 0 {
        return merge(end - 2, end)
      }
      end = start
    }
    return false
  }

  private func isSounding(above string: Int) -> Bool {
    for higher in string + 1..<max(frets.count, string + 1) where frets[higher] >= 0 { return true }
    return false
  }

  private mutating func merge(_ start: Int, _ end: Int) -> Bool {
    grips[start].lastString = grips[end - 1].lastString
    for index in end..<max(gripCount, end) { grips[start + 1 + index - end] = grips[index] }
    gripCount -= end - start - 1
    return true
  }

  /// Uses a finger for each fret as far as there are enough; no finger lies below an earlier one.
  private mutating func layFingers(_ barre: Range<Int>?) {
    if let barre {
      for string in barre where frets[string] == position { fingers[string] = 1 }
    }
    var next = barre == nil ? 1 : 2
    for index in 0..<gripCount {
      let grip = grips[index]
      let wanted = 1 + Int(grip.fret - position)
      let last = 4 - (gripCount - index - 1)
      let finger = max(next, min(wanted, last))
      for string in grip.firstString...grip.lastString { fingers[string] = Int8(finger) }
      next = finger + 1
    }
  }
}

/// The limits of the guitar kit, with their derivation.
package enum GuitarLimits {
  /// The number of strings, lowest first.
  package static var strings: Int { 6 }

  /// The highest hand position: where the neck meets the body of most guitars, and the octave of the open strings.
  package static var highestPosition: Int { 12 }

  /// The highest fret: the hand at ``highestPosition``, and four frets more.
  package static var highestFret: Int { 16 }

  /// Frets from the first finger to the last. On a scale of 648 mm frets 1 to 4 are 97 mm apart, 5 to 9 are 100 mm; 1
  /// to 5 would be 126 mm, more than most hands reach.
  static func reach(at position: Int) -> Int { position < 5 ? 3 : 4 }

  /// Shapes kept for each hand position: what a chord book has, and its variations.
  static var shapesPerPosition: Int { 16 }

  /// The most shapes of a name: with open strings only, and at each position.
  package static var shapes: Int { (highestPosition + 1) * shapesPerPosition }

  /// The fewest strings of a shape: a power chord has three.
  static var leastStrings: Int { 3 }

  /// Muted strings allowed between those that sound: two fingers cannot be kept off two.
  static var innerMutes: Int { 1 }

  /// The length of a chirp: long enough that chance resemblance is 26 dB weaker, and that a card, which gets 80 ms at
  /// first, must be fed during it. A sine costs some 100 ns: what a tick adds at first is 0.4 ms at 48 kHz, and 1.5 ms
  /// of its 5 ms at 192 kHz.
  package static var chirpMilliseconds: Int { 250 }
}
