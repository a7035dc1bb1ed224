extension ByteWriter {
  /// An IFF chunk: as a box, but the size counts the content alone, and a zero byte makes odd lengths even.
  mutating func evenBigChunk(_ type: FourCharacterCode, _ content: (inout ByteWriter) -> Void) {
    let start = chunkStart(type, content)
    patchBig32(UInt32(byteCount - start), at: start - 4)
    zeros((byteCount - start) % 2)
  }

  /// A RIFF chunk: an IFF chunk with a little-endian size.
  mutating func evenLittleChunk(_ type: FourCharacterCode, _ content: (inout ByteWriter) -> Void) {
    let start = chunkStart(type, content)
    patchBig32(UInt32(byteCount - start).byteSwapped, at: start - 4)
    zeros((byteCount - start) % 2)
  }

  /// A chunk of the Core Audio Format: the size has 64 bits, and nothing is made even.
  mutating func wideChunk(_ type: FourCharacterCode, _ content: (inout ByteWriter) -> Void) {
    code(type)
    zeros(4)
    let start = chunkStart(sizeOf: content)
    patchBig32(UInt32(byteCount - start), at: start - 4)
  }

  /// - Returns: where the content starts, after type and size.
  private mutating func chunkStart(_ type: FourCharacterCode, _ content: (inout ByteWriter) -> Void) -> Int {
    code(type)
    return chunkStart(sizeOf: content)
  }

  private mutating func chunkStart(sizeOf content: (inout ByteWriter) -> Void) -> Int {
    zeros(4)
    let start = byteCount
    content(&self)
    return start
  }
}
