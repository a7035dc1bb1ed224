/// Decodes bytes into Unicode scalars (RFC 3629). Bytes that are not UTF-8 give U+FFFD.
package struct UTF8Decoder: Sendable {
  private var value: UInt32 = 0
  private var missingByteCount = 0
  /// Scalars below this were encoded with more bytes than needed, which RFC 3629 forbids.
  private var smallestValue: UInt32 = 0

  package init() {}

  /// U+FFFD, the replacement for invalid bytes.
  package static var replacement: Unicode.Scalar { "\u{FFFD}" }

  /// Whether the last byte left a character incomplete.
  package var isInsideCharacter: Bool { missingByteCount > 0 }

  /// - Returns: the scalar that `byte` completes; nil while more bytes are needed. An incomplete character is dropped
  ///   if a single-byte character follows, so that noise cannot swallow the end of a line.
  package mutating func next(_ byte: UInt8) -> Unicode.Scalar? {
    guard missingByteCount > 0 else { return begin(byte) }
    guard byte.isUTF8Continuation else {
      missingByteCount = 0
      return begin(byte)
    }
    value = value << 6 | UInt32(byte & 0x3F)
    missingByteCount -= 1
    guard missingByteCount == 0 else { return nil }
    guard value >= smallestValue else { return Self.replacement }
    return Unicode.Scalar(value) ?? Self.replacement
  }

  private mutating func begin(_ byte: UInt8) -> Unicode.Scalar? {
    switch byte {
    case 0..<0x80: return Unicode.Scalar(byte)
    case 0xC2..<0xE0: expect(1, firstBits: byte & 0x1F, smallest: 0x80)
    case 0xE0..<0xF0: expect(2, firstBits: byte & 0x0F, smallest: 0x800)
    case 0xF0..<0xF5: expect(3, firstBits: byte & 0x07, smallest: 0x10000)
    default: return Self.replacement
    }
    return nil
  }

  private mutating func expect(_ byteCount: Int, firstBits: UInt8, smallest: UInt32) {
    missingByteCount = byteCount
    value = UInt32(firstBits)
    smallestValue = smallest
  }
}

extension UInt8 {
  /// Whether this is a continuation byte (RFC 3629, section 3).
  package var isUTF8Continuation: Bool { self & 0xC0 == 0x80 }
}
