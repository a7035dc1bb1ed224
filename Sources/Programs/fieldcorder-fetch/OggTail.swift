import Base

/// The end of an Ogg file (RFC 3533, 6): its last page gives the length of the sound.
struct OggTail: BitwiseCopyable {
  /// A page has at most 65,307 bytes, so the last one begins within this many bytes of the end.
  static var byteCount: UInt64 { 0x10000 }

  /// The length of the part of a page header that is read.
  private static var headByteCount: Int { 18 }
  private static var firstContent: Int { 28 }

  private var serial: UInt64 = 0
  /// The most recent bytes.
  private var head = InlineArray<18, UInt8>(repeating: 0)
  /// The position after the last page; nil if that page belongs to another stream, so that there are several.
  private(set) var position: UInt64?

  /// - Parameter bytes: the file's first bytes.
  /// - Returns: nil unless they are an audio page whose positions count samples.
  init?(after bytes: Span<UInt8>) {
    guard bytes.count > Self.firstContent, bytes.removingPrefix("OggS") != nil, bytes[26] == 1 else { return nil }
    let content = bytes.extracting(droppingFirst: Self.firstContent)
    let isCounted =
      content.removingPrefix("OpusHead") != nil || content.removingPrefix("\u{01}vorbis") != nil
      || content.removingPrefix("\u{7F}FLAC") != nil || content.removingPrefix("Speex   ") != nil
    guard isCounted else { return nil }
    for index in 0..<Self.headByteCount { head[index] = bytes[index] }
    serial = number(at: 14, byteCount: 4)
  }

  mutating func read(_ bytes: Span<UInt8>) {
    for index in bytes.indices {
      for place in 1..<Self.headByteCount { head[place - 1] = head[place] }
      head[Self.headByteCount - 1] = bytes[index]
      if head.span.removingPrefix("OggS\0") != nil { readPage() }
    }
  }

  private mutating func readPage() {
    guard number(at: 14, byteCount: 4) == serial else {
      position = nil
      return
    }
    // Pages on which no packet ends have no position.
    let found = number(at: 6, byteCount: 8)
    if found < 1 << 62 { position = found }
  }

  private func number(at place: Int, byteCount: Int) -> UInt64 {
    var number: UInt64 = 0
    for index in (place..<place + byteCount).reversed() { number = number << 8 | UInt64(head[index]) }
    return number
  }
}
