import Text

/// A number of bytes from 1 MiB on, plain or with K, M or G for 2¹⁰, 2²⁰ or 2³⁰; 0 for no limit.
struct ByteCountKind: SettingKind {
  private static let smallest: UInt64 = 1 << 20
  private static let largest: UInt64 = 1 << 40

  func parse(_ text: Span<UInt8>) -> UInt64? {
    guard text.count > 0 else { return nil }
    let shift = Self.shift(forSuffix: text[text.count - 1])
    let digits = shift == 0 ? text : text.extracting(droppingLast: 1)
    guard let number = digits.parseInteger(), number <= Self.largest >> shift else { return nil }
    let byteCount = number << shift
    return byteCount == 0 || byteCount >= Self.smallest ? byteCount : nil
  }

  private static func shift(forSuffix suffix: UInt8) -> UInt64 {
    switch suffix {
    case UInt8(ascii: "K"): 10
    case UInt8(ascii: "M"): 20
    case UInt8(ascii: "G"): 30
    default: 0
    }
  }

  func append(_ value: UInt64, to text: inout FixedText<64>) {
    text.append(integer: value)
  }

  func appendExpectation(to text: inout FixedText<256>) {
    text.append("0 (never) or 1M…1024G (bytes; K, M and G stand for 1024, 1024² and 1024³)")
  }
}
