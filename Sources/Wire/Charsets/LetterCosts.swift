import Base

/// How unusual a text is in a language, in bits.
struct LetterCosts {
  private let model: LanguageModel

  init(_ model: LanguageModel) { self.model = model }

  /// - Parameter text: in UTF-8.
  func sum(_ text: Span<UInt8>) -> Double {
    var decoder = UTF8Decoder()
    var before = Letter(" ")
    var present = Letter(" ")
    var sum = 0.0
    for index in text.indices {
      guard let scalar = decoder.next(text[index]) else { continue }
      let next = Letter(scalar)
      sum += cost(of: present, between: before, next)
      before = present
      present = next
    }
    return sum + cost(of: present, between: before, Letter(" "))
  }

  private func cost(of letter: Letter, between before: Letter, _ after: Letter) -> Double {
    guard !letter.isASCII else { return 0 }
    // An invalid or a control character.
    if letter.scalar == UTF8Decoder.replacement || letter.scalar.value < 0xA0 || letter.isPrivate { return 30 }
    // A no-break space.
    if letter.scalar.value == 0xA0 { return 10 }
    if model.script == .wide { return wideCost(of: letter, between: before, after) }
    var cost = 0.0
    if let rank = rank(of: letter.small) {
      cost =
        model.script == .latin
        ? latinCost(of: letter, Double(rank), between: before, after)
        : alphabetCost(of: letter, Double(rank), between: before, after)
    } else if letter.isPunctuation {
      cost = before.isLetter && after.isLetter && !letter.isApostrophe ? 14 : 7
    } else if letter.isLetter {
      cost = 12
    } else {
      cost = before.isLetter && after.isLetter ? 18 : 14
    }
    if model.script == .latin, letter.isLetter, !before.isASCII, before.isLetter { cost += 3.5 }
    if model.script == .latin { cost += placeCost(of: letter.small, between: before, after) }
    if !letter.isLetter, !letter.isQuote, before.isLetter || after.isLetter { cost += 4 }
    return cost
  }

  /// The cost of a letter's place in a word, for letters that stand for others in another country's charset.
  private func placeCost(of letter: Unicode.Scalar, between before: Letter, _ after: Letter) -> Double {
    switch letter {
    // In French before u and i, as in cœur and œil; elsewhere its byte is more often a letter of Polish.
    case "\u{153}": after.isASCII && (after.small == "u" || after.small == "i") ? -4 : 0
    case "\u{F8}": before.isVowel ? 5 : 0
    case "\u{F0}", "\u{11F}": before.isLetter ? (after.isLetter || letter == "\u{F0}" ? 0 : 3) : 8
    case "\u{FD}", "\u{FE}": after.isLetter ? 0 : 5
    case "\u{131}", "\u{15F}": before.isLetter ? 0 : 3
    default: 0
    }
  }

  private func latinCost(of letter: Letter, _ rank: Double, between before: Letter, _ after: Letter) -> Double {
    var cost = 2.5 + 0.35 * rank
    if letter.isCapital { cost += before.isSmall ? 8.5 : 0.5 }
    if !before.isLetter, !after.isLetter { cost += 3 }
    if letter.isCapital, after.isLetter, !after.isSmall, !after.isASCII { cost += 1 }
    return cost
  }

  private func alphabetCost(of letter: Letter, _ rank: Double, between before: Letter, _ after: Letter) -> Double {
    var cost = 3.2 + 0.17 * rank
    if letter.isCapital {
      cost += before.isSmall ? 8.5 : 0.5
    } else if letter.isSmall, !before.isLetter {
      cost += 4
    }
    if !before.isLetter, !after.isLetter { cost += 4 }
    if before.isASCIILetter || after.isASCIILetter { cost += 8 }
    return cost
  }

  private func wideCost(of letter: Letter, between before: Letter, _ after: Letter) -> Double {
    let value = letter.scalar.value
    var cost = 18.0
    if let rank = rank(of: letter.scalar) {
      cost = 7 + 4 * Double(rank) / Double(max(1, letterCount))
    } else if model.isKorean {
      cost = (0xAC00...0xD7A3).contains(value) ? 15.5 : 20
    } else if model.isJapanese {
      cost = (0x3040..<0x3100).contains(value) ? 12 : letter.isHalfKana ? 7 : 16
    } else if (0x4E00..<0xA000).contains(value) {
      cost = 16
    } else if (0x3000..<0x3020).contains(value) || value >= 0xFF00 {
      cost = 12
    }
    if letter.isLetter, before.isASCIILetter || after.isASCIILetter {
      let isInWord = before.isASCIILetter && before.isSmall || after.isASCIILetter && after.isSmall
      let isBetween = before.isASCIILetter && after.isASCIILetter
      cost += isBetween ? 9 : letter.isHalfKana ? 6 : isInWord ? 5 : 2
    }
    return cost
  }

