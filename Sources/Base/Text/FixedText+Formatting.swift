extension FixedText {
  /// Appends decimal digits, with leading zeros up to `width` digits.
  package mutating func append(integer value: some FixedWidthInteger, width: Int = 1) {
    if value < 0 { append(byte: UInt8(ascii: "-")) }
    append(magnitude: UInt64(value.magnitude), radix: 10, width: width)
  }

  /// Appends lower-case hexadecimal digits, with leading zeros up to `width` digits.
  package mutating func append(hexadecimal value: UInt64, width: Int) {
    append(magnitude: value, radix: 16, width: width)
  }

  /// Appends a number with `decimals` (0…9) digits after the point; `inf` and `nan` as those words, and magnitudes from
  /// 2⁶³ on as `inf`.
  @inline(never)
  package mutating func append(_ value: Double, decimals: Int) {
    guard !value.isNaN else { return append("nan") }
    guard value.magnitude < 0x1p63 else { return append(value < 0 ? "-inf" : "inf") }
    var scale: UInt64 = 1
    for _ in 0..<decimals { scale *= 10 }
    var whole = UInt64(value.magnitude)
    var fraction = UInt64(((value.magnitude - Double(whole)) * Double(scale)).rounded())
    if fraction >= scale {
      whole += 1
      fraction -= scale
    }
    if value < 0, whole > 0 || fraction > 0 { append(byte: UInt8(ascii: "-")) }
    append(integer: whole)
    guard decimals > 0 else { return }
    append(byte: UInt8(ascii: "."))
    append(integer: fraction, width: decimals)
  }

  @inline(never)
  private mutating func append(magnitude: UInt64, radix: UInt64, width: Int) {
    // 20 digits hold any 64-bit number in base 10.
    var digits = InlineArray<20, UInt8>(repeating: 0)
    var count = 0
    var rest = magnitude
    repeat {
      digits[count] = UInt8(rest % radix)
      rest /= radix
      count += 1
    } while rest > 0
    for _ in 0..<max(0, width - count) { append(byte: UInt8(ascii: "0")) }
    for index in 0..<count {
      let digit = digits[count - 1 - index]
      append(byte: digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }

  /// Appends the contents of a JSON string (RFC 8259, section 7) without the quotes, as many whole characters and
  /// escapes as fit. Quotes, backslashes and control characters are escaped, including those from U+007F on, which a
  /// terminal would obey. Bytes that are not UTF-8 become U+FFFD.
  package mutating func append(jsonEscaped bytes: Span<UInt8>) {
    var utf8 = UTF8Decoder()
    for index in bytes.indices {
      let byte = bytes[index]
      if utf8.isInsideCharacter, !byte.isUTF8Continuation { append(scalar: UTF8Decoder.replacement) }
      if let scalar = utf8.next(byte) { append(jsonEscaped: scalar) }
    }
    if utf8.isInsideCharacter { append(scalar: UTF8Decoder.replacement) }
  }

  private mutating func append(jsonEscaped scalar: Unicode.Scalar) {
    switch scalar {
    case "\"": append(whole: "\\\"")
    case "\\": append(whole: "\\\\")
    case "\0"..<" ", "\u{7F}"..."\u{9F}": append(whole: "\\u\(hexadecimal: scalar.value, width: 4)")
    default: append(scalar: scalar)
    }
  }

  private mutating func append(whole escape: FixedText<6>) {
    let end = byteCount
    append(escape)
    if isTruncated { truncate(to: end) }
  }
}
