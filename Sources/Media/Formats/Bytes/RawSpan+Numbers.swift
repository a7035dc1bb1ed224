extension RawSpan {
  /// The byte at `offset`, which lies inside.
  func byte(at offset: Int) -> UInt8 {
    // Sound: every pattern of bits is a byte, and the load checks where it lies.
    unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
  }

  /// The big-endian number at `offset`; nil when it does not lie wholly inside.
  func big32(at offset: Int) -> UInt32? {
    guard offset >= 0, offset <= byteCount - 4 else { return nil }
    // Sound: every pattern of four bytes is a number, and the range was checked.
    return unsafe UInt32(bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  func big16(at offset: Int) -> UInt16? {
    guard offset >= 0, offset <= byteCount - 2 else { return nil }
    // Sound: as above.
    return unsafe UInt16(bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }

  func big64(at offset: Int) -> UInt64? {
    guard let high = big32(at: offset), let low = big32(at: offset + 4) else { return nil }
    return UInt64(high) << 32 | UInt64(low)
  }

  func code(at offset: Int) -> FourCharacterCode? {
    guard let value = big32(at: offset) else { return nil }
    return FourCharacterCode(bigEndianValue: value)
  }
}
