import Base

extension DeviceIdentity {
  /// The 36 characters of a UUID (RFC 9562, clause 4).
  package var text: FixedText<36> {
    let third: FixedText<9> = "\(hexadecimal: high >> 16 & 0xFFFF, width: 4)-\(hexadecimal: high & 0xFFFF, width: 4)"
    return """
      \(hexadecimal: high >> 32, width: 8)-\(third)-\(hexadecimal: low >> 48, width: 4)-\
      \(hexadecimal: low & 0xFFFF_FFFF_FFFF, width: 12)
      """
  }

  /// - Returns: nil when `text` is not a UUID.
  package init?(text: Span<UInt8>) {
    guard text.count == 36 else { return nil }
    var value: UInt128 = 0
    for index in text.indices {
      if index == 8 || index == 13 || index == 18 || index == 23 {
        guard text[index] == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard let digit = text[index].hexadecimalDigit else { return nil }
      value = value << 4 | UInt128(digit)
    }
    self.init(high: UInt64(truncatingIfNeeded: value >> 64), low: UInt64(truncatingIfNeeded: value))
  }
}
