import Base
import CLinux
import Machine
import Wire

/// A server's sockets: it accepts clients, answers them, and sends them the chunks that it is given. Only one thread
/// uses it, and no call blocks.
@safe package struct SnapcastServer: ~Copyable {
  // Safe: a piece of boot memory with no other user; each place is initialized.
  private let places: UnsafeMutableBufferPointer<ClientConnection>
  private let listener: FileDescriptor
  private let watcher: FileDescriptor
  private var chunks: ChunkRing
  private var format: AudioFormat?
  /// How many clients have been disconnected for being too slow since the program started.
  package private(set) var tooSlowCount: UInt64 = 0

  /// - Parameters:
  ///   - address: one of this machine's, in digits.
  ///   - clientCount: the most clients at a time.
  /// - Returns: nil if there is no such address, its port is taken, or `memory` is used up; ``Posix/lastSystemError``
  ///   says which.
  package init?(
    address: FixedText<64>, port: UInt16, _ settings: ServerSettings, clientCount: Int, in memory: inout BootMemory
  ) {
    guard let listener = Self.descriptor(unsafe address.withCString { unsafe linux_listen_for_streams($0, port) }),
      let watcher = Self.descriptor(epoll_create1(Int32(EPOLL_CLOEXEC))),
      linux_watch(watcher.number, listener.number) == 0, let chunks = ChunkRing(in: &memory),
      let places = unsafe Self.places(settings, clientCount, in: &memory)
    else { return nil }
    self.listener = listener
    self.watcher = watcher
    self.chunks = chunks
    unsafe self.places = places
  }

  private static func descriptor(_ number: Int32) -> FileDescriptor? {
    number >= 0 ? FileDescriptor(owning: number) : nil
  }

  private static func places(
    _ settings: ServerSettings, _ count: Int, in memory: inout BootMemory
  ) -> UnsafeMutableBufferPointer<ClientConnection>? {
    guard let piece = unsafe memory.cut(byteCount: count * MemoryLayout<ClientConnection>.stride) else { return nil }
    let places = unsafe piece.bindMemory(to: ClientConnection.self)
    for index in 0..<count {
      guard let place = ClientConnection(settings, in: &memory) else { return nil }
      unsafe (places.baseAddress! + index).initialize(to: place)
    }
    return unsafe places
  }

  /// Becomes readable when a client needs service.
  package var events: Int32 { watcher.number }

  package var clientCount: Int {
    var count = 0
    for index in unsafe places.indices where unsafe !places[index].isFree { count += 1 }
    return count
  }

  /// Sets the format of the chunks that follow; nil if there is no sound. Clients of another format are disconnected:
  /// they reconnect by themselves after a second.
  package mutating func begin(_ format: AudioFormat?) {
    for index in unsafe places.indices { unsafe places[index].disconnect() }
    self.format = format
    guard let format else { return }
    chunks.restart(soundByteCount: SnapcastServer.chunkFrames(format) * Int(format.channelCount) * 2)
  }

  package static func chunkFrames(_ format: AudioFormat) -> Int {
    Int(format.sampleRateHz) * SnapcastLimits.chunkMilliseconds / 1000
  }

  /// Gives all clients a chunk.
  /// - Parameters:
  ///   - sound: ``chunkFrames(_:)`` frames of 16 bits, interleaved.
  ///   - recorded: when its first frame was recorded.
  package mutating func append(_ sound: RawSpan, recorded: Instant) {
    chunks.append(sound, recorded: recorded, at: Instant.now)
  }

  /// Accepts waiting clients, reads, answers and sends.
  @export(interface)
  package mutating func exchange() {
    while accept() {}
    for index in unsafe places.indices {
      switch unsafe places[index].exchange(chunks) {
      case nil: continue
      case .tooSlow?: tooSlowCount += 1
      case .left?, .refused?: break
      }
      unsafe places[index].disconnect()
    }
  }

  /// Passes each client to `body`: its address and hello, when it connected, the bytes sent, and the bytes it is
  /// behind.
  package func forEachClient(
    _ body: (_ address: FixedText<64>, _ client: Hello, _ since: Instant, _ sent: UInt64, _ behind: Int) -> Void
  ) {
    for index in unsafe places.indices where unsafe !places[index].isFree {
      let behind = unsafe chunks.byteCount(since: places[index].nextChunk)
      unsafe body(
        places[index].address, places[index].session.client, places[index].since, places[index].sentByteCount, behind)
    }
  }

  /// - Returns: whether a client was waiting.
  private mutating func accept() -> Bool {
    var text = InlineArray<64, CChar>(repeating: 0)
    var span = text.mutableSpan
    var address = FixedText<64>()
    let number = unsafe span.withUnsafeMutableBufferPointer { buffer in
      let number = unsafe linux_accept_stream(listener.number, SnapcastLimits.unsentByteCount, buffer.baseAddress)
      if number >= 0 { unsafe address = FixedText(cString: buffer.baseAddress) }
      return number
    }
    guard number >= 0 else { return false }
    let socket = FileDescriptor(owning: number)
    // Without a free place or sound, the connection is closed here.
    guard let format, let index = freePlace, linux_watch(watcher.number, number) == 0 else { return true }
    unsafe places[index].connect(socket, from: address, format, firstChunk: chunks.end, at: Instant.now)
    return true
  }

  private var freePlace: Int? {
    for index in unsafe places.indices where unsafe places[index].isFree { return index }
    return nil
  }
}

/// A client and its socket, or a free place for one.
struct ClientConnection: ~Copyable {
  /// Why a client was disconnected, or left.
  enum Departure {
    case left
    case tooSlow
    case refused(ServerSession.Ending)
  }

  private var socket: FileDescriptor?
  private(set) var session: ServerSession
  private(set) var address = FixedText<64>()
  private(set) var since: Instant = 0
  private(set) var sentByteCount: UInt64 = 0
  /// The next chunk to send, or the one sent in part.
  private(set) var nextChunk: UInt64 = 0
  private var reply: FixedBuffer
  private var replyByteCount = 0
  /// Bytes sent of the reply or, if there is none, of the chunk: a message that was begun is completed first.
  private var sentOfMessage = 0

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

  /// Reads what the client has sent, and sends what it can take. Never blocks.
  /// - Returns: why the client is to be disconnected; nil if it stays.
  mutating func exchange(_ chunks: borrowing ChunkRing) -> Departure? {
    guard !isFree else { return nil }
    if let departure = receive() { return departure }
    session.look(at: Instant.now)
    if case .ended(let ending) = session.state { return .refused(ending) }
    return send(chunks)
  }

  private mutating func receive() -> Departure? {
    var bytes = InlineArray<512, UInt8>(repeating: 0)
    // Bounded, so that a client that sends faster than this is read does not starve the others.
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

  /// Sends the rest of a message.
  /// - Returns: how many bytes were taken; nil if the client has gone.
  private func send(_ message: RawSpan) -> Int? {
    let rest = message.extracting(droppingFirst: sentOfMessage)
    let count = unsafe rest.withUnsafeBytes { bytes in
      retryingWhenInterrupted { unsafe linux_send_stream(number, bytes.baseAddress, bytes.count) }
    }
    if count >= 0 { return count }
    return lastSystemError == EAGAIN ? 0 : nil
  }
}
