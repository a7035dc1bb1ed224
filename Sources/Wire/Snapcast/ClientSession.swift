import Base

/// The client's side of a connection to a server ("Client joining process"), without the socket.
package struct ClientSession: ~Copyable {
  package enum Ending: BitwiseCopyable, Equatable, Sendable {
    /// The server sent something that is not a message, or a message that is too long.
    case malformed
    /// The server sent a message that only a client may send, or one that is out of order.
    case refused
    /// The sound is not 16-bit PCM.
    case otherCodec
    /// The server refuses the client.
    case unwelcome
  }

  package enum State: BitwiseCopyable, Equatable, Sendable {
    /// The hello has not been written yet.
    case connected
    /// Waiting for the server's buffer setting.
    case awaitingSettings
    /// Waiting for the server's codec header.
    case awaitingCodec
    case streaming(AudioFormat)
    /// Nothing more is read or written.
    case ended(Ending)
  }

  private enum Event {
    case saidHello, settings, codec(AudioFormat)
    case fault(Ending)
  }

  /// A time request that has not been answered.
  private struct Question: BitwiseCopyable {
    var id: UInt16 = 0
    var sent: Instant = 0
  }

  package private(set) var state = State.connected
  /// The latest from the server.
  package private(set) var settings = ServerSettings(bufferMilliseconds: 1000)
  package private(set) var clock = ClockComparison()
  private let hello: Hello
  private var assembly: MessageAssembly
  private var questions = InlineArray<128, Question>(repeating: Question())
  private var lastID: UInt16 = 1
  private var nextQuestion: Instant = 0

  package init?(_ hello: Hello, in memory: inout BootMemory) {
    let largest = SnapcastLimits.headerByteCount + SnapcastLimits.payloadByteCount
    guard let assembly = MessageAssembly(largestByteCount: largest, in: &memory) else { return nil }
    self.hello = hello
    self.assembly = assembly
  }

  /// Starts over with another connection.
  package mutating func reconnect() {
    state = .connected
    settings = ServerSettings(bufferMilliseconds: 1000)
    clock = ClockComparison()
    assembly.clear()
    for index in questions.indices { questions[index] = Question() }
    nextQuestion = 0
  }

  /// Processes bytes from the server, in pieces of any length.
  /// - Parameters:
  ///   - now: when the bytes arrived.
  ///   - take: receives each chunk and its sound.
  package mutating func receive(_ bytes: RawSpan, at now: Instant, _ take: (Chunk, RawSpan) -> Void) {
    var offset = 0
    while offset < bytes.byteCount, !isOver {
      switch assembly.take(bytes, from: &offset) {
      case .incomplete: return
      case .malformed: handle(.fault(.malformed))
      case .complete(let header):
        receive(header, at: now, take)
        assembly.clear()
      }
    }
  }

  /// Writes the next message to the server: the hello, then time requests.
  /// - Parameters:
  ///   - room: at least ``SnapcastLimits/replyByteCount`` bytes.
  ///   - now: the time of sending. The caller must send the message at once.
  /// - Returns: its length; 0 if there is none now.
  package mutating func nextMessage(into room: inout MutableRawSpan, at now: Instant) -> Int {
    guard !isOver else { return 0 }
    if state == .connected {
      handle(.saidHello)
      return room.writeText(.hello, hello.json, id: 1, at: now)
    }
    guard now >= nextQuestion else { return 0 }
    return ask(into: &room, at: now)
  }

  /// When ``nextMessage(into:at:)`` has its next message.
  package var nextMessageInstant: Instant { state == .connected ? .zero : nextQuestion }

  /// When a chunk begins to be heard, by the local clock; nil before the clocks have been compared.
  package func playing(of chunk: Chunk) -> Instant? {
    clock.estimate?.own(at: chunk.recorded.nanoseconds + settings.delayNanoseconds)
  }

  private var isOver: Bool {
    if case .ended = state { true } else { false }
  }

  private mutating func receive(_ header: MessageHeader, at now: Instant, _ take: (Chunk, RawSpan) -> Void) {
    switch header.kind {
    case .time: noteAnswer(header, at: now)
    case .serverSettings:
      guard let told = assembly.settings else { return handle(.fault(.malformed)) }
      settings = told
      handle(.settings)
    case .codecHeader:
      guard let codec = assembly.codec else { return handle(.fault(.otherCodec)) }
      handle(.codec(codec.format))
    case .wireChunk: hear(take)
    // What older servers report about what they play.
    case .streamTags: break
    case .error: handle(.fault(.unwelcome))
    case .hello, .clientInfo: handle(.fault(.refused))
    }
  }

  /// "Until the server sends this [the codec's header], the client shouldn't play any": snapserver sends chunks to
  /// every connection, even before it has read the hello.
  private mutating func hear(_ take: (Chunk, RawSpan) -> Void) {
    guard case .streaming(let format) = state else { return }
    guard let chunk = assembly.chunk, chunk.byteCount % format.bytesPerFrame == 0 else {
      return handle(.fault(.malformed))
    }
    take(chunk, assembly.payload.extracting(droppingFirst: SnapcastLimits.chunkHeaderByteCount))
  }

  /// The only place that changes the state.
  private mutating func handle(_ event: Event) {
    switch (state, event) {
    case (.ended, _): break
    case (_, .fault(let ending)): state = .ended(ending)
    case (.connected, .saidHello): state = .awaitingSettings
    case (.awaitingSettings, .settings): state = .awaitingCodec
    case (.awaitingCodec, .codec(let format)), (.streaming, .codec(let format)): state = .streaming(format)
    // New settings, such as another volume.
    case (.awaitingCodec, .settings), (.streaming, .settings): break
    case (.connected, _), (.awaitingSettings, _), (_, .saidHello): state = .ended(.refused)
    }
  }

  private mutating func ask(into room: inout MutableRawSpan, at now: Instant) -> Int {
    lastID = lastID == .max ? 2 : lastID + 1
    questions[Int(lastID) % SnapcastLimits.openQuestionCount] = Question(id: lastID, sent: now)
    let isHurried = clock.exchangeCount < SnapcastLimits.firstQuestionCount
    nextQuestion = now.later(
      by: isHurried ? SnapcastLimits.firstQuestionNanoseconds : SnapcastLimits.laterQuestionNanoseconds)
    MessageHeader(.time, id: lastID, sent: WireTime(now), payloadByteCount: WireTime.byteCount).write(into: &room)
    WireTime(seconds: 0, microseconds: 0).write(at: SnapcastLimits.headerByteCount, into: &room)
    return SnapcastLimits.headerByteCount + WireTime.byteCount
  }

  /// Ignores an answer to a request that was not made or has been answered, and one whose two delays add up to less
  /// than zero or to more than the round trip.
  private mutating func noteAnswer(_ header: MessageHeader, at now: Instant) {
    guard header.payloadByteCount == WireTime.byteCount else { return handle(.fault(.malformed)) }
    let place = Int(header.refersTo) % SnapcastLimits.openQuestionCount
    let question = questions[place]
    guard header.refersTo != 0, question.id == header.refersTo else { return }
    questions[place] = Question()
    let toServer = assembly.latency.nanoseconds
    let fromServer = WireTime(now).nanoseconds - header.sent.nanoseconds
    let both = toServer + fromServer
    guard both >= -1000, both <= Int64(now.distance(since: question.sent)) + 2000 else { return }
    clock.note(toServer: toServer, fromServer: fromServer, sent: question.sent, received: now)
  }
}
