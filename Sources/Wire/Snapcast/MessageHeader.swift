import Base

/// The type of a message ("Messages").
package enum MessageKind: UInt16, BitwiseCopyable, Sendable {
  /// How the chunks are encoded.
  case codecHeader = 1
  case wireChunk
  /// Buffer, latency and volume.
  case serverSettings
  case time
  case hello
  /// From older servers: what is playing.
  case streamTags
  /// A client's volume.
  case clientInfo
  /// Why a server refuses a client; clients of 0.26 do not know this type.
  case error
}

/// The header of every message ("Base").
package struct MessageHeader: BitwiseCopyable, Equatable, Sendable {
  package var kind: MessageKind
  /// The sender's message number; 0 if no answer is expected.
  package var id: UInt16
  /// The number of the message being answered, or 0.
  package var refersTo: UInt16
  /// When it was sent, by the sender's clock.
  package var sent: WireTime
  package var payloadByteCount: UInt32

  /// Creates a header. `received` is for the receiver's own use and is written as 0.
  package init(_ kind: MessageKind, id: UInt16 = 0, refersTo: UInt16 = 0, sent: WireTime, payloadByteCount: Int) {
    self.kind = kind
    self.id = id
    self.refersTo = refersTo
    self.sent = sent
    self.payloadByteCount = UInt32(payloadByteCount)
  }

  /// - Returns: nil if there are too few bytes, or the type is unknown.
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

/// A time as encoded in the protocol: two 32-bit numbers ("Base", `sent` and `received`). Its origin is up to each
/// sender; here it is that of the monotonic clock.
package struct WireTime: BitwiseCopyable, Equatable, Sendable {
  package static var byteCount: Int { 8 }

  package var seconds: Int32
  /// 0…999,999 when written here; any value when read.
  package var microseconds: Int32

  package init(seconds: Int32, microseconds: Int32) {
    self.seconds = seconds
    self.microseconds = microseconds
  }

  /// Rounded down to a microsecond; wraps around after 68 years.
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

  /// The time in nanoseconds, below 2⁶² in magnitude whatever the two numbers are.
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
  /// The little-endian number at `offset`; all its bytes must be within bounds.
  func number<Value: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Value {
    // Safe: every bit pattern is an integer, and the load checks its bounds.
    Value(littleEndian: unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: Value.self))
  }
}

extension MutableRawSpan {
  /// Stores a number in little-endian byte order; all its bytes must be within bounds.
  mutating func store<Value: FixedWidthInteger & BitwiseCopyable>(_ value: Value, at offset: Int) {
    storeBytes(of: value.littleEndian, toByteOffset: offset, as: Value.self)
  }

  /// Stores bytes at the beginning; they must fit.
  mutating func store(_ bytes: RawSpan) {
    for index in 0..<bytes.byteCount { storeBytes(of: bytes.byte(at: index), toByteOffset: index, as: UInt8.self) }
  }

  /// Stores the bytes of a literal; they must fit.
  mutating func store(_ text: StaticString, at offset: Int) { store(text.utf8Bytes, at: offset) }

  /// Stores bytes; they must fit.
  mutating func store(_ bytes: Span<UInt8>, at offset: Int) {
    for index in bytes.indices { storeBytes(of: bytes[index], toByteOffset: offset + index, as: UInt8.self) }
  }
}

