import Base

extension FixedText {
  /// The same text for a terminal or a line of JSON: with a space for each control character and line separator, and
  /// U+FFFD for invalid UTF-8.
  package var printable: Self {
    var decoder = UTF8Decoder()
    var result = Self()
    for index in bytes.indices {
      guard let scalar = decoder.next(bytes[index]) else { continue }
      result.append(scalar: scalar.isControl ? " " : scalar)
    }
    if decoder.isInsideCharacter { result.append(scalar: UTF8Decoder.replacement) }
    return result
  }

  /// Whether it can be part of a line unchanged: ``printable`` is the text itself.
  package var isPrintable: Bool { printable == self }
}

extension Unicode.Scalar {
  /// Category Cc, and the two separators that some programs break a line at.
  fileprivate var isControl: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: true
    default: false
    }
  }
}
