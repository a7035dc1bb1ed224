/// Reads big-endian numbers of a file that may be damaged or not ours: nil is what lies outside of it.
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

  /// Whether `value` comes next; it is passed.
  mutating func expect(_ value: UInt32) -> Bool { big32() == value }

  /// Passes the size and type of a box.
  /// - Returns: its size; nil when another type comes next.
  mutating func box(_ type: FourCharacterCode) -> UInt32? {
    guard let byteCount = big32(), expect(type.bigEndianValue) else { return nil }
    return byteCount
  }

  /// Passes the size, type, version and flags of a box; false when any is different.
  mutating func expectFullBox(_ type: FourCharacterCode, byteCount: UInt32, version: UInt8 = 0, flags: UInt32) -> Bool {
    box(type) == byteCount && expect(UInt32(version) << 24 | flags)
  }
}
