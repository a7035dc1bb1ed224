/// The chunks of an AIFF, CAF or WAV header, found by their type.
struct AudioChunks: ~Escapable {
  struct Chunk {
    let type: FourCharacterCode
    let sizeOffset: Int
    let contentStart: Int
    let end: Int

    var byteCount: Int { end - contentStart }

    /// Room for the marks of ``AudioHeaderLayout``: 16 bytes, after 12 that earlier versions wrote in an open CAF.
    var hasRoomForMarks: Bool { byteCount >= 28 }
  }

  private let bytes: RawSpan
  let container: AudioContainer

  /// Nil if `bytes` do not start as one of the three formats.
  @_lifetime(copy bytes)
  init?(_ bytes: RawSpan) {
    switch (bytes.code(at: 0), bytes.code(at: 8)) {
    case ("FORM", "AIFF"), ("FORM", "AIFC"): container = .aiff
    case ("RIFF", "WAVE"), ("RF64", "WAVE"): container = .wav
    case ("caff", _): container = .caf
    default: return nil
    }
    self.bytes = bytes
  }

  /// The chunk after the file's own header.
  var first: Chunk? { chunk(at: headByteCount) }

  private var headByteCount: Int { container == .caf ? 8 : 12 }

  func first(_ type: FourCharacterCode) -> Chunk? {
    var start = headByteCount
    while let chunk = chunk(at: start) {
      if chunk.type == type { return chunk }
      start = chunk.end
    }
    return nil
  }

  /// The information list of a WAV, or the filler that it has become. It follows the room for `ds64`; a count of frames
  /// can have the same four bytes.
  var information: Chunk? {
    var start = first?.end ?? headByteCount
    while let chunk = chunk(at: start) {
      let canBeList = chunk.type == "LIST" || chunk.type == "JUNK"
      if canBeList, bytes.code(at: chunk.contentStart) == "INFO" { return chunk }
      start = chunk.end
    }
    return nil
  }

  /// The chunk before the first of `type`.
  func last(before type: FourCharacterCode) -> Chunk? {
    var start = headByteCount
    var last: Chunk?
    while let chunk = chunk(at: start), chunk.type != type {
      last = chunk
      start = chunk.end
    }
    return last
  }

  /// A size beyond the end of `bytes` ends the search: only the data chunk, the last, has one.
  private func chunk(at start: Int) -> Chunk? {
    guard let type = bytes.code(at: start), let size = size(at: start + 4) else { return nil }
    let sizeByteCount = container == .caf ? 8 : 4
    let contentStart = start + 4 + sizeByteCount
    let paddedSize = container == .caf ? size : size + size % 2
    let room = UInt64(max(bytes.byteCount - contentStart, 0))
    let end = contentStart + Int(min(paddedSize, room))
    return Chunk(type: type, sizeOffset: start + 4, contentStart: contentStart, end: end)
  }

  private func size(at offset: Int) -> UInt64? {
    switch container {
    case .aiff: bytes.big32(at: offset).map { UInt64($0) }
    case .caf: bytes.big64(at: offset)
    case .flac: nil
    case .wav: bytes.big32(at: offset).map { UInt64($0.byteSwapped) }
    }
  }
}

extension ByteWriter {
  /// Writes an IFF chunk: like a box, but the size counts only the content. An odd length is made even, and so is the
  /// size: some readers do not know that a padding byte follows an odd one, and misread everything after it.
  /// - Parameter filler: the byte appended to an odd content.
  mutating func evenBigChunk(
    _ type: FourCharacterCode, filler: UInt8 = 0, _ content: (inout ByteWriter) -> Void
  ) {
    let start = evenChunkStart(type, filler, content)
    patchBig32(UInt32(byteCount - start), at: start - 4)
  }

  /// Writes a RIFF chunk: an IFF chunk with a little-endian size.
  mutating func evenLittleChunk(
    _ type: FourCharacterCode, filler: UInt8 = 0, _ content: (inout ByteWriter) -> Void
  ) {
    let start = evenChunkStart(type, filler, content)
    patchBig32(UInt32(byteCount - start).byteSwapped, at: start - 4)
  }

  private mutating func evenChunkStart(
    _ type: FourCharacterCode, _ filler: UInt8, _ content: (inout ByteWriter) -> Void
  ) -> Int {
    let start = chunkStart(type, content)
    if (byteCount - start) % 2 != 0 { byte(filler) }
    return start
  }

  /// Writes a chunk of the Core Audio Format: the size has 64 bits, and nothing is made even.
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