/// The head of a message with a piece of sound ("Wire Chunk").
package struct Chunk: BitwiseCopyable, Equatable, Sendable {
  /// When its first frame was recorded, by the server's clock.
  package var recorded: WireTime
  package var byteCount: Int

  /// Size of the message before its sound.
  package static var headByteCount: Int { SnapcastLimits.headerByteCount + SnapcastLimits.chunkHeaderByteCount }

  package init(recorded: WireTime, byteCount: Int) {
    self.recorded = recorded
    self.byteCount = byteCount
  }

  /// - Returns: nil if the payload's length does not match its size field.
  init?(_ payload: RawSpan) {
    guard payload.byteCount >= SnapcastLimits.chunkHeaderByteCount else { return nil }
    let byteCount: UInt32 = payload.number(at: 8)
    guard Int(byteCount) == payload.byteCount - SnapcastLimits.chunkHeaderByteCount else { return nil }
    self.init(recorded: WireTime(at: 0, in: payload), byteCount: Int(byteCount))
  }

  /// Writes the ``headByteCount`` bytes that precede its sound.
  package func writeHead(into room: inout MutableRawSpan, sent: WireTime) {
    let byteCountAfterHeader = SnapcastLimits.chunkHeaderByteCount + byteCount
    MessageHeader(.wireChunk, sent: sent, payloadByteCount: byteCountAfterHeader).write(into: &room)
    recorded.write(at: SnapcastLimits.headerByteCount, into: &room)
    room.store(UInt32(byteCount), at: SnapcastLimits.headerByteCount + 8)
  }
}

/// How chunks are encoded ("Codec Header"). Only PCM is supported; anything else is refused.
struct CodecHeader: BitwiseCopyable, Equatable {
  /// Size of the codec header for PCM: a RIFF WAVE header.
  static var waveByteCount: Int { 44 }
  /// Size of the payload: two size fields, `pcm`, and the header.
  static var byteCount: Int { 4 + 3 + 4 + waveByteCount }

  /// Interleaved little-endian 16-bit samples.
  let format: AudioFormat

  init(_ format: AudioFormat) { self.format = format }

  /// - Returns: nil for another codec, samples other than 16-bit, or a malformed header.
  init?(_ payload: RawSpan) {
    guard payload.byteCount >= 7, payload.number(at: 0) == UInt32(3), payload.holds("pcm", at: 4),
      payload.byteCount >= 11 + Self.waveByteCount
    else { return nil }
    let byteCount: UInt32 = payload.number(at: 7)
    guard Int(byteCount) == payload.byteCount - 11 else { return nil }
    self.init(wave: payload.extracting(droppingFirst: 11))
  }

  /// Parses the chunks of a RIFF WAVE header up to `data`. No size field can lead out of bounds.
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

  /// Writes it as a complete message.
  /// - Returns: the message's length.
  func writeMessage(into room: inout MutableRawSpan, at now: Instant) -> Int {
    MessageHeader(.codecHeader, sent: WireTime(now), payloadByteCount: Self.byteCount).write(into: &room)
    var payload = room._mutatingExtracting(SnapcastLimits.headerByteCount...)
    write(into: &payload)
    return SnapcastLimits.headerByteCount + Self.byteCount
  }

  /// Writes ``byteCount`` bytes. The sizes of file and samples are those of an empty file, since the length is unknown.
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
  /// Whether the bytes of `literal` are at `offset`.
  func holds(_ literal: StaticString, at offset: Int) -> Bool {
    let bytes = literal.utf8Bytes
    guard offset + bytes.count <= byteCount else { return false }
    for index in bytes.indices where byte(at: offset + index) != bytes[index] { return false }
    return true
  }
}

