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

  mutating func storeCode(_ code: FourCharacterCode, at offset: Int) {
    storeBig32(code.bigEndianValue, at: offset)
  }
}
