import Text
import Values

extension DeviceIdentity {
  /// The 36 characters of a UUID (RFC 9562, clause 4).
  public var text: FixedText<36> {
    let third: FixedText<9> = "\(hexadecimal: high >> 16 & 0xFFFF, width: 4)-\(hexadecimal: high & 0xFFFF, width: 4)"
    return """
      \(hexadecimal: high >> 32, width: 8)-\(third)-\(hexadecimal: low >> 48, width: 4)-\
      \(hexadecimal: low & 0xFFFF_FFFF_FFFF, width: 12)
      """
  }

  /// - Returns: nil when `text` is not a UUID.
  public init?(text: Span<UInt8>) {
    guard text.count == 36 else { return nil }
    var value: UInt128 = 0
    for index in text.indices {
      if index == 8 || index == 13 || index == 18 || index == 23 {
        guard text[index] == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard let digit = Self.hexadecimalDigit(text[index]) else { return nil }
      value = value << 4 | UInt128(digit)
    }
    self.init(high: UInt64(truncatingIfNeeded: value >> 64), low: UInt64(truncatingIfNeeded: value))
  }

  private static func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
