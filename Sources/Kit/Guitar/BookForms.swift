import Base

/// The shapes that chord books show first: a convention that no rule about the hand yields.
///
/// Most are one grip that moves along the neck, with its root on the sixth, fifth or fourth string; some have open
/// strings, and one root only.
struct BookForms {
  /// The first ``count`` are valid, the usual shape first.
  private var shapes = InlineArray<10, ChordShape>(repeating: ChordShape(frets: InlineArray(repeating: -1)))
  private var positions = InlineArray<10, Int>(repeating: 0)
  private var count = 0

  /// The shapes of a name in EADGBE; none in other tunings, nor over a different bass, which the search ranks.
  init(_ name: ChordName, _ tuning: Tuning) {
    guard name.bass == nil, tuning == .standard else { return }
    var words = QuotedWords(name.kind.forms.utf8Bytes)
    while let word = try? words.next() {
      if let form = Form(word.bytes), let (shape, position) = form.moved(to: name.root.pitchClass) {
        insert(shape, at: position)
      }
    }
  }

  /// The rank of a shape in books: 0 for the first.
  func rank(of shape: ChordShape) -> Int? {
    for index in 0..<count where shapes[index] == shape { return index }
    return nil
  }

  /// Inserts by position on the neck, lowest first, and within a position in the order of the table.
  private mutating func insert(_ shape: ChordShape, at position: Int) {
    guard count < shapes.count else { return }
    var place = count
    while place > 0, positions[place - 1] > position {
      shapes[place] = shapes[place - 1]
      positions[place] = positions[place - 1]
      place -= 1
    }
    shapes[place] = shape
    positions[place] = position
    count += 1
  }

  /// One entry of the table.
  private struct Form {
    let shape: ChordShape
    let isFixed: Bool
    let lowestFret: Int8
    let root: PitchClass

    init?(_ text: Span<UInt8>) {
      var rest = text
      var isFixed = false
      if let after = text.removingPrefix("=") {
        isFixed = true
        rest = after
      }
      guard let shape = ChordShape(rest), let lowestNote = shape.lowestNote(.standard) else { return nil }
      var lowestFret = Int8.max
      for string in shape.frets.indices where shape.frets[string] >= 0 {
        lowestFret = min(lowestFret, shape.frets[string])
      }
      self.shape = shape
      self.isFixed = isFixed || lowestFret == 0
      self.lowestFret = lowestFret
      root = PitchClass(lowestNote)
    }

    /// The shape at its lowest place with this root; nil if it has only one place, with another root.
    /// - Returns: also its lowest fret, and -1 for a shape that does not move: books show those first.
    func moved(to root: PitchClass) -> (ChordShape, position: Int)? {
      var distance = Int8(PitchClass(root.number - self.root.number).number)
      if isFixed { return distance == 0 ? (shape, -1) : nil }
      if lowestFret + distance >= 12 { distance -= 12 }
      var moved = shape
      for string in moved.frets.indices where moved.frets[string] >= 0 { moved.frets[string] += distance }
      return (moved, Int(lowestFret + distance))
    }
  }
}

extension ChordKind {
  /// The shapes that ``BookForms`` moves: frets from the lowest string to the highest. A shape with an open string, or
  /// preceded by `=`, does not move.
  fileprivate var forms: StaticString {
    switch self {
    case .major: "x32010 320003 xx0232 133211 x13331"
    case .minor: "xx0231 133111 x13321"
    case .seventh: "x32310 xx0212 320001 x21202 131211 x13131"
    case .majorSeventh: "x32000 320002 xx3210 xx0222 132211 x13231"
    case .minorSeventh: "xx0211 x20202 131111 x13121"
    case .minorMajorSeventh: "xx1332 x20302 132111 x13221"
    case .sixth: "x32210 022120 100211 xx1313 431111 x13333 2x132x"
    case .minorSixth: "=4x344x xx1312 x31213 133131 x02212 2x1222"
    case .ninth: "x32330 x02423 020102 131213 x21222"
    case .minorNinth: "202120 x31333 131113"
    case .majorNinth: "102010 021102 320202 x2132x 213121"
    case .eleventh: "212100"
    case .thirteenth: "x21224 020122 1x1233"
    case .addedNinth: "=x21x22 022102 320203 x02420 x43141 x21422 xx3213"
    case .suspendedSecond: "x30013 024400 xx1341 x13311 411144 xx4122"
    case .suspendedFourth: "x33011 330013 xx0233 133311 x13341"
    case .suspendedSeventh: "xx0213 x33311 131311 x13141"
    case .diminished: "xx0131 x1232x 1231xx"
    case .diminishedSeventh: "x01212 x12020 012020 xx1212 x2313x 2x1212"
    case .halfDiminished: "012333 202210 xx1222 x1212x 2x221x"
    case .augmented: "x32110 xx0332 032110 321003 x03221 xx3221 x3211x 43211x x1433x"
    case .fifth: "xx023x 133xxx x133xx"
    case .sixNine: "022122 x21122 211122"
    case .seventhFlatFive: "101201 010130 xx1223 x1213x 2x231x"
    case .seventhSharpFive: "10122x 030110 x03021 x21203 xx1423 1x1221 x323x4"
    case .seventhFlatNine: "xx1020 020101 212020 320131 x02323 x21212 131212"
    case .seventhSharpNine: "=x7678x xx1022 x2123x xx2133"
    default: ""
    }
  }
}
