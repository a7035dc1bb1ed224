import Base

/// A FLAC file has everything but its sound in front. Its header, in the first sector, is what a card writes whole: it
/// hides the room between itself and the sound as padding until that room is complete. So the file can be read at every
/// moment.
///
/// The header: STREAMINFO, an application's block with the marks of ``AudioHeaderLayout``, a comment for as long as the
/// room is hidden, and padding. The room, once the take has ended: the list of hashes as an application's block, the
/// ledger and what it says as comments, the seek table, and padding.
enum FLACHeader {
  static var marksOffset: Int { 50 }
  fileprivate static var commentOffset: Int { 78 }
  fileprivate static var paddingOffset: Int { 508 }
  /// RFC 9639, 8: the type of a block, above the 24 bits of its length; the last block has the highest bit.
  static var padding: UInt32 { 0x0100_0000 }
  static var application: UInt32 { 0x0200_0000 }
  static var seekTable: UInt32 { 0x0300_0000 }
  static var comment: UInt32 { 0x0400_0000 }
  static var last: UInt32 { 0x8000_0000 }

  /// - Parameter isRoomShown: whether the room has blocks; otherwise the header's own comment counts.
  static func store(isRoomShown: Bool, into header: inout MutableRawSpan) {
    let content = UInt32(paddingOffset - commentOffset - 4)
    header.storeBig32((isRoomShown ? padding : comment) | content, at: commentOffset)
    let end = isRoomShown ? UInt64(AudioFileDescription.headerByteCount) : AudioContainer.flac.dataStart
    header.storeBig32((isRoomShown ? 0 : last) | padding | UInt32(end) - UInt32(paddingOffset) - 4, at: paddingOffset)
  }
}

/// STREAMINFO, RFC 9639, 8.2, which counts the sound of a FLAC file.
package enum FLACInformation {
  private static var framesOffset: Int { 18 }
  private static var digestOffset: Int { 26 }

  /// Rate, channels, bits, and 36 bits for the count.
  static func format(in header: RawSpan) -> (sampleRateHz: UInt32, channelCount: UInt16, bitsPerSample: UInt32)? {
    guard header.code(at: 0) == "fLaC", let word = header.big64(at: framesOffset) else { return nil }
    return (UInt32(word >> 44), UInt16(word >> 41 & 7) + 1, UInt32(word >> 36 & 31) + 1)
  }

  /// Makes the header count `sampleFrames`.
  /// - Parameter digest: their MD5; nil if it is not known, unless they are those that the header counts.
  package static func store(
    sampleFrames: UInt64, digest: (high: UInt64, low: UInt64)?, into header: inout MutableRawSpan
  ) {
    let word = header.bytes.big64(at: framesOffset) ?? 0
    let counted = word & FLACFormat.mostSampleFrames
    header.storeBig64(word & ~FLACFormat.mostSampleFrames | sampleFrames, at: framesOffset)
    guard digest != nil || counted != sampleFrames else { return }
    header.storeBig64(digest?.high ?? 0, at: digestOffset)
    header.storeBig64(digest?.low ?? 0, at: digestOffset + 8)
  }

  /// Takes STREAMINFO from another header.
  static func copy(from start: Int, in scratch: inout MutableRawSpan) {
    guard scratch.bytes.code(at: start) == "fLaC" else { return }
    for offset in 8..<42 {
      scratch.storeBytes(of: scratch.bytes.byte(at: start + offset), toByteOffset: offset, as: UInt8.self)
    }
  }
}

