import Base

/// Puts messages together from the pieces in which a stream delivers them.
struct MessageAssembly: ~Copyable {
  enum Progress {
    /// All bytes were taken, and more are needed.
    case incomplete
    /// It begins with no header, or says that it is longer than there is room for.
    case malformed
    /// ``payload`` is what it says. To be cleared before the next.
    case complete(MessageHeader)
  }

  private var storage: FixedBuffer
  private var byteCount = 0
  private var header: MessageHeader?

  init?(largestByteCount: Int, in memory: inout BootMemory) {
    guard let storage = FixedBuffer(byteCount: largestByteCount, in: &memory) else { return nil }
    self.storage = storage
  }

  /// Takes bytes from `offset` on, up to the end of the message.
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

  /// What follows the header.
  var payload: RawSpan {
    @_addressableSelf
    @_lifetime(borrow self)
    borrowing get { storage.bytes.extracting(SnapcastLimits.headerByteCount..<byteCount) }
  }

  /// The payload without its size; nil when the size is another.
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

  /// The payload as one or the other; nil when it is none.
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

  /// The payload of a message about the time, whose length the caller has checked.
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
  /// Writes a message whose payload is a text with its size.
  /// - Returns: its length.
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
