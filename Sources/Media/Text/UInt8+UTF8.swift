extension UInt8 {
  /// Whether this byte goes on with a character that an earlier byte began (RFC 3629, section 3).
  public var isUTF8Continuation: Bool { self & 0xC0 == 0x80 }
}
