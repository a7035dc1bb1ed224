import Base

/// What a decoder process reports. A hostile file may control the process: a reader must check every number.
package enum DecoderMessage: WireCoded, BitwiseCopyable, Equatable, Sendable {
  /// The process has entered its sandbox and accepts orders.
  case ready
  case opened(requestID: UInt32, ItemProperties, PacketReading)
  case refused(requestID: UInt32, DecoderRefusal)
  /// The position of a ring frame. Precedes the message that the frame is in the ring.
  case mark(StreamMark)
  /// All frames before `endFrame` are in the ring.
  case filled(endFrame: UInt64, PacketReading)
  /// The item ended with no other to follow: the ring holds all frames before `ringFrame`, and no more arrive until a
  /// `seek` or an `open`.
  case ended(ringFrame: UInt64, PacketReading)
  /// A seek is still under way: the file must be read, or decoded, up to its position. Not an answer.
  case searching
  /// Another part of the open file begins at a ring frame, with its own titles, empty if it has none. Precedes the mark
  /// of that frame.
  case titled(ringFrame: UInt64, title: FixedText<128>, artist: FixedText<128>)
  case extracted(requestID: UInt32, Extracted)

  package static var maximumByteCount: Int { 1 + 4 + ItemProperties.maximumByteCount + PacketReading.byteCount }

  private enum Kind: UInt8 {
    case ready = 1
    case opened
    case refused
    case mark
    case filled
    case ended
    case searching
    case extracted
    case titled
  }

  package func write(to writer: inout WireWriter) {
    writer.number(kind.rawValue)
    switch self {
    case .ready, .searching: break
    case .titled(let ringFrame, let title, let artist):
      writer.number(ringFrame)
      writer.text(title)
      writer.text(artist)
    case .extracted(let requestID, let content):
      writer.number(requestID)
      content.write(to: &writer)
    case .opened(let requestID, let properties, let reading):
      writer.number(requestID)
      properties.write(to: &writer)
      reading.write(to: &writer)
    case .refused(let requestID, let refusal):
      writer.number(requestID)
      writer.number(refusal.rawValue)
    case .mark(let mark): mark.write(to: &writer)
    case .filled(let frame, let reading), .ended(let frame, let reading):
      writer.number(frame)
      reading.write(to: &writer)
    }
  }

  /// Refuses a position or duration outside 0…10⁷ s, a rate outside 0.5…2.0, a frame or packet beyond 2⁶², a file
  /// without a rate or channels, and text that is too long, not UTF-8 or contains control characters.
  @export(interface)
  package init(_ reader: inout WireReader) throws(MalformedMessage) {
    switch try reader.choice() as Kind {
    case .ready: self = .ready
    case .opened:
      self = .opened(requestID: try reader.number(), try ItemProperties(&reader), try PacketReading(&reader))
    case .refused: self = .refused(requestID: try reader.number(), try reader.choice())
    case .mark: self = .mark(try StreamMark(&reader))
    case .filled: self = .filled(endFrame: try reader.count(), try PacketReading(&reader))
    case .ended: self = .ended(ringFrame: try reader.count(), try PacketReading(&reader))
    case .searching: self = .searching
    case .titled:
      self = .titled(ringFrame: try reader.count(), title: try reader.text(), artist: try reader.text())
    case .extracted: self = .extracted(requestID: try reader.number(), try Extracted(&reader))
    }
  }

  private var kind: Kind {
    switch self {
    case .ready: .ready
    case .opened: .opened
    case .refused: .refused
    case .mark: .mark
    case .filled: .filled
    case .ended: .ended
    case .searching: .searching
    case .extracted: .extracted
    case .titled: .titled
    }
  }
}

