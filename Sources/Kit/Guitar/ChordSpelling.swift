import Base

/// Parses the text after a chord's root: `m7`, `-7`, `min7`, `maj7`, `Δ`, `ø`, `7(b9,#11)`, `6/9`, `sus`, `add9`.
///
/// Song sheets agree on the words but not on their order, brackets or signs. So the words are read one by one, and the
/// result, the semitones of each degree, is compared with the known chords.
struct ChordSpelling {
  private enum Quality {
    case major, minor, diminished, halfDiminished, augmented
  }

  private var text = FixedText<48>()
  private var place = 0
  private var quality = Quality.major
  private var hasMajorSeventh = false
  private var needsSeventh = false
  /// 5, 6, 7, 9, 11 or 13; 0 before a number is read.
  private var number = 0
  private var isSuspended = false
  /// The semitones of each degree, 1 to 13; -1 for a degree that does not sound.
  private var semitones = InlineArray<14, Int8>(repeating: -1)
  private var omitsThird = false
  private var omitsFifth = false
  /// The number of open brackets.
  private var brackets = 0

  /// - Returns: nil if a word is not used in chord names.
  init?(_ written: Span<UInt8>) {
    guard spellPlainly(written) else { return nil }
    readQuality()
    while place < text.byteCount { guard readWord() else { return nil } }
    guard brackets == 0, complete() else { return nil }
  }

  /// Whether the chord consists of these notes.
  func means(_ intervals: Intervals) -> Bool {
    var other = InlineArray<14, Int8>(repeating: -1)
    for index in 0..<intervals.count { other[intervals[index].degree] = Int8(intervals[index].semitones) }
    for degree in 1..<14 where semitones[degree] != other[degree] { return false }
    return true
  }

  /// Signs, and the words that they are read as.
  private static var signs: StaticString {
    """
    ♯ # ＃ # 𝄪 ## ♭ b 𝄫 bb Δ ^ ∆ ^ △ ^ ° o º o ˚ o ⁰ o ø h Ø h ⌀ h ∅ h − - – - ‑ - ⁻ - ⁺ + ＋ + ¹ 1 ² 2 ³ 3 ⁴ 4 ⁵ 5 ⁶ 6 \
    ⁷ 7 ⁸ 8 ⁹ 9 ⁄ / （ ( ） ) 샵 # 플랫 b
    """
  }

  private mutating func spellPlainly(_ written: Span<UInt8>) -> Bool {
    var rest = written
    while !rest.isEmpty {
      guard text.byteCount + 2 < 48 else { return false }
      if rest[0] < 0x80 {
        text.append(byte: rest[0])
        rest = rest.extracting(droppingFirst: 1)
        continue
      }
      guard let byteCount = appendSign(at: rest) else { return false }
      rest = rest.extracting(droppingFirst: byteCount)
    }
    return true
  }

  private mutating func appendSign(at rest: Span<UInt8>) -> Int? {
    var words = QuotedWords(Self.signs.utf8Bytes)
    while let sign = try? words.next(), let plain = try? words.next() {
      guard rest.count >= sign.bytes.count, rest.extracting(first: sign.bytes.count).equals(sign.bytes) else {
        continue
      }
      text.append(bytes: plain.bytes)
      return sign.bytes.count
    }
    return nil
  }

  private mutating func take(_ word: StaticString) -> Bool {
    guard text.bytes.extracting(droppingFirst: place).removingPrefix(ignoringCase: word) != nil else { return false }
    place += word.utf8CodeUnitCount
    return true
  }

  /// Takes a letter whose capital means something else.
  private mutating func takeLetter(_ letter: StaticString) -> Bool {
    guard text.bytes.extracting(droppingFirst: place).removingPrefix(letter) != nil else { return false }
    place += 1
    return true
  }

  /// The byte after the next `distance` ones; 0 at the end.
  private func byte(after distance: Int) -> UInt8 {
    place + distance < text.byteCount ? text.bytes[place + distance] : 0
  }

