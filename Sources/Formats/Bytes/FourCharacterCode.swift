/// Four ASCII characters that name a box, a chunk, a brand or a codec, compared as one big-endian number.
public struct FourCharacterCode: Equatable, Sendable, ExpressibleByStringLiteral {
  public let bigEndianValue: UInt32

  public init(bigEndianValue: UInt32) { self.bigEndianValue = bigEndianValue }

  public init(stringLiteral text: StaticString) {
    precondition(text.utf8CodeUnitCount == 4, "a four-character code has four characters")
    var value: UInt32 = 0
    for index in 0..<4 {
      // Sound: a StaticString's bytes live for ever, and there are four.
      value = value << 8 | UInt32(unsafe text.utf8Start[index])
    }
    bigEndianValue = value
  }
}
