extension FixedText {
  /// Appends the contents of a JSON string (RFC 8259, section 7), without the quotes around it, as much as fits: never
  /// part of a character or of an escape. Quotes, backslashes and control characters are escaped; those from U+007F on
  /// need not be, but a terminal would obey them. Bytes that are no UTF-8 are U+FFFD.
  public mutating func append(jsonEscaped bytes: Span<UInt8>) {
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
