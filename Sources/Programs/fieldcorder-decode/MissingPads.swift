/// The places in a RIFF or AIFF file where a byte should make a chunk's length even, and the program that wrote the
/// file left it out. FFmpeg, which counts on that byte, would miss the next chunk: it is given a zero there.
struct MissingPads {
  private static var capacity: Int { 8 }
  private static var chunkLimit: Int { 100 }

  /// In ascending order.
  private var places = InlineArray<8, Int64>(repeating: 0)
  private(set) var count = 0

  mutating func append(_ place: Int64) {
    guard count < Self.capacity else { return }
    places[count] = place
    count += 1
  }

  func contains(_ place: Int64) -> Bool {
    for index in 0..<count where places[index] == place { return true }
    return false
  }

  /// Where FFmpeg's offset lies in the file, and how many bytes follow there before the next missing one; nil if it is
  /// the offset of a missing one.
  func stretch(at offset: Int64) -> (place: Int64, byteCount: Int64?) {
    for index in 0..<count {
      let pad = places[index] + Int64(index)
      if offset == pad { return (places[index], nil) }
      if offset < pad { return (offset - Int64(index), pad - offset) }
    }
    return (offset - Int64(count), .max)
  }

  /// Looks through the chunks of a file, if it consists of such.
  static func find(_ bytes: inout FileBytes, _ input: UnsafeMutablePointer<FileInput>) {
    let isAIFF = bytes.equals("FORM", at: 0) && bytes.equals("AIF", at: 8)
    guard isAIFF || bytes.equals("WAVE", at: 8) && (bytes.equals("RIFF", at: 0) || bytes.equals("RF64", at: 0)) else {
      return
    }
    let chunks = Chunks(isBigEndian: isAIFF)
    var place: Int64 = 12
    for _ in 0..<chunkLimit {
      guard let size = chunks.byteCount(&bytes, at: place) else { return }
      let end = place + 8 + size
      if size & 1 == 1, end < bytes.byteCount, chunks.follow(&bytes, from: end), !chunks.follow(&bytes, from: end + 1) {
        unsafe input.pointee.insertPad(at: end)
      }
      place = unsafe input.pointee.chunkEnd(end, byteCount: size)
    }
  }
}

/// How the chunks of a file are written.
private struct Chunks {
  let isBigEndian: Bool

  /// Of the content of the chunk at an offset; nil if none begins there.
  func byteCount(_ bytes: inout FileBytes, at place: Int64) -> Int64? {
    guard isName(&bytes, at: place) else { return nil }
    let size = isBigEndian ? bytes.bigEndian(at: place + 4, bytes: 4) : bytes.littleEndian(at: place + 4, bytes: 4)
    return size.map { Int64($0) }
  }

  /// Whether a chunk begins there, and another one or nothing after it. That of the sound may be cut off or unfinished.
  func follow(_ bytes: inout FileBytes, from place: Int64) -> Bool {
    guard let size = byteCount(&bytes, at: place) else { return false }
    if bytes.equals("data", at: place) || bytes.equals("SSND", at: place) { return true }
    let end = place + 8 + size
    return end == bytes.byteCount || end + (size & 1) == bytes.byteCount || isName(&bytes, at: end)
      || isName(&bytes, at: end + 1)
  }

  private func isName(_ bytes: inout FileBytes, at place: Int64) -> Bool {
    for index in place..<place + 4 {
      guard let byte = bytes.byte(at: index), byte >= 0x20, byte < 0x7F else { return false }
    }
    return true
  }
}
