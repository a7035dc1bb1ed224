import Base

/// The server's side of one connection ("Client joining process"), without the socket: it takes the client's bytes and
/// produces the replies. Chunks are left to the caller, since they are the same for all clients. A session is reused
/// for one client after another.
package struct ServerSession: ~Copyable {
  package enum Ending: BitwiseCopyable, Equatable, Sendable {
    /// The client sent something that is not a message, or a message that is too long.
    case malformed
    /// The client sent a message that only a server may send, or one that would control a server.
    case refused
    /// The client speaks another version of the protocol.
    case otherVersion
    /// The client sends more time requests than it reads answers.
    case tooManyQuestions
    /// The client did not say hello.
    case silent
  }

  package enum State: BitwiseCopyable, Equatable, Sendable {
    /// No client has connected yet.
    case idle
    /// Until the hello, the client only gets answers to time requests.
    case awaitingHello
    /// The settings, or also the codec header, have not been written yet.
    case introducing
    /// The client receives chunks.
    case streaming
    /// Nothing more is read or written.
    case ended(Ending)
  }

  private enum Event {
    case connected
    case hello(id: UInt16)
    case introduced
    case fault(Ending)
  }

  /// A time request whose answer has not been written yet.
  private struct Question: BitwiseCopyable {
    var id: UInt16 = 0
    var latency = WireTime(seconds: 0, microseconds: 0)
  }

  package private(set) var state = State.idle
  /// How the client introduced itself; empty before its hello.
  package private(set) var client = Hello(hostName: "", clientName: "", version: "", id: "")
  private let settings: ServerSettings
  private var codec: CodecHeader?
  private var begin: Instant = 0
  private var assembly: MessageAssembly
  private var questions = InlineArray<128, Question>(repeating: Question())
  private var questionCount = 0
  private var helloID: UInt16 = 0
  private var hasWrittenSettings = false

  package init?(_ settings: ServerSettings, in memory: inout BootMemory) {
    guard let assembly = MessageAssembly(largestByteCount: SnapcastLimits.requestByteCount, in: &memory) else {
      return nil
    }
    self.settings = settings
    self.assembly = assembly
  }

  /// Starts a session for a new client; nothing remains of the previous one.
  /// - Parameter format: of the chunks; 16-bit.
  package mutating func connect(_ format: AudioFormat, at now: Instant) {
    codec = CodecHeader(format)
    assembly.clear()
    client = Hello(hostName: "", clientName: "", version: "", id: "")
    questionCount = 0
    hasWrittenSettings = false
    begin = now
    handle(.connected)
  }

  /// Whether chunks may be sent once ``nextMessage(into:at:)`` has none.
  package var wantsChunks: Bool { state == .streaming }

  /// Processes bytes from the client, in pieces of any length.
  /// - Parameter now: when the bytes arrived; answers to time requests report it.
  package mutating func receive(_ bytes: RawSpan, at now: Instant) {
    var offset = 0
    while offset < bytes.byteCount, !isOver {
      switch assembly.take(bytes, from: &offset) {
      case .incomplete: return
      case .malformed: handle(.fault(.malformed))
      case .complete(let header):
        receive(header, at: now)
        assembly.clear()
      }
    }
  }

  /// Ends the session if the client's hello is overdue.
  package mutating func look(at now: Instant) {
    if state == .awaitingHello, now >= begin.later(by: SnapcastLimits.helloNanoseconds) { handle(.fault(.silent)) }
  }

  /// Writes the next message to the client.
  /// - Parameters:
  ///   - room: at least ``SnapcastLimits/replyByteCount`` bytes.
  ///   - now: the time of sending. The caller must send at once: clients compare it with the time of arrival.
  /// - Returns: its length; 0 if there is none now.
  package mutating func nextMessage(into room: inout MutableRawSpan, at now: Instant) -> Int {
    if questionCount > 0, !isOver { return writeAnswer(into: &room, at: now) }
    guard state == .introducing else { return 0 }
    guard hasWrittenSettings else {
      hasWrittenSettings = true
      return room.writeText(.serverSettings, settings.json, refersTo: helloID, at: now)
    }
    handle(.introduced)
    guard let codec else { return 0 }
    return codec.writeMessage(into: &room, at: now)
  }

  private var isOver: Bool {
    switch state {
    case .idle, .ended: true
    case .awaitingHello, .introducing, .streaming: false
    }
  }

  private mutating func receive(_ header: MessageHeader, at now: Instant) {
    switch header.kind {
    case .time: ask(header, at: now)
    case .hello: greet(header)
    // A client's report of its volume changes nothing here.
    case .clientInfo: break
    case .codecHeader, .wireChunk, .serverSettings, .streamTags, .error: handle(.fault(.refused))
    }
  }

  /// "Time": the latency is from the client's sending, by its clock, to the arrival here, by ours.
  private mutating func ask(_ header: MessageHeader, at now: Instant) {
    guard header.payloadByteCount == WireTime.byteCount else { return handle(.fault(.malformed)) }
    guard questionCount < SnapcastLimits.timeReplyCount else { return handle(.fault(.tooManyQuestions)) }
    let latency = WireTime(now).nanoseconds - header.sent.nanoseconds
    questions[questionCount] = Question(id: header.id, latency: WireTime(nanoseconds: latency))
    questionCount += 1
  }

  private mutating func greet(_ header: MessageHeader) {
    guard let hello = assembly.hello else { return handle(.fault(.malformed)) }
    guard hello.protocolVersion == SnapcastLimits.protocolVersion else { return handle(.fault(.otherVersion)) }
    client = hello
    handle(.hello(id: header.id))
  }

  /// The only place that changes the state.
  private mutating func handle(_ event: Event) {
    switch (state, event) {
    case (_, .connected): state = .awaitingHello
    case (.ended, _), (.idle, _): break
    case (_, .fault(let ending)): state = .ended(ending)
    case (.awaitingHello, .hello(let id)):
      helloID = id
      state = .introducing
    // A second hello would restart the introduction, and with it the client's chunks.
    case (_, .hello): state = .ended(.refused)
    case (_, .introduced): state = .streaming
    }
  }

  private mutating func writeAnswer(into room: inout MutableRawSpan, at now: Instant) -> Int {
    let question = questions[0]
    questionCount -= 1
    for index in 0..<questionCount { questions[index] = questions[index + 1] }
    MessageHeader(
      .time, id: question.id, refersTo: question.id, sent: WireTime(now), payloadByteCount: WireTime.byteCount
    ).write(into: &room)
    question.latency.write(at: SnapcastLimits.headerByteCount, into: &room)
    return SnapcastLimits.headerByteCount + WireTime.byteCount
  }
}