extension AudioFileDescription {
  @_optimize(size)
  func encodeFLAC(ending: TakeEnding, into writer: inout ByteWriter) {
    writer.code("fLaC")
    writer.big32(34)
    writer.big16(UInt16(FLACFormat.blockFrames))
    writer.big16(UInt16(FLACFormat.blockFrames))
    writer.zeros(6)
    let bits = UInt64(format.sampleFormat.bitsPerSample - 1)
    writer.big64(UInt64(format.sampleRateHz) << 44 | UInt64(format.channelCount - 1) << 41 | bits << 36)
    writer.zeros(16)
    writer.big32(FLACHeader.application | 32)
    writer.code("fcdr")
    writer.zeros(28 + 4)
    writer.vorbisVendor(commentCount: 2)
    writer.vorbis("DATE", provenance.created.iso8601.bytes)
    // The last comment fills the block.
    let key: StaticString = "COMMENT="
    writer.little32(UInt32(FLACHeader.paddingOffset - writer.byteCount - 4))
    writer.text(key)
    writer.text(provenance.line)
    encodeEnding(ending, into: &writer)
    while writer.byteCount < FLACHeader.paddingOffset { writer.text(" ") }
    writer.zeros(Self.headerByteCount - writer.byteCount)
  }
}

extension LedgerCoding {
  /// The comments that every program reads: RFC 9639, 8.6. The ledger comes first; marks are chapters as ffmpeg reads
  /// them. What a name of the ledger's pairs has no other meaning for is its own field.
  @_optimize(size)
  static func encodeFLAC(_ ledger: Span<UInt8>, sampleRateHz: UInt32, into writer: inout ByteWriter) {
    let facts = LedgerFacts(ledger)
    let start = writer.byteCount
    writer.big32(0)
    // Marks come last, as many as have room: two comments of 22 bytes and a text.
    let place = facts.entry("position: ")
    let others = (place.isEmpty ? 3 : 4) + facts.knownPairCount
    let spare = 6_144
    let room = writer.freeByteCount - ledger.count - spare
    let markCount = min(facts.markCount(within: room, overhead: 2 * 4 + 23 + 15), 999)
    writer.vorbisVendor(commentCount: others + 2 * markCount)
    var date = FixedText<20>(facts.origin("recorded ").bytes)
    while date.byteCount < 20 { date.append(" ") }
    writer.vorbis("DATE", date.bytes)
    writer.vorbis("COMMENT", ledger)
    writer.vorbis("ENCODER", facts.origin("software ").bytes)
    if !place.isEmpty { writer.vorbis("LOCATION", place.bytes) }
    for index in 0..<LedgerFacts.pairCount {
      let (name, text) = facts.pair(index)
      if !text.isEmpty { writer.vorbis(name.bytes, text.bytes) }
    }
    encodeChapters(facts, markCount, sampleRateHz, into: &writer)
    writer.patchBig32(FLACHeader.comment | UInt32(writer.byteCount - start - 4), at: start)
  }

  @_optimize(size)
  private static func encodeChapters(
    _ facts: borrowing LedgerFacts, _ count: UInt32, _ sampleRateHz: UInt32, into writer: inout ByteWriter
  ) {
    guard count > 0 else { return }
    var mark = LedgerMark()
    for number in 1...count where facts.goToNext(&mark) {
      let key: FixedText<16> = "CHAPTER\(number, width: 3)"
      let milliseconds = mark.frame * 1000 / UInt64(max(sampleRateHz, 1))
      let (minutes, rest) = (milliseconds / 60_000, milliseconds % 60_000)
      let time: FixedText<32> =
        "\(minutes / 60, width: 2):\(minutes % 60, width: 2):\(rest / 1000, width: 2).\(rest % 1000, width: 3)"
      writer.vorbis(key.bytes, time.bytes)
      let name: FixedText<16> = "\(key)NAME"
      writer.vorbis(name.bytes, mark.label.bytes)
    }
  }
}

extension ByteWriter {
  /// Starts a block of comments. The vendor is whoever wrote them.
  fileprivate mutating func vorbisVendor(commentCount: UInt32) {
    little32(11)
    text("fieldcorder")
    little32(commentCount)
  }

  fileprivate mutating func vorbis(_ key: StaticString, _ value: Span<UInt8>) { vorbis(key.utf8Bytes, value) }

  fileprivate mutating func vorbis(_ key: Span<UInt8>, _ value: Span<UInt8>) {
    little32(UInt32(key.count + 1 + value.count))
    text(key)
    text("=")
    text(value)
  }
}
