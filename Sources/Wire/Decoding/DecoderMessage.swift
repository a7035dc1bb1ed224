/// What a decoder's process reports. A hostile file may control it: whoever reads a message checks every number in it.
package enum DecoderMessage: WireCoded, BitwiseCopyable, Equatable, Sendable {
  /// The process has entered its sandbox and takes orders.
  case ready
  /// The file of this request is open.
  case opened(requestID: UInt32, ItemProperties, PacketReading)
  /// It cannot be played.
  case refused(requestID: UInt32, DecoderRefusal)
  /// The position of a ring frame. Precedes the message that this frame is in the ring.
  case mark(StreamMark)
  /// All frames before `endFrame` are in the ring.
  case filled(endFrame: UInt64, PacketReading)
  /// The item ended, and no other follows: the ring holds all frames before `ringFrame`, and no more will come until a
  /// `seek` or an `open`.
  case ended(ringFrame: UInt64, PacketReading)
  /// A seek is still under way: the file has to be read, or decoded, up to its position. Answers nothing.
  case searching
  /// What was taken out of the file of this request.
  case extracted(requestID: UInt32, Extracted)

  /// The length of the largest message.
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
  }

  /// Writes the message to the start of `memory`. In texts, control characters become spaces, and invalid UTF-8 becomes
  /// U+FFFD.
  /// - Parameter memory: at least ``maximumByteCount`` bytes.
  /// - Returns: the message's length in bytes.
  package func encode(into memory: inout MutableRawSpan) -> Int {
    var writer = WireWriter(&memory)
    writer.number(kind.rawValue)
    switch self {
    case .ready, .searching: break
    case .extracted(let requestID, let content):
      writer.number(requestID)
      content.encode(into: &writer)
    case .opened(let requestID, let properties, let reading):
      writer.number(requestID)
      properties.encode(into: &writer)
      reading.encode(into: &writer)
    case .refused(let requestID, let refusal):
      writer.number(requestID)
      writer.number(refusal.rawValue)
    case .mark(let mark): mark.encode(into: &writer)
    case .filled(let frame, let reading), .ended(let frame, let reading):
      writer.number(frame)
      reading.encode(into: &writer)
    }
    return writer.byteCount
  }

  /// Reads a message. Nil when the bytes are none: an unknown kind or refusal, another length, a position or duration
  /// outside of 0…10⁷ s, a rate outside of 0.5…2.0, a frame or packet beyond 2⁶², a file without a rate or channels, a
  /// text that is too long, not UTF-8 or holds control characters.
  package init?(decoding bytes: RawSpan) {
    guard let read = Self.read(bytes) else { return nil }
    self = read
  }

  init(_ reader: inout WireReader) throws(MalformedMessage) {
    switch Kind(rawValue: try reader.number()) {
    case .ready: self = .ready
    case .opened:
      self = .opened(requestID: try reader.number(), try ItemProperties(&reader), try PacketReading(&reader))
    case .refused:
      let requestID: UInt32 = try reader.number()
      guard let refusal = DecoderRefusal(rawValue: try reader.number()) else { throw MalformedMessage() }
      self = .refused(requestID: requestID, refusal)
    case .mark: self = .mark(try StreamMark(&reader))
    case .filled: self = .filled(endFrame: try reader.count(), try PacketReading(&reader))
    case .ended: self = .ended(ringFrame: try reader.count(), try PacketReading(&reader))
    case .searching: self = .searching
    case .extracted: self = .extracted(requestID: try reader.number(), try Extracted(&reader))
    case nil: throw MalformedMessage()
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
    }
  }
}

/// How far the open item's packets have been read into its three buffers.
package struct PacketReading: BitwiseCopyable, Equatable, Sendable {
  /// The number of the next packet to be read; a packet of PCM is one sample frame.
  package var nextPacket: UInt64
  /// Reads that returned packets.
  package var readCount: UInt32
  /// Reads at the end of the file, which returned none.
  package var emptyReadCount: UInt32
  /// What the buffers of a stream hold now.
  package var held = HeldPackets()

  /// Without arguments: nothing has been read yet.
  package init(
    nextPacket: UInt64 = 0, readCount: UInt32 = 0, emptyReadCount: UInt32 = 0, held: HeldPackets = HeldPackets()
  ) {
    self.nextPacket = nextPacket
    self.readCount = readCount
    self.emptyReadCount = emptyReadCount
    self.held = held
  }

  static var byteCount: Int { 16 + HeldPackets.byteCount }

  func encode(into writer: inout WireWriter) {
    writer.number(nextPacket)
    writer.number(readCount)
    writer.number(emptyReadCount)
    held.encode(into: &writer)
  }

  init(_ reader: inout WireReader) throws(MalformedMessage) {
    self.init(
      nextPacket: try reader.count(), readCount: try reader.number(), emptyReadCount: try reader.number(),
      held: try HeldPackets(&reader))
  }
}

/// What the buffers of a stream hold; nothing for a file, whose buffers are read when they are needed.
package struct HeldPackets: BitwiseCopyable, Equatable, Sendable {
  /// Buffers that hold packets, 0…3.
  package var bufferCount: UInt8
  /// Packets in all of them.
  package var packetCount: UInt32
  /// Bytes of these.
  package var bytes: UInt32

  /// Without arguments: nothing.
  package init(bufferCount: UInt8 = 0, packetCount: UInt32 = 0, bytes: UInt32 = 0) {
    self.bufferCount = bufferCount
    self.packetCount = packetCount
    self.bytes = bytes
  }

  static var byteCount: Int { 9 }

  func encode(into writer: inout WireWriter) {
    writer.number(bufferCount)
    writer.number(packetCount)
    writer.number(bytes)
  }

  init(_ reader: inout WireReader) throws(MalformedMessage) {
    self.init(bufferCount: try reader.number(in: 0...3), packetCount: try reader.number(), bytes: try reader.number())
  }
}

/// The position of one ring frame in its item; the frames after it count on from there, until the next mark.
package struct StreamMark: BitwiseCopyable, Equatable, Sendable {
  /// The frame of the PCM ring.
  package var ringFrame: UInt64
  /// The request that opened the item.
  package var requestID: UInt32
  /// The frame's position in the item.
  package var positionSeconds: Double
  /// The playback rate: seconds of the item for each second that is heard, 0.5…2.0.
  package var rate: Double

  package init(ringFrame: UInt64, requestID: UInt32, positionSeconds: Double, rate: Double) {
    self.ringFrame = ringFrame
    self.requestID = requestID
    self.positionSeconds = positionSeconds
    self.rate = rate
  }

  func encode(into writer: inout WireWriter) {
    writer.number(ringFrame)
    writer.number(requestID)
    writer.fraction(positionSeconds)
    writer.fraction(rate)
  }

  init(_ reader: inout WireReader) throws(MalformedMessage) {
    self.init(
      ringFrame: try reader.count(), requestID: try reader.number(), positionSeconds: try reader.seconds(),
      rate: try reader.rate())
  }
}
