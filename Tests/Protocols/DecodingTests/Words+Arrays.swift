import Wire

extension DecoderOrder {
  var encoded: [UInt8] {
    var bytes = [UInt8](repeating: 0xAA, count: Self.maximumByteCount)
    var span = bytes.mutableSpan
    var room = unsafe span.mutableBytes
    let count = encode(into: &room)
    return Array(bytes[..<count])
  }

  init?(_ bytes: [UInt8]) {
    unsafe self.init(decoding: bytes.span.bytes)
  }
}

extension DecoderMessage {
  var encoded: [UInt8] {
    var bytes = [UInt8](repeating: 0xAA, count: Self.maximumByteCount)
    var span = bytes.mutableSpan
    var room = unsafe span.mutableBytes
    let count = encode(into: &room)
    return Array(bytes[..<count])
  }

  init?(_ bytes: [UInt8]) {
    unsafe self.init(decoding: bytes.span.bytes)
  }
}