/// How far the open item's packets have been read into its three buffers.
package struct PacketReading: WireCoded, BitwiseCopyable, Equatable, Sendable {
  /// The number of the next packet to read; a PCM packet is one sample frame.
  package var nextPacket: UInt64
  /// The number of reads that returned packets.
  package var readCount: UInt32
  /// The number of reads at the end of the file, which returned none.
  package var emptyReadCount: UInt32
  /// What a stream's buffers hold now.
  package var held = HeldPackets()
  /// The length of a stream, as far as its packets show.
  package var scale = LengthScale()

  package init(
    nextPacket: UInt64 = 0, readCount: UInt32 = 0, emptyReadCount: UInt32 = 0, held: HeldPackets = HeldPackets(),
    scale: LengthScale = LengthScale()
  ) {
    self.nextPacket = nextPacket
    self.readCount = readCount
    self.emptyReadCount = emptyReadCount
    self.held = held
    self.scale = scale
  }

  static var byteCount: Int { 16 + HeldPackets.byteCount + LengthScale.byteCount }

  package func write(to writer: inout WireWriter) {
    writer.number(nextPacket)
    writer.number(readCount)
    writer.number(emptyReadCount)
    held.write(to: &writer)
    scale.write(to: &writer)
  }

  package init(_ reader: inout WireReader) throws(MalformedMessage) {
    self.init(
      nextPacket: try reader.count(), readCount: try reader.number(), emptyReadCount: try reader.number(),
      held: try HeldPackets(&reader), scale: try LengthScale(&reader))
  }
}

/// How to compute the length of a file that a server sends from the position of its end.
package struct LengthScale: WireCoded, BitwiseCopyable, Equatable, Sendable {
  package enum Unit: UInt8, BitwiseCopyable, Sendable {
    /// The length cannot be computed.
    case none
    /// Bytes of the file, at a constant rate.
    case bytes
    /// Positions of the container, whose last one is on the file's last page.
    case positions
  }

  package var unit: Unit
  /// Where the audio begins.
  package var start: UInt64
  /// Units per second, at most 10⁷.
  package var perSecond: Double

  package init(_ unit: Unit = .none, start: UInt64 = 0, perSecond: Double = 0) {
    self.unit = unit
    self.start = start
    self.perSecond = perSecond
  }

  /// The length in seconds if the audio ends at `end`; 0 if it is not known.
  package func seconds(to end: UInt64) -> Double {
    guard end > start, perSecond >= 1 else { return 0 }
    return min(1e7, Double(end - start) / perSecond)
  }

  static var byteCount: Int { 17 }

  package func write(to writer: inout WireWriter) {
    writer.number(unit.rawValue)
    writer.number(start)
    writer.fraction(perSecond)
  }

  package init(_ reader: inout WireReader) throws(MalformedMessage) {
    self.init(try reader.choice(), start: try reader.count(), perSecond: try reader.seconds())
  }
}

/// What a stream's buffers hold; empty for a file, whose buffers are read on demand.
package struct HeldPackets: WireCoded, BitwiseCopyable, Equatable, Sendable {
  /// The number of buffers that hold packets, 0…3.
  package var bufferCount: UInt8
  package var packetCount: UInt32
  package var bytes: UInt32

  package init(bufferCount: UInt8 = 0, packetCount: UInt32 = 0, bytes: UInt32 = 0) {
    self.bufferCount = bufferCount
    self.packetCount = packetCount
    self.bytes = bytes
  }

  static var byteCount: Int { 9 }

  package func write(to writer: inout WireWriter) {
    writer.number(bufferCount)
    writer.number(packetCount)
    writer.number(bytes)
  }

  package init(_ reader: inout WireReader) throws(MalformedMessage) {
    self.init(bufferCount: try reader.number(in: 0...3), packetCount: try reader.number(), bytes: try reader.number())
  }
}

/// The position of one ring frame in its item; later frames count from it until the next mark.
package struct StreamMark: WireCoded, BitwiseCopyable, Equatable, Sendable {
  package var ringFrame: UInt64
  package var requestID: UInt32
  package var positionSeconds: Double
  /// The playback rate: seconds of the item per second heard, 0.5…2.0.
  package var rate: Double

  package init(ringFrame: UInt64, requestID: UInt32, positionSeconds: Double, rate: Double) {
    self.ringFrame = ringFrame
    self.requestID = requestID
    self.positionSeconds = positionSeconds
    self.rate = rate
  }

  package func write(to writer: inout WireWriter) {
    writer.number(ringFrame)
    writer.number(requestID)
    writer.fraction(positionSeconds)
    writer.fraction(rate)
  }

  package init(_ reader: inout WireReader) throws(MalformedMessage) {
    self.init(
      ringFrame: try reader.count(), requestID: try reader.number(), positionSeconds: try reader.seconds(),
      rate: try reader.rate())
  }
}

