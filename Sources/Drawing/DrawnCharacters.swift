import Base

/// The characters of a text to draw, from any bytes: decomposed Hangul, as in file names from a Mac, is composed, and
/// invisible characters are left out.
struct DrawnCharacters: ~Escapable {
  private let bytes: Span<UInt8>
  private var index = 0
  private var decoder = UTF8Decoder()
  /// A decoded scalar that did not belong to the character before.
  private var following: Unicode.Scalar?

  @_lifetime(copy text)
  init(_ text: Span<UInt8>) {
    bytes = text
    following = nil
  }

  mutating func next() -> Unicode.Scalar? {
    var character = following ?? decode()
    following = nil
    while let first = character, let second = decode() {
      guard let whole = first.composed(with: second) else {
        following = second
        break
      }
      character = whole
    }
    return character
  }

  private mutating func decode() -> Unicode.Scalar? {
    while index < bytes.count {
      let byte = bytes[index]
      if decoder.isInsideCharacter, !byte.isUTF8Continuation {
        decoder = UTF8Decoder()
        return UTF8Decoder.replacement
      }
      index += 1
      if let scalar = decoder.next(byte), !scalar.isInvisible { return scalar }
    }
    guard decoder.isInsideCharacter else { return nil }
    decoder = UTF8Decoder()
    return UTF8Decoder.replacement
  }
}

extension Unicode.Scalar {
  /// Whether the character is drawn over the one before.
  var isCombining: Bool { value >= 0x300 && value < 0x370 }

  /// Whether it is a control character, or one that only controls the layout of others.
  fileprivate var isInvisible: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0xAD, 0x200B..<0x2010, 0x2028..<0x2030, 0x2060..<0x2070, 0xFE00..<0xFE10, 0xFEFF: true
    default: false
    }
  }

  /// The syllable of a leading consonant and a vowel, or of a syllable and its final consonant (Unicode, section 3.12);
  /// nil if these two do not compose.
  fileprivate func composed(with following: Unicode.Scalar) -> Unicode.Scalar? {
    let (firstSyllable, vowelCount, endingCount): (UInt32, UInt32, UInt32) = (0xAC00, 21, 28)
    if value >= 0x1100, value < 0x1113, following.value >= 0x1161, following.value < 0x1161 + vowelCount {
      let open = (value - 0x1100) * vowelCount + following.value - 0x1161
      return Unicode.Scalar(firstSyllable + open * endingCount)
    }
    guard value >= firstSyllable, value < 0xD7A4, (value - firstSyllable) % endingCount == 0,
      following.value > 0x11A7, following.value < 0x11A7 + endingCount
    else { return nil }
    return Unicode.Scalar(value + following.value - 0x11A7)
  }
}