  /// Reads the words that occur only at the beginning.
  private mutating func readQuality() {
    if takeMajor() {
      hasMajorSeventh = true
    } else if take("minor") || take("min") || take("mi") || takeLetter("m") {
      quality = .minor
    } else if byte(after: 0) == UInt8(ascii: "-"), byte(after: 1) != UInt8(ascii: "5") {
      place += 1
      quality = .minor
    } else if take("diminished") || take("dim") {
      quality = .diminished
    } else if byte(after: 0) == UInt8(ascii: "o"), byte(after: 1) != UInt8(ascii: "m") {
      place += 1
      quality = .diminished
    } else if takeLetter("h") {
      quality = .halfDiminished
      needsSeventh = true
    } else if take("augmented") || take("aug") || take("+") {
      quality = .augmented
      if byte(after: 0) == UInt8(ascii: "5") { place += 1 }
    } else if take("dom") {
      needsSeventh = true
    } else {
      _ = takeSeventhSign()
    }
  }

  /// Takes `M` or `maj`, but not the beginning of `madd9`.
  private mutating func takeMajor() -> Bool {
    if take("major") || take("maj") { return true }
    if byte(after: 2) != UInt8(ascii: "d"), take("ma") { return true }
    return byte(after: 1) | 0x20 != UInt8(ascii: "i") && takeLetter("M")
  }

  /// Takes the triangle, or the `j` of German sheets, which are a major seventh without a number.
  private mutating func takeSeventhSign() -> Bool {
    guard take("^") || takeLetter("j") else { return false }
    hasMajorSeventh = true
    needsSeventh = true
    return true
  }

  /// - Returns: false if no word follows.
  private mutating func readWord() -> Bool {
    let next = byte(after: 0)
    switch next {
    case UInt8(ascii: "("):
      brackets += 1
      place += 1
      return true
    case UInt8(ascii: ")"):
      brackets -= 1
      place += 1
      return brackets >= 0
    case UInt8(ascii: ","):
      place += 1
      return true
    case UInt8(ascii: "/"):
      place += 1
      // A number after a bare slash is added: `C/9`.
      return number == 0 && semitones[4] < 0 ? readSlash() : place < text.byteCount
    case UInt8(ascii: "#"), UInt8(ascii: "b"), UInt8(ascii: "-"), UInt8(ascii: "+"): return readAlteration()
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      guard let number = takeNumber() else { return false }
      return readNumber(number)
    default: return readName()
    }
  }

  private mutating func readName() -> Bool {
    if take("sus") { return readSuspension() }
    if take("add") { return readAddition() }
    if take("no") || take("omit") { return readOmission() }
    if take("alt") {
      semitones[5] = 8
      semitones[9] = 15
      needsSeventh = true
      return true
    }
    if take("aug") {
      semitones[5] = 8
      return true
    }
    if takeMajor() {
      hasMajorSeventh = true
      needsSeventh = true
      return true
    }
    return takeSeventhSign()
  }

  private mutating func readSuspension() -> Bool {
    isSuspended = true
    let isSecond = take("2")
    if isSecond { semitones[2] = 2 }
    if take("4") || !isSecond { semitones[4] = 5 }
    return true
  }

  private mutating func readAddition() -> Bool {
    let sign = takeSign()
    guard let degree = takeNumber() else { return false }
    return set(degree, raisedBy: sign)
  }

  private mutating func readSlash() -> Bool {
    guard let degree = takeNumber() else { return place < text.byteCount }
    return set(degree, raisedBy: 0)
  }

  private mutating func readOmission() -> Bool {
    guard let degree = takeNumber(), degree == 3 || degree == 5 else { return false }
    _ = take("rd") || take("th")
    if degree == 3 { omitsThird = true } else { omitsFifth = true }
    return true
  }

