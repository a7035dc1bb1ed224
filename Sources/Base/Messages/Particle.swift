/// A Korean particle, whose form depends on whether a consonant or a vowel precedes it. The raw values are those of
/// `board/messages/pack`.
enum Particle: UInt8 {
  case topic = 2
  case subject
  case object
  case with
  case toward
  case copula

  /// The forms after a consonant, after a vowel, and after text without a known reading, such as a file's name.
  fileprivate var forms: (closed: StaticString, open: StaticString, either: StaticString) {
    switch self {
    case .topic: ("은", "는", "은(는)")
    case .subject: ("이", "가", "이(가)")
    case .object: ("을", "를", "을(를)")
    case .with: ("과", "와", "과(와)")
    case .toward: ("으로", "로", "(으)로")
    case .copula: ("이", "", "(이)")
    }
  }
}

/// The sound that a word ends with when it is read in Korean.
private enum Ending {
  case vowel
  /// ㄹ, after which `로` stays short.
  case liquid
  case consonant
}

extension FixedText {
  /// Appends a particle in the form that the preceding text requires.
  mutating func append(_ particle: Particle?) {
    guard let particle else { return }
    let forms = particle.forms
    switch ending {
    case .vowel?: append(forms.open)
    case .liquid?: append(particle == .toward ? forms.open : forms.closed)
    case .consonant?: append(forms.closed)
    case nil: append(forms.either)
    }
  }

  /// Appends the Hangul syllable of this number, counted from 가.
  mutating func append(syllable number: UInt32) {
    if let scalar = Unicode.Scalar(Self.firstSyllable + number) { append(scalar: scalar) }
  }

  private static var firstSyllable: UInt32 { 0xAC00 }

  /// Nil if it is unknown. Quotes around a word and a parenthesis after it do not count.
  private var ending: Ending? {
    var count = byteCount
    while count > 0, bytes[count - 1].closes {
      if bytes[count - 1] == UInt8(ascii: ")") {
        while count > 0, bytes[count - 1] != UInt8(ascii: "(") { count -= 1 }
      }
      count -= 1
    }
    guard count > 0 else { return nil }
    let last = bytes[count - 1]
    if last < 0x80 { return Self.ending(ofDigit: last) }
    guard count >= 3 else { return nil }
    var decoder = UTF8Decoder()
    _ = decoder.next(bytes[count - 3])
    _ = decoder.next(bytes[count - 2])
    guard let scalar = decoder.next(last), (Self.firstSyllable...0xD7A3).contains(scalar.value) else { return nil }
    switch (scalar.value - Self.firstSyllable) % 28 {
    case 0: return .vowel
    case 8: return .liquid
    default: return .consonant
    }
  }

  /// The ending of a number's last digit: 영 일 이 삼 사 오 육 칠 팔 구; and 10 is 십, 100 is 백.
  private static func ending(ofDigit digit: UInt8) -> Ending? {
    switch digit {
    case UInt8(ascii: "1"), UInt8(ascii: "7"), UInt8(ascii: "8"): .liquid
    case UInt8(ascii: "0"), UInt8(ascii: "3"), UInt8(ascii: "6"): .consonant
    case UInt8(ascii: "2"), UInt8(ascii: "4"), UInt8(ascii: "5"), UInt8(ascii: "9"): .vowel
    default: nil
    }
  }
}

extension UInt8 {
  fileprivate var closes: Bool {
    self == UInt8(ascii: "\"") || self == UInt8(ascii: "'") || self == UInt8(ascii: ")") || self == UInt8(ascii: "]")
  }
}
