import Base

/// How chunks are encoded ("Codec Header"). PCM is; anything else is refused.
struct CodecHeader: BitwiseCopyable, Equatable {
  /// Of a codec's header for PCM: a RIFF WAVE header.
  static var waveByteCount: Int { 44 }
  /// Of the message: two sizes, `pcm`, and the header.
  static var byteCount: Int { 4 + 3 + 4 + waveByteCount }

  /// Interleaved little-endian samples of 16 bits.
  let format: AudioFormat

  init(_ format: AudioFormat) { self.format = format }

  /// - Returns: nil for another codec, or another sample format than 16 bits, and for what is not a header.
  init?(_ payload: RawSpan) {
    guard payload.byteCount >= 7, payload.number(at: 0) == UInt32(3), payload.holds("pcm", at: 4),
      payload.byteCount >= 11 + Self.waveByteCount
    else { return nil }
    let byteCount: UInt32 = payload.number(at: 7)
    guard Int(byteCount) == payload.byteCount - 11 else { return nil }
    self.init(wave: payload.extracting(droppingFirst: 11))
  }

  /// The chunks of a RIFF WAVE header up to that of its samples. None of its sizes leads outside of it.
  private init?(wave: RawSpan) {
    guard wave.holds("RIFF", at: 0), wave.holds("WAVE", at: 8) else { return nil }
    var offset = 12
    var found: AudioFormat?
    while offset + 8 <= wave.byteCount {
      let byteCount: UInt32 = wave.number(at: offset + 4)
      let start = offset + 8
      if wave.holds("data", at: offset) { break }
      guard Int(byteCount) <= wave.byteCount - start else { return nil }
      if wave.holds("fmt ", at: offset), byteCount >= 16 {
        guard let format = Self.format(wave.extracting(start..<start + 16)) else { return nil }
        found = format
      }
      offset = start + Int(byteCount)
    }
    guard let found else { return nil }
    format = found
  }

  private static func format(_ fields: RawSpan) -> AudioFormat? {
    let channelCount: UInt16 = fields.number(at: 2)
    let sampleRateHz: UInt32 = fields.number(at: 4)
    let bitCount: UInt16 = fields.number(at: 14)
    guard fields.number(at: 0) == UInt16(1), bitCount == 16, channelCount >= 1, channelCount <= 8,
      sampleRateHz >= 8000, sampleRateHz <= 192_000
    else { return nil }
    return AudioFormat(sampleRateHz: sampleRateHz, channelCount: channelCount, sampleFormat: .int16)
  }

  /// Writes it as a message.
  /// - Returns: the message's length.
  func writeMessage(into room: inout MutableRawSpan, at now: Instant) -> Int {
    MessageHeader(.codecHeader, sent: WireTime(now), payloadByteCount: Self.byteCount).write(into: &room)
    var payload = room._mutatingExtracting(SnapcastLimits.headerByteCount...)
    write(into: &payload)
    return SnapcastLimits.headerByteCount + Self.byteCount
  }

  /// Writes ``byteCount`` bytes. The sizes of file and samples are those of an empty file: nobody knows them.
  func write(into room: inout MutableRawSpan) {
    room.store(3 as UInt32, at: 0)
    room.store("pcm", at: 4)
    room.store(UInt32(Self.waveByteCount), at: 7)
    var wave = room._mutatingExtracting(11..<11 + Self.waveByteCount)
    wave.store("RIFF", at: 0)
    wave.store(36 as UInt32, at: 4)
    wave.store("WAVEfmt ", at: 8)
    wave.store(16 as UInt32, at: 16)
    wave.store(1 as UInt16, at: 20)
    wave.store(format.channelCount, at: 22)
    wave.store(format.sampleRateHz, at: 24)
    wave.store(format.sampleRateHz * UInt32(format.bytesPerFrame), at: 28)
    wave.store(UInt16(format.bytesPerFrame), at: 32)
    wave.store(16 as UInt16, at: 34)
    wave.store("data", at: 36)
    wave.store(0 as UInt32, at: 40)
  }
}

extension RawSpan {
  /// Whether the bytes of `literal` lie at `offset`.
  func holds(_ literal: StaticString, at offset: Int) -> Bool {
    let bytes = literal.utf8Bytes
    guard offset + bytes.count <= byteCount else { return false }
    for index in bytes.indices where byte(at: offset + index) != bytes[index] { return false }
    return true
  }
}
