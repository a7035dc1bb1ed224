import Base

/// What a message is ("Messages").
package enum MessageKind: UInt16, BitwiseCopyable, Sendable {
  /// How the chunks are encoded.
  case codecHeader = 1
  case wireChunk
  /// Buffer, latency and volume.
  case serverSettings
  case time
  case hello
  /// Of older servers: what is played.
  case streamTags
  /// A client's volume.
  case clientInfo
  /// Why a server refuses a client; clients of 0.26 do not know it.
  case error
}

/// The beginning of every message ("Base").
package struct MessageHeader: BitwiseCopyable, Equatable, Sendable {
  package var kind: MessageKind
  /// The sender's number for it; 0 when it expects no answer.
  package var id: UInt16
  /// The number of the message that it answers, or 0.
  package var refersTo: UInt16
  /// When it was sent, by its sender's clock.
  package var sent: WireTime
  package var payloadByteCount: UInt32

  /// A header of these fields. `received` is the receiver's own, and is written as 0.
  package init(_ kind: MessageKind, id: UInt16 = 0, refersTo: UInt16 = 0, sent: WireTime, payloadByteCount: Int) {
    self.kind = kind
    self.id = id
    self.refersTo = refersTo
    self.sent = sent
    self.payloadByteCount = UInt32(payloadByteCount)
  }

  /// - Returns: nil when there are too few bytes, or it is of no kind that there is.
  package init?(_ bytes: RawSpan) {
    guard bytes.byteCount >= SnapcastLimits.headerByteCount, let kind = MessageKind(rawValue: bytes.number(at: 0))
    else { return nil }
    self.kind = kind
    id = bytes.number(at: 2)
    refersTo = bytes.number(at: 4)
    sent = WireTime(at: 6, in: bytes)
    payloadByteCount = bytes.number(at: 22)
  }

  /// Writes ``SnapcastLimits/headerByteCount`` bytes at the beginning of `room`.
  package func write(into room: inout MutableRawSpan) {
    room.store(kind.rawValue, at: 0)
    room.store(id, at: 2)
    room.store(refersTo, at: 4)
    sent.write(at: 6, into: &room)
    WireTime(seconds: 0, microseconds: 0).write(at: 14, into: &room)
    room.store(payloadByteCount, at: 22)
  }
}

/// A time as the protocol says it: two numbers of 32 bits ("Base", `sent` and `received`). What it counts from is the
/// speaker's own affair; here it is the monotonic clock.
package struct WireTime: BitwiseCopyable, Equatable, Sendable {
  package static var byteCount: Int { 8 }

  package var seconds: Int32
  /// 0…999,999 in what is written here; anything in what is read.
  package var microseconds: Int32

  package init(seconds: Int32, microseconds: Int32) {
    self.seconds = seconds
    self.microseconds = microseconds
  }

  /// Rounded down to a microsecond; what does not fit wraps around, after 68 years.
  package init(nanoseconds: Int64) {
    let (microseconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1000)
    let floor = rest < 0 ? microseconds - 1 : microseconds
    var (seconds, part) = floor.quotientAndRemainder(dividingBy: 1_000_000)
    if part < 0 {
      seconds -= 1
      part += 1_000_000
    }
    self.init(seconds: Int32(truncatingIfNeeded: seconds), microseconds: Int32(part))
  }

  package init(_ instant: Instant) { self.init(nanoseconds: Int64(clamping: instant.rawValue)) }

  /// The time in nanoseconds: less than 2⁶² whatever the two numbers are.
  package var nanoseconds: Int64 { Int64(seconds) * 1_000_000_000 + Int64(microseconds) * 1000 }

  init(at offset: Int, in bytes: RawSpan) {
    self.init(seconds: bytes.number(at: offset), microseconds: bytes.number(at: offset + 4))
  }

  func write(at offset: Int, into room: inout MutableRawSpan) {
    room.store(seconds, at: offset)
    room.store(microseconds, at: offset + 4)
  }
}

extension RawSpan {
  /// The little-endian number at `offset`, all of whose bytes lie inside.
  func number<Value: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Value {
    // Sound: every pattern of bits is an integer, and the load checks where it lies.
    Value(littleEndian: unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: Value.self))
  }
}

extension MutableRawSpan {
  /// Stores a number as little-endian bytes, which lie inside.
  mutating func store<Value: FixedWidthInteger & BitwiseCopyable>(_ value: Value, at offset: Int) {
    storeBytes(of: value.littleEndian, toByteOffset: offset, as: Value.self)
  }

  /// Stores bytes at the beginning, which fit.
  mutating func store(_ bytes: RawSpan) {
    for index in 0..<bytes.byteCount { storeBytes(of: bytes.byte(at: index), toByteOffset: index, as: UInt8.self) }
  }

  /// Stores the bytes of a literal, which fit.
  mutating func store(_ text: StaticString, at offset: Int) { store(text.utf8Bytes, at: offset) }

  /// Stores bytes, which fit.
  mutating func store(_ bytes: Span<UInt8>, at offset: Int) {
    for index in bytes.indices { storeBytes(of: bytes[index], toByteOffset: offset + index, as: UInt8.self) }
  }
}

