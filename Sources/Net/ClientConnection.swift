import Base
import CLinux
import Machine
import Wire

/// A client and its socket, or the place for one.
struct ClientConnection: ~Copyable {
  /// Why a client was cut off, or left.
  enum Departure {
    case left
    case tooSlow
    case refused(ServerSession.Ending)
  }

  private var socket: FileDescriptor?
  private(set) var session: ServerSession
  /// Its address and port.
  private(set) var address = FixedText<64>()
  private(set) var since: Instant = 0
  private(set) var sentByteCount: UInt64 = 0
  /// The chunk that is sent next, or in part.
  private(set) var nextChunk: UInt64 = 0
  private var reply: FixedBuffer
  private var replyByteCount = 0
  /// How much was sent of the reply, or if there is none of the chunk: whichever was begun is completed first.
  private var sentOfMessage = 0

  /// - Returns: nil when `memory` is used up.
  init?(_ settings: ServerSettings, in memory: inout BootMemory) {
    guard let session = ServerSession(settings, in: &memory),
      let reply = FixedBuffer(byteCount: SnapcastLimits.replyByteCount, in: &memory)
    else { return nil }
    self.session = session
    self.reply = reply
    socket = nil
  }

  var isFree: Bool { number < 0 }

  private var number: Int32 {
    switch socket {
    case .some(let socket): socket.number
    case nil: -1
    }
  }

  mutating func connect(
    _ socket: consuming FileDescriptor, from address: FixedText<64>, _ format: AudioFormat, firstChunk: UInt64,
    at now: Instant
  ) {
    self.socket = .some(socket)
    self.address = address
    since = now
    sentByteCount = 0
    nextChunk = firstChunk
    replyByteCount = 0
    sentOfMessage = 0
    session.connect(format, at: now)
  }

  mutating func disconnect() { socket = nil }

  /// Reads what the client has sent, and sends what it can take. Never waits.
  /// - Returns: why the client is to be disconnected; nil while it is not.
  mutating func exchange(_ chunks: borrowing ChunkRing) -> Departure? {
    guard !isFree else { return nil }
    if let departure = receive() { return departure }
    session.look(at: Instant.now)
    if case .ended(let ending) = session.state { return .refused(ending) }
    return send(chunks)
  }

  private mutating func receive() -> Departure? {
    var bytes = InlineArray<512, UInt8>(repeating: 0)
    // A client that sends faster than this is read takes turns with the others.
    for _ in 0..<8 {
      var span = bytes.mutableSpan
      let count = unsafe span.withUnsafeMutableBufferPointer { buffer in
        retryingWhenInterrupted { unsafe recv(number, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT)) }
      }
      guard count > 0 else { return count == 0 || lastSystemError != EAGAIN ? .left : nil }
      unsafe session.receive(bytes.span.bytes.extracting(first: count), at: Instant.now)
    }
    return nil
  }

  private mutating func send(_ chunks: borrowing ChunkRing) -> Departure? {
    while true {
      let isInsideChunk = replyByteCount == 0 && sentOfMessage > 0
      if !isInsideChunk, replyByteCount == 0 { replyByteCount = Self.nextReply(&session, &reply) }
      if replyByteCount == 0 {
        guard session.wantsChunks else { return nil }
        guard chunks.holds(nextChunk) else { return .tooSlow }
        guard nextChunk < chunks.end else { return nil }
      }
      guard let sent = replyByteCount > 0 ? sendReply() : send(chunks.message(nextChunk)) else { return .left }
      sentOfMessage += sent
      sentByteCount += UInt64(sent)
      guard sentOfMessage == (replyByteCount > 0 ? replyByteCount : chunks.messageByteCount) else { return nil }
      if replyByteCount == 0 { nextChunk += 1 }
      replyByteCount = 0
      sentOfMessage = 0
    }
  }

  private static func nextReply(_ session: inout ServerSession, _ reply: inout FixedBuffer) -> Int {
    var room = reply.mutableBytes
    return session.nextMessage(into: &room, at: Instant.now)
  }

  private func sendReply() -> Int? { send(reply.bytes.extracting(first: replyByteCount)) }

  /// Sends what has not been sent of a message.
  /// - Returns: how many bytes were taken; nil when the client is gone.
  private func send(_ message: RawSpan) -> Int? {
    let rest = message.extracting(droppingFirst: sentOfMessage)
    let count = unsafe rest.withUnsafeBytes { bytes in
      retryingWhenInterrupted { unsafe linux_send_stream(number, bytes.baseAddress, bytes.count) }
    }
    if count >= 0 { return count }
    return lastSystemError == EAGAIN ? 0 : nil
  }
}
