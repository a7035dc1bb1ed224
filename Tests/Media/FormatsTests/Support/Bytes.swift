import Media

/// The bytes written by `encode`.
func encoded(capacityByteCount: Int, _ encode: (inout ByteWriter) -> Void) -> [UInt8] {
  withScratch(byteCount: capacityByteCount) { scratch in
    var writer = ByteWriter(&scratch)
    encode(&writer)
    return array(writer.bytes)
  }
}

/// Lends memory filled with a pattern that is neither zero nor text.
func withScratch<Result>(byteCount: Int, _ body: (inout MutableRawSpan) throws -> Result) rethrows -> Result {
  var memory = [UInt8](repeating: 0xA5, count: byteCount)
  var elements = memory.mutableSpan
  var bytes = unsafe elements.mutableBytes
  return try body(&bytes)
}

func array(_ bytes: RawSpan) -> [UInt8] { unsafe bytes.withUnsafeBytes { unsafe Array($0) } }