/// A piece of sound before its payload ("Wire Chunk").
package struct Chunk: BitwiseCopyable, Equatable, Sendable {
  /// When its first frame was recorded, by the server's clock.
  package var recorded: WireTime
  package var byteCount: Int

  /// Bytes of the message before its sound.
  package static var headByteCount: Int { SnapcastLimits.headerByteCount + SnapcastLimits.chunkHeaderByteCount }

  package init(recorded: WireTime, byteCount: Int) {
    self.recorded = recorded
    self.byteCount = byteCount
  }

  /// - Returns: nil when the payload is not as long as it says.
  init?(_ payload: RawSpan) {
    guard payload.byteCount >= SnapcastLimits.chunkHeaderByteCount else { return nil }
    let byteCount: UInt32 = payload.number(at: 8)
    guard Int(byteCount) == payload.byteCount - SnapcastLimits.chunkHeaderByteCount else { return nil }
    self.init(recorded: WireTime(at: 0, in: payload), byteCount: Int(byteCount))
  }

  /// Writes the ``headByteCount`` bytes that come before its sound.
  package func writeHead(into room: inout MutableRawSpan, sent: WireTime) {
    let byteCountAfterHeader = SnapcastLimits.chunkHeaderByteCount + byteCount
    MessageHeader(.wireChunk, sent: sent, payloadByteCount: byteCountAfterHeader).write(into: &room)
    recorded.write(at: SnapcastLimits.headerByteCount, into: &room)
    room.store(UInt32(byteCount), at: SnapcastLimits.headerByteCount + 8)
  }
}

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

/// Every limit of the protocol's two sides, with its arithmetic.
///
/// The protocol is Snapcast's binary protocol, version 2 ("Snapcast binary protocol", doc/binary_protocol.md of
/// github.com/badaix/snapcast), as Debian's snapclient and snapserver 0.26 speak it. Its sections are named where they
/// are used.
package enum SnapcastLimits {
  /// Where a server listens ("Client joining process").
  package static var port: UInt16 { 1704 }
  /// The version in a client's hello; another is refused.
  package static var protocolVersion: Int64 { 2 }
  /// Of a base message: three numbers of 2 bytes, two times of 8, a size of 4.
  package static var headerByteCount: Int { 26 }
  /// Of a chunk before its sound: a time of 8 bytes, a size of 4.
  package static var chunkHeaderByteCount: Int { 12 }
  /// The longest JSON of a hello or of settings. snapclient 0.26 says hello in some 230 bytes; later ones may add a
  /// name and a password.
  package static var textByteCount: Int { 1024 }
  /// The longest message to a server: a text with its size, after the header.
  package static var requestByteCount: Int { headerByteCount + 4 + textByteCount }
  /// The longest payload that a client takes: a chunk of 100 ms with 8 channels of 16 bits at 48 kHz has 76,800 bytes;
  /// the 20 ms with 2 channels that servers send by default, 3,840.
  package static var payloadByteCount: Int { 81_920 }
  /// The longest message that either session writes itself, chunks aside: settings or hello, of at most 512 bytes of
  /// JSON.
  package static var replyByteCount: Int { headerByteCount + 4 + 512 }
  /// How many questions for the time may wait for their answer. A fieldcorder asks 200 times a second at first, and all
  /// that were asked in half a second may arrive at once when one was lost; snapclient asks again only after an answer.
  package static var timeReplyCount: Int { 128 }
  /// What a client has to say hello in: a slow network's second, five times.
  package static var helloNanoseconds: UInt64 { 5_000_000_000 }

  /// Sound in a chunk, in milliseconds: the servers' default.
  package static var chunkMilliseconds: Int { 20 }
  /// From recording to playing, in milliseconds.
  package static var bufferMilliseconds: ClosedRange<Int> { 100...10_000 }
  /// How much sound a slow client may be behind before it is cut off: 1.3 s of 2 channels of 16 bits at 48 kHz, which
  /// is more than the buffer of a second after which it would have had nothing left to play.
  package static var backlogByteCount: Int { 262_144 }

  /// What the kernel keeps for a client that does not take it, and doubles for its own use: two thirds of a second, so
  /// that an answer to a question for the time does not wait behind more sound than that.
  package static var unsentByteCount: Int32 { 65_536 }
  /// Clients at a time: 16 take 3 MB/s of CD-like sound, a quarter of what a wireless network carries on a good day.
  package static var clientCount: ClosedRange<Int> { 1...16 }

  /// What a client keeps until its time: ten seconds, the longest buffer, of 2 channels of 16 bits at 48 kHz. With less
  /// than a chunk's length beyond that, servers that buffer so long are heard with gaps.
  package static var waitingByteCount: Int { 2_097_152 }
  /// How long before it is heard a client puts sound out, unless the server buffers less than twice as long: what is on
  /// its way to the card and in it (0.4 s), and a tenth of a second for a machine that is busy.
  package static var longestLeadNanoseconds: Int64 { 500_000_000 }
  /// What is put out at least before it is heard: the decoder begins when it holds three packets of 4,096 bytes, and a
  /// fourth is on its way.
  package static var leadByteCount: Int { 16_384 }
  /// A server that buffers less than this is not listened to: half of it is the least way through decoder and card.
  package static var leastDelayNanoseconds: Int64 { 300_000_000 }

  /// How long a client waits between two questions for the time at first: 2,000 come together in the 10 s after which
  /// it is to be in sync. How wrong the comparison is goes with the jitter divided by their number; but more questions
  /// are lost more often, and each that is lost holds up all behind it: every 3 ms was worse than every 5.
  package static var firstQuestionNanoseconds: UInt64 { 5_000_000 }
  /// The same later, which renews all 4,096 in 102 s, at 3.7 kB/s with TCP's headers each way: a fiftieth of the sound.
  package static var laterQuestionNanoseconds: UInt64 { 25_000_000 }
  /// How many questions are asked in a hurry: as many as are compared.
  package static var firstQuestionCount: Int { 4096 }
  /// How many questions may be on their way: those of 0.6 s at first, more than a retransmission takes.
  package static var openQuestionCount: Int { 128 }

  /// Two clocks differ by less than this: ±100 ppm each, and what a time server does to one of them (500 ppm at most).
  package static var largestSkew: Double { 700e-6 }
}
