extension DecoderMessage {
  /// The bytes of the largest message.
  public static var maximumByteCount: Int { 1 + 4 + ItemProperties.maximumByteCount + PacketReading.byteCount }

  private enum Kind: UInt8 {
    case ready = 1
    case opened
    case refused
    case mark
    case filled
    case ended
  }

  /// Puts the message's bytes at the start of `memory`. Of texts, control characters become spaces and what is no UTF-8
  /// becomes U+FFFD.
  /// - Parameter memory: at least ``maximumByteCount`` bytes.
  /// - Returns: how many they are.
  public func encode(into memory: inout MutableRawSpan) -> Int {
    var writer = WireWriter(&memory)
    writer.number(kind.rawValue)
    switch self {
    case .ready: break
    case .opened(let ticket, let properties, let reading):
      writer.number(ticket)
      properties.encode(into: &writer)
      reading.encode(into: &writer)
    case .refused(let ticket, let refusal):
      writer.number(ticket)
      writer.number(refusal.rawValue)
    case .mark(let mark): mark.encode(into: &writer)
    case .filled(let frame, let reading), .ended(let frame, let reading):
      writer.number(frame)
      reading.encode(into: &writer)
    }
    return writer.byteCount
  }

  /// The message that has these bytes; nil when none has: an unknown kind or refusal, another length, a position or
  /// duration outside of 0…10⁷ s, a rate outside of 0.5…2.0, a frame or packet beyond 2⁶², a file without a rate or
  /// channels, a text that is longer than its room, is no UTF-8 or holds control characters.
  public init?(decoding bytes: RawSpan) {
    var reader = WireReader(bytes)
    do throws(MalformedWord) {
      self = try Self(&reader)
      try reader.finish()
    } catch {
      return nil
    }
  }

  private init(_ reader: inout WireReader) throws(MalformedWord) {
    switch Kind(rawValue: try reader.number()) {
    case .ready: self = .ready
    case .opened:
      self = .opened(ticket: try reader.number(), try ItemProperties(&reader), try PacketReading(&reader))
    case .refused:
      let ticket: UInt32 = try reader.number()
      guard let refusal = DecoderRefusal(rawValue: try reader.number()) else { throw MalformedWord() }
      self = .refused(ticket: ticket, refusal)
    case .mark: self = .mark(try StreamMark(&reader))
    case .filled: self = .filled(endFrame: try reader.count(), try PacketReading(&reader))
    case .ended: self = .ended(ringFrame: try reader.count(), try PacketReading(&reader))
    case nil: throw MalformedWord()
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
    }
  }
}
