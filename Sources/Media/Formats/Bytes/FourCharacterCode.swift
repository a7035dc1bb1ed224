import Text

/// Four ASCII characters that name a box, a chunk, a brand or a codec, compared as one big-endian number.
struct FourCharacterCode: Equatable, Sendable, ExpressibleByStringLiteral {
  let bigEndianValue: UInt32

  init(bigEndianValue: UInt32) { self.bigEndianValue = bigEndianValue }

  init(stringLiteral text: StaticString) {
    let bytes = text.utf8Bytes
    precondition(bytes.count == 4, "a four-character code has four characters")
    var value: UInt32 = 0
    for index in bytes.indices { value = value << 8 | UInt32(bytes[index]) }
    bigEndianValue = value
  }
}
