import Base

/// Reassembles messages from the pieces that a stream delivers.
struct MessageAssembly: ~Copyable {
  enum Progress {
    /// All bytes were consumed, and more are needed.
    case incomplete
    /// The header is invalid, or announces a message that is longer than the buffer.
    case malformed
    /// ``payload`` holds the message. Clear it before the next one.
    case complete(MessageHeader)
  }

  private var storage: FixedBuffer
  private var byteCount = 0
  private var header: MessageHeader?

  init?(largestByteCount: Int, in memory: inout BootMemory) {
    guard let storage = FixedBuffer(byteCount: largestByteCount, in: &memory) else { return nil }
    self.storage = storage
  }

  /// Consumes bytes from `offset` up to the end of the message.
  mutating func take(_ bytes: RawSpan, from offset: inout Int) -> Progress {
    if header == nil {
      copy(bytes, from: &offset, upTo: SnapcastLimits.headerByteCount)
      guard byteCount == SnapcastLimits.headerByteCount else { return .incomplete }
      guard let header = MessageHeader(storage.bytes), Int(header.payloadByteCount) <= storage.byteCount - byteCount
      else {
        return .malformed
      }
      self.header = header
    }
    guard let header else { return .malformed }
    let end = SnapcastLimits.headerByteCount + Int(header.payloadByteCount)
    copy(bytes, from: &offset, upTo: end)
    return byteCount == end ? .complete(header) : .incomplete
  }

  mutating func clear() {
    byteCount = 0
    header = nil
  }

  /// The bytes after the header.
  var payload: RawSpan {
    @_addressableSelf
    @_lifetime(borrow self)
    borrowing get { storage.bytes.extracting(SnapcastLimits.headerByteCount..<byteCount) }
  }

  /// The payload without its size field; nil if that field does not match.
  var text: Span<UInt8>? {
    @_addressableSelf
    @_lifetime(borrow self)
    borrowing get {
      let start = SnapcastLimits.headerByteCount + 4
      guard byteCount >= start else { return nil }
      let stated: UInt32 = payload.number(at: 0)
      guard Int(stated) == byteCount - start else { return nil }
      return storage.text(byteCount).extracting(start..<byteCount)
    }
  }

  /// The payload decoded; nil if it is not of this type.
  var hello: Hello? {
    guard let text else { return nil }
    return Hello(json: text)
  }

  /// As ``hello``.
  var settings: ServerSettings? {
    guard let text else { return nil }
    return ServerSettings(json: text)
  }

  /// As ``hello``.
  var codec: CodecHeader? { CodecHeader(payload) }

  /// As ``hello``.
  var chunk: Chunk? { Chunk(payload) }

  /// The payload of a time message, whose length the caller has checked.
  var latency: WireTime { WireTime(at: 0, in: payload) }

  private mutating func copy(_ bytes: RawSpan, from offset: inout Int, upTo end: Int) {
    let count = min(end - byteCount, bytes.byteCount - offset)
    let start = byteCount
    var room = storage.mutableBytes
    for index in 0..<count {
      room.storeBytes(of: bytes.byte(at: offset + index), toByteOffset: start + index, as: UInt8.self)
    }
    byteCount += count
    offset += count
  }
}

extension MutableRawSpan {
  /// Writes a message whose payload is text after its size.
  /// - Returns: the message's length.
  mutating func writeText(
    _ kind: MessageKind, _ text: FixedText<512>, id: UInt16 = 0, refersTo: UInt16 = 0, at now: Instant
  ) -> Int {
    MessageHeader(kind, id: id, refersTo: refersTo, sent: WireTime(now), payloadByteCount: 4 + text.byteCount)
      .write(into: &self)
    store(UInt32(text.byteCount), at: SnapcastLimits.headerByteCount)
    store(text.bytes, at: SnapcastLimits.headerByteCount + 4)
    return SnapcastLimits.headerByteCount + 4 + text.byteCount
  }
}
