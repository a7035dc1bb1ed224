extension MutableRawSpan {
  mutating func storeBig32(_ value: UInt32, at offset: Int) {
    storeBytes(of: value.bigEndian, toByteOffset: offset, as: UInt32.self)
  }

  mutating func storeBig64(_ value: UInt64, at offset: Int) {
    storeBytes(of: value.bigEndian, toByteOffset: offset, as: UInt64.self)
  }

  mutating func storeLittle32(_ value: UInt32, at offset: Int) {
    storeBytes(of: value.littleEndian, toByteOffset: offset, as: UInt32.self)
  }

  mutating func storeLittle64(_ value: UInt64, at offset: Int) {
    storeBytes(of: value.littleEndian, toByteOffset: offset, as: UInt64.self)
  }

  /// Copies `bytes` to the beginning.
  mutating func copy(_ bytes: RawSpan) {
    precondition(bytes.byteCount <= byteCount, "more bytes copied than there is room for")
    unsafe withUnsafeMutableBytes { target in
      // Sound: as many bytes as were just compared, of two pieces of memory that have each an owner of its own.
      unsafe bytes.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
    }
  }

  mutating func storeCode(_ code: FourCharacterCode, at offset: Int) {
    storeBig32(code.bigEndianValue, at: offset)
  }
}