/// The limits of both sides of the protocol, with their derivation.
///
/// The protocol is Snapcast's binary protocol, version 2 ("Snapcast binary protocol", doc/binary_protocol.md of
/// github.com/badaix/snapcast), as implemented by Debian's snapclient and snapserver 0.26. Comments cite its sections.
package enum SnapcastLimits {
  /// The server's port ("Client joining process").
  package static var port: UInt16 { 1704 }
  /// The version in a client's hello; others are refused.
  package static var protocolVersion: Int64 { 2 }
  /// Size of the base message: three 2-byte numbers, two 8-byte times, a 4-byte size.
  package static var headerByteCount: Int { 26 }
  /// Size of a chunk's header before its sound: an 8-byte time and a 4-byte size.
  package static var chunkHeaderByteCount: Int { 12 }
  /// The longest JSON of a hello or of settings. The hello of snapclient 0.26 takes about 230 bytes; later versions may
  /// add a name and a password.
  package static var textByteCount: Int { 1024 }
  /// The longest message to a server: the header, and a text with its size.
  package static var requestByteCount: Int { headerByteCount + 4 + textByteCount }
  /// The longest payload that a client accepts: a chunk of 100 ms with 8 channels of 16 bits at 48 kHz has 76,800
  /// bytes; the default, 20 ms with 2 channels, has 3,840.
  package static var payloadByteCount: Int { 81_920 }
  /// The longest message that either session writes itself, apart from chunks: settings or hello, with at most 512
  /// bytes of JSON.
  package static var replyByteCount: Int { headerByteCount + 4 + 512 }
  /// How many time requests may wait for their answer. A fieldcorder sends 200 a second at first, and all those of half
  /// a second may arrive at once after a packet loss; snapclient sends the next one only after an answer.
  package static var timeReplyCount: Int { 128 }
  /// The timeout for a client's hello: five times the second that a slow network takes.
  package static var helloNanoseconds: UInt64 { 5_000_000_000 }

  /// The length of a chunk in milliseconds: the servers' default.
  package static var chunkMilliseconds: Int { 20 }
  /// From recording to playback, in milliseconds.
  package static var bufferMilliseconds: ClosedRange<Int> { 100...10_000 }
  /// How much sound a slow client may be behind before it is disconnected: 1.3 s of 2 channels of 16 bits at 48 kHz,
  /// more than the buffer of one second after which it would have nothing left to play.
  package static var backlogByteCount: Int { 262_144 }

  /// The kernel's send buffer per client, which the kernel doubles for its own use: two thirds of a second, so that the
  /// answer to a time request waits behind no more sound than that.
  package static var unsentByteCount: Int32 { 65_536 }
  /// Clients at a time: 16 take 3 MB/s of CD-like sound, a quarter of what a wireless network carries on a good day.
  package static var clientCount: ClosedRange<Int> { 1...16 }

  /// The chunks that a client holds until they are due: 20 seconds of 2 channels of 16 bits at 48 kHz, more than anybody
  /// is known to have a server buffer: one that buffers more is heard with gaps.
  package static var waitingByteCount: Int { 4_194_304 }
  /// How long before it is heard a client outputs sound, unless the server buffers less than twice as long: what is on
  /// its way to the card and in it (0.4 s), and a tenth of a second for a busy machine.
  package static var longestLeadNanoseconds: Int64 { 500_000_000 }
  /// The least amount output ahead: the decoder starts when it holds three packets of 4,096 bytes, and a fourth is on
  /// its way.
  package static var leadByteCount: Int { 16_384 }
  /// Servers that buffer less than this are refused: half of it is the shortest path through decoder and card.
  package static var leastDelayNanoseconds: Int64 { 300_000_000 }

  /// The initial interval between two time requests: 2,000 fit in the 10 s after which the client must be in sync. The
  /// error of the comparison falls as jitter divided by their number, but more requests mean more losses, and each loss
  /// delays all requests behind it: 3 ms was worse than 5 ms.
  package static var firstQuestionNanoseconds: UInt64 { 5_000_000 }
  /// The later interval: it renews all 4,096 in 102 s, at 3.7 kB/s each way with TCP headers, a fiftieth of the sound.
  package static var laterQuestionNanoseconds: UInt64 { 25_000_000 }
  /// How many requests are sent at the initial interval: as many as are compared.
  package static var firstQuestionCount: Int { 4096 }
  /// How many requests may be unanswered: 0.6 s of them at the initial interval, more than a retransmission takes.
  package static var openQuestionCount: Int { 128 }

  /// The largest rate difference of two clocks: ±100 ppm each, and up to 500 ppm that a time server adds to one.
  package static var largestSkew: Double { 700e-6 }
}