  private var letterCount: Int { model.letters.utf8CodeUnitCount / 3 }

  /// The number of letters before it; nil if it is not a letter of the language.
  private func rank(of scalar: Unicode.Scalar) -> Int? {
    var wanted = FixedText<4>()
    wanted.append(scalar: scalar)
    let letters = model.letters.utf8Bytes
    var rank = -1
    var index = 0
    while index < letters.count {
      if !letters[index].isUTF8Continuation {
        rank += 1
        if letters[index] == wanted.bytes[0], letters.count - index >= wanted.byteCount {
          if letters.extracting(index..<index + wanted.byteCount).equals(wanted.bytes) { return rank }
        }
      }
      index += 1
    }
    return nil
  }
}

/// A character with the properties that Unicode's tables would give, for the scripts of old charsets.
private struct Letter {
  let scalar: Unicode.Scalar

  init(_ scalar: Unicode.Scalar) { self.scalar = scalar }

  var isASCII: Bool { scalar.value < 0x80 }
  var isASCIILetter: Bool { isASCII && (scalar.value | 0x20) >= 0x61 && (scalar.value | 0x20) <= 0x7A }

  /// ASCII only.
  var isVowel: Bool {
    switch scalar.value | 0x20 {
    case 0x61, 0x65, 0x69, 0x6F, 0x75: isASCII
    default: false
    }
  }

  var isLetter: Bool {
    switch scalar.value {
    case 0..<0x80: isASCIILetter
    case 0xAA, 0xB5, 0xBA: true
    case 0xC0...0x24F: scalar.value != 0xD7 && scalar.value != 0xF7
    case 0x370...0x3FF, 0x400...0x52F, 0x5D0...0x5EA, 0x620...0x6FF, 0xE01...0xE5B: true
    case 0x3040...0x30FF, 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0xFF66...0xFF9F: true
    default: false
    }
  }

  var isHalfKana: Bool { (0xFF66...0xFF9F).contains(scalar.value) }
  var isCapital: Bool { small != scalar }
  var isPrivate: Bool { (0xE000...0xF8FF).contains(scalar.value) }

  /// Lower case in a script that has capitals.
  var isSmall: Bool {
    if isASCII { return isASCIILetter && scalar.value >= 0x61 }
    return isLetter && !isCapital && scalar.value < 0x530
  }

  var small: Unicode.Scalar {
    let value = scalar.value
    let small: UInt32
    switch value {
    case 0x41...0x5A, 0xC0...0xD6, 0xD8...0xDE, 0x391...0x3A9, 0x410...0x42F: small = value + 0x20
    case 0x100...0x12F, 0x132...0x137, 0x14A...0x177: small = value | 1
    case 0x139...0x148, 0x179...0x17E: small = value + value % 2
    case 0x178: small = 0xFF
    case 0x386: small = 0x3AC
    case 0x388...0x38A: small = value + 37
    case 0x38C: small = 0x3CC
    case 0x38E, 0x38F: small = value + 63
    case 0x400...0x40F: small = value + 0x50
    case 0x490: small = 0x491
    default: small = value
    }
    return Unicode.Scalar(small) ?? scalar
  }

  /// With the acute accent, which many type for it.
  var isApostrophe: Bool { scalar.value == 0x2019 || scalar.value == 0xB4 }

  /// Quotation marks and dashes.
  var isQuote: Bool {
    switch scalar.value {
    case 0xAB, 0xB4, 0xBB, 0x2013, 0x2014, 0x2019, 0x201C, 0x201D, 0x2026: true
    default: false
    }
  }

  /// Characters other than letters that are common in titles.
  var isPunctuation: Bool {
    switch scalar.value {
    case 0xA1...0xA3, 0xA9, 0xAE, 0xB0, 0xB2, 0xB3, 0xB7, 0xB9, 0xBC...0xBF, 0x2022, 0x20AC, 0x2122: true
    default: isQuote
    }
  }
}