  /// Reads `b5`, `#9`, `-5`, `+11`; `7+` is an augmented seventh.
  private mutating func readAlteration() -> Bool {
    let sign = takeSign()
    guard let degree = takeNumber() else {
      guard sign == 1, text.bytes[place - 1] == UInt8(ascii: "+") else { return false }
      semitones[5] = 8
      return true
    }
    return set(degree, raisedBy: sign)
  }

  private mutating func takeSign() -> Int8 {
    if take("#") || take("+") { return 1 }
    return takeLetter("b") || take("-") ? -1 : 0
  }

  private mutating func takeNumber() -> Int? {
    var value: Int?
    while byte(after: 0) >= UInt8(ascii: "0"), byte(after: 0) <= UInt8(ascii: "9"), (value ?? 0) < 100 {
      value = (value ?? 0) * 10 + Int(byte(after: 0) - UInt8(ascii: "0"))
      place += 1
    }
    return value
  }

  /// Adds or alters a degree. The second, the fourth and an altered sixth are stored an octave higher.
  private mutating func set(_ written: Int, raisedBy sign: Int8) -> Bool {
    let degree = written == 2 || written == 4 || (written == 6 && sign != 0) ? written + 7 : written
    switch degree {
    case 5: semitones[5] = 7 + sign
    case 6: semitones[6] = 9
    case 9: semitones[9] = 14 + sign
    case 11: semitones[11] = 17 + sign
    case 13: semitones[13] = 21 + sign
    default: return false
    }
    return true
  }

  private mutating func readNumber(_ written: Int) -> Bool {
    switch written {
    case 2, 4:
      isSuspended = true
      semitones[written] = written == 2 ? 2 : 5
      return true
    case 69 where number == 0:
      number = 6
      return set(9, raisedBy: 0)
    case 79 where number == 0: number = 9
    case 5, 6, 7, 9, 11, 13:
      guard number > 0 else {
        number = written
        return true
      }
      guard written != 5, written != 7 else { return false }
      return set(written, raisedBy: 0)
    default: return false
    }
    return true
  }

  /// Adds the degrees that the words imply.
  private mutating func complete() -> Bool {
    semitones[1] = 0
    let isPower = number == 5 && quality == .major && !hasMajorSeventh
    guard number != 5 || isPower else { return false }
    if !isSuspended, !omitsThird, !isPower {
      semitones[3] = quality == .major || quality == .augmented ? 4 : 3
    }
    if semitones[5] < 0 { semitones[5] = usualFifth }
    if omitsFifth { semitones[5] = -1 }
    if number == 6 { semitones[6] = 9 }
    if needsSeventh || number > 6 { completeSeventh() }
    if semitones[3] < 0 { suspend() }
    return true
  }

  /// Without a third the notes added above it take its place, but for the ninth beside a fourth and a seventh: add9 and
  /// no3 are sus2, and an eleventh without its third is 9sus4.
  private mutating func suspend() {
    if semitones[11] == 17 {
      semitones[4] = 5
      semitones[11] = -1
    }
    if semitones[9] == 14, semitones[4] < 0 || semitones[7] < 0 {
      semitones[2] = 2
      semitones[9] = -1
    }
  }

  private mutating func completeSeventh() {
    semitones[7] = hasMajorSeventh ? 11 : quality == .diminished ? 9 : 10
    // The spellings 7(13) and 7/6 mean a thirteenth chord.
    if semitones[6] == 9 {
      semitones[13] = 21
      semitones[6] = -1
    }
    if number > 7 || semitones[13] == 21, semitones[9] < 0 { semitones[9] = 14 }
    if number == 11, semitones[11] < 0 { semitones[11] = 17 }
    if number == 13, semitones[13] < 0 { semitones[13] = 21 }
    if semitones[11] == 18, semitones[13] == 21 { semitones[5] = -1 }
  }

  private var usualFifth: Int8 {
    switch quality {
    case .major, .minor: 7
    case .diminished, .halfDiminished: 6
    case .augmented: 8
    }
  }
}
