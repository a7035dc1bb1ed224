import Base

/// Reads big-endian numbers from a file that may be damaged or foreign; nil beyond its end.
struct ByteReader: ~Escapable {
  private let bytes: RawSpan
  private(set) var offset = 0

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan) { self.bytes = bytes }

  mutating func big32() -> UInt32? {
    guard let value = bytes.big32(at: offset) else { return nil }
    offset += 4
    return value
  }

  mutating func big64() -> UInt64? {
    guard let value = bytes.big64(at: offset) else { return nil }
    offset += 8
    return value
  }

  /// Reads a number and returns whether it is `value`.
  mutating func expect(_ value: UInt32) -> Bool { big32() == value }

  /// Reads the size and type of a box.
  /// - Returns: its size; nil if the type differs.
  mutating func box(_ type: FourCharacterCode) -> UInt32? {
    guard let byteCount = big32(), expect(type.bigEndianValue) else { return nil }
    return byteCount
  }

  /// Reads the size, type, version and flags of a box; false if any differs.
  mutating func expectFullBox(_ type: FourCharacterCode, byteCount: UInt32, version: UInt8 = 0, flags: UInt32) -> Bool {
    box(type) == byteCount && expect(UInt32(version) << 24 | flags)
  }
}

extension RawSpan {
  /// Whether the bytes of `range` equal those starting at `start`; both ranges must be in bounds.
  func isSame(_ range: Range<Int>, as start: Int) -> Bool {
    for offset in 0..<range.count where byte(at: range.lowerBound + offset) != byte(at: start + offset) { return false }
    return true
  }

  /// Whether both have the same bytes.
  func isSame(as other: RawSpan) -> Bool {
    guard byteCount == other.byteCount else { return false }
    for offset in 0..<byteCount where byte(at: offset) != other.byte(at: offset) { return false }
    return true
  }

  /// The big-endian number at `offset`; nil if it does not lie wholly inside.
  func big32(at offset: Int) -> UInt32? {
    guard offset >= 0, offset <= byteCount - 4 else { return nil }
    // Safe: any four bytes are a valid number, and the range was checked.
    return unsafe UInt32(bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  func big16(at offset: Int) -> UInt16? {
    guard offset >= 0, offset <= byteCount - 2 else { return nil }
    // Safe: as above.
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
