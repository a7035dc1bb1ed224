import Base

/// What a message is ("Messages").
package enum MessageKind: UInt16, BitwiseCopyable, Sendable {
  /// How the chunks are encoded.
  case codecHeader = 1
  /// A piece of sound.
  case wireChunk
  /// Buffer, latency and volume.
  case serverSettings
  /// A question for the time, or its answer.
  case time
  /// Who a client is.
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
  /// What follows.
  package var kind: MessageKind
  /// The sender's number for it; 0 when it expects no answer.
  package var id: UInt16
  /// The number of the message that it answers, or 0.
  package var refersTo: UInt16
  /// When it was sent, by its sender's clock.
  package var sent: WireTime
  /// Bytes that follow.
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
