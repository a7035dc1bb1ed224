/// Which finger presses which string of a shape: the easiest way with four fingers, of which the index may lie across
/// several strings (a barre) and one other press neighbours at one fret.
struct Fingering {
  /// Of each string: 1 to 4, 0 for none.
  private(set) var fingers = InlineArray<6, Int8>(repeating: 0)
  /// How much it asks of the hand: less is easier.
  private(set) var effort = 0
  /// The same, to choose whether to lay a barre.
  private var cost = 0

  /// One finger's place.
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
  /// Less than a finger, so that a barre is laid where it saves one.
  private static var barreCost: Int { 7 }
  /// For each string under the barre that another finger presses: the open D chord is not played with one.
  private static var coveredCost: Int { 3 }
  private static var neighboursEffort: Int { 10 }
  /// Index and middle finger at one fret, others two frets up or more.
  private static var crampEffort: Int { 30 }

  /// - Returns: nil when four fingers cannot press it.
  static func easiest(of shape: ChordShape) -> Fingering? {
    let plain = Fingering(shape, barre: nil)
    guard let barre = barre(of: shape), let barred = Fingering(shape, barre: barre) else { return plain }
    guard let plain, plain.cost <= barred.cost else { return barred }
    return plain
  }

  /// The strings that the index covers from its tip on: it would damp an open one, and cannot leave one out.
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

  /// One for each string that is pressed and not under the barre, by fret and then by string.
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

  /// Presses neighbours at one fret, the highest possible, with one finger: two with its tip, more when it may lie on
  /// all strings above. At the lowest fret that is what a barre is for.
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

  /// A finger for each fret as far as there are enough; no finger lies below one before it.
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