/// The properties of an open file.
package struct ItemProperties: WireCoded, BitwiseCopyable, Equatable, Sendable {
  /// Excludes the encoder's padding.
  package var durationSeconds = 0.0
  /// Sample frames at the file's own rate, without padding.
  package var frameCount: UInt64 = 0
  /// The file's own rate.
  package var sampleRateHz: UInt32 = 0
  /// The file's own channels.
  package var channelCount: UInt16 = 0
  /// FFmpeg's codec name, such as `pcm_s16le` or `mp3`.
  package var codecName: FixedText<24> = ""
  /// Sample frames per packet; 0 if packets hold different numbers of them.
  package var framesPerPacket: UInt32 = 0
  /// Whether packets differ in bytes or in frames.
  package var packetsVary = false
  /// Size of the largest packet, or an upper bound.
  package var largestPacketByteCount: UInt32 = 0
  /// Size of each of the three buffers.
  package var bufferByteCount: UInt32 = 0
  /// The number of packets that one read puts into a buffer.
  package var packetsPerRead: UInt32 = 0
  /// From the file's tags; empty if there is none.
  package var title: FixedText<128> = ""
  /// From the file's tags; empty if there is none.
  package var artist: FixedText<128> = ""
  /// The place on an album, from the file's tags: 10,000 × disc number + track number; 0 without a track.
  package var albumPlace: UInt32 = 0

  package init() {}

  /// Whether the duration is plausible: below 30 years.
  package var isPossible: Bool { durationSeconds >= 0 && durationSeconds < 1e9 }

  /// The numbers, and three texts of full length, each after its length byte.
  static var maximumByteCount: Int { 43 + (1 + 24) + 2 * (1 + 128) }

  package func write(to writer: inout WireWriter) {
    writer.fraction(durationSeconds)
    writer.number(frameCount)
    writer.number(sampleRateHz)
    writer.number(channelCount)
    writer.number(framesPerPacket)
    writer.flag(packetsVary)
    writer.number(largestPacketByteCount)
    writer.number(bufferByteCount)
    writer.number(packetsPerRead)
    writer.number(albumPlace)
    writer.text(codecName)
    writer.text(title)
    writer.text(artist)
  }

  package init(_ reader: inout WireReader) throws(MalformedMessage) {
    self.init()
    durationSeconds = try reader.seconds()
    frameCount = try reader.count()
    sampleRateHz = try reader.number(in: 1...10_000_000)
    channelCount = try reader.number(in: 1...1024)
    framesPerPacket = try reader.number()
    packetsVary = try reader.flag()
    largestPacketByteCount = try reader.number()
    bufferByteCount = try reader.number()
    packetsPerRead = try reader.number()
    albumPlace = try reader.number()
    codecName = try reader.text()
    title = try reader.text()
    artist = try reader.text()
  }
}

/// Why a file cannot be played.
package enum DecoderRefusal: UInt8, Error, BitwiseCopyable, Equatable, Sendable {
  case empty
  case unknownKind
  case noSound
  case unknownCodec
  case damaged
  case unreadable
  case tooSlow
  case fatal
  /// The program that wrote it did not get as far as its description.
  case undescribed

  /// The problem, as the predicate of a sentence whose subject is the file's name.
  package var problem: StaticString {
    switch self {
    case .empty: "is empty"
    case .unknownKind: "is not a known media format"
    case .noSound: "holds no sound"
    case .unknownCodec: "has an unknown codec"
    case .damaged: "is damaged: no sound can be decoded"
    case .unreadable: "cannot be read"
    case .tooSlow: "could not be opened within 2 s"
    case .fatal: "crashed the decoder: it is damaged"
    case .undescribed: "lacks its end, which tells how to read it: copy it again"
    }
  }
}
