import Base
import CCurl
import CLinux
import Machine
import Media
import Wire

/// Plays from a Snapcast server until the recorder gives it up: writes the sound into the pipe, in sync with the
/// server's other players. The recorder reports when it is heard.
struct SnapcastReceiver: ~Copyable {
  /// Why a connection ended.
  private enum Ending {
    /// The recorder has given up the stream.
    case cut
    /// Another connection may succeed.
    case lost(FetchProblem)
    /// Another connection would fail in the same way.
    case unfit(FetchProblem)
  }

  /// A server answers time requests at once, and a fieldcorder sends 40 a second.
  private static var silenceNanoseconds: UInt64 { 10_000_000_000 }
  /// A Snapcast server sends its settings at once; a server for another protocol waits for a request.
  private static var introductionNanoseconds: UInt64 { 5_000_000_000 }
  /// Half a block, so that no block is late.
  private static var longestWaitMilliseconds: UInt64 { 10 }
  /// How often the playback delay is reported to the recorder.
  private static var tellingNanoseconds: UInt64 { 1_000_000_000 }
  private static var readByteCount: Int { 16_384 }

  private let address: StreamAddress
  private let link: FileDescriptor
  private let pipe: FileDescriptor
  private var memory: BootMemory
  private var session: ClientSession
  private var room: FixedBuffer
  private var output: SyncedPipe?
  /// Whether sound was output: on this connection, and ever.
  private var hasPlayed = false
  private var hasEverPlayed = false
  private var reportedState = SyncedOutput.State.silent
  private var nextTelling: Instant = 0

  /// - Parameters:
  ///   - address: of a server: host and port.
  ///   - identity: of the recorder.
  ///   - link: to the recorder.
  ///   - pipe: to the decoder.
  /// - Returns: nil if there is no memory.
  init?(
    _ address: consuming StreamAddress, _ identity: DeviceIdentity, _ link: consuming FileDescriptor,
    _ pipe: consuming FileDescriptor
  ) {
    var memory = unsafe BootMemory(source: lockedPages)
    guard let session = ClientSession(Self.hello(identity), in: &memory),
      let room = FixedBuffer(byteCount: Self.readByteCount, in: &memory)
    else { return nil }
    _ = linux_never_wait(pipe.number)
    self.memory = memory
    self.session = session
    self.room = room
    self.address = address
    self.link = link
    self.pipe = pipe
  }

  /// Servers show the host's name, and tell players apart by the recorder's identity: two may have one name.
  private static func hello(_ identity: DeviceIdentity) -> Hello {
    var name = InlineArray<64, CChar>(repeating: 0)
    var span = name.mutableSpan
    let host: FixedText<64> = unsafe span.withUnsafeMutableBufferPointer { buffer in
      guard let name = buffer.baseAddress, unsafe gethostname(name, buffer.count - 1) == 0 else {
        return "fieldcorder"
      }
      return unsafe FixedText(cString: name)
    }
    return Hello(hostName: host, clientName: "fieldcorder", version: "0.1.0", id: FixedText(identity.text.bytes))
  }

  mutating func run() {
    var backOff = BackOff()
    while true {
      hasPlayed = false
      var problem: FetchProblem
      switch listen() {
      case .cut: return
      case .unfit(let reason): return giveUp(reason)
      case .lost(let reason): problem = reason
      }
      if hasPlayed { backOff.renew() }
      guard hasEverPlayed, let milliseconds = backOff.next() else { return giveUp(problem) }
      tell(.reconnecting(milliseconds: milliseconds, problem))
      session.reconnect()
      output?.output.forgetChunks()
      guard rest(milliseconds: milliseconds) else { return }
    }
  }

  private mutating func giveUp(_ problem: FetchProblem) {
    output?.end(.failed)
    tell(.failed(problem))
  }

  /// Receives for as long as one connection lasts.
  private mutating func listen() -> Ending {
    do throws(FetchProblem) {
      let connection = try SnapcastConnection(address)
      var lastWord = Instant.now
      while takeLink() {
        guard speak(connection) else { return .lost(.brokenOff) }
        switch hear(connection) {
        case .bytes: lastWord = .now
        case .nothing where isStreaming:
          if Instant.now > lastWord + Self.silenceNanoseconds { return .lost(.stalled) }
        case .nothing:
          if Instant.now > lastWord + Self.introductionNanoseconds { return .lost(.noSnapcast) }
        case .end: return .lost(hasEverPlayed ? .brokenOff : .noSnapcast)
        }
        if let ending = lookAround() { return ending }
        supply()
        wait(connection.socket, until: session.nextMessageInstant)
      }
      return .cut
    } catch {
      return .lost(error)
    }
  }

  /// Waits, and outputs silence meanwhile.
  /// - Returns: false if the recorder has given up the stream.
  private mutating func rest(milliseconds: UInt32) -> Bool {
    let end = Instant.now + UInt64(milliseconds) * 1_000_000
    while Instant.now < end {
      guard takeLink() else { return false }
      supply()
      wait(-1, until: end)
    }
    return true
  }

  /// Takes the recorder's reports of when the output is heard.
  /// - Returns: false if it has closed the link, or the decoder the pipe.
  private mutating func takeLink() -> Bool {
    var hung = pollfd(fd: pipe.number, events: 0, revents: 0)
    guard unsafe poll(&hung, 1, 0) == 0 else { return false }
    var bytes = InlineArray<32, UInt8>(repeating: 0)
    while true {
      var span = bytes.mutableSpan
      let count = unsafe span.withUnsafeMutableBufferPointer { buffer in
        retryingWhenInterrupted { unsafe recv(link.number, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT)) }
      }
      guard count > 0 else { return count < 0 && lastSystemError == EAGAIN }
      guard let heard = unsafe HeardPosition(decoding: bytes.span.extracting(first: count).bytes) else { return false }
      output?.output.noteHeard(position: heard.positionNanoseconds, at: heard.instant)
    }
  }

  /// Sends all pending messages to the server: a time request leaves at the instant that it states.
  private mutating func speak(_ connection: borrowing SnapcastConnection) -> Bool {
    while true {
      let count = Self.nextMessage(of: &session, into: &room)
      guard count > 0 else { return true }
      guard connection.send(room.bytes.extracting(first: count)) else { return false }
    }
  }

  private static func nextMessage(of session: inout ClientSession, into room: inout FixedBuffer) -> Int {
    var bytes = room.mutableBytes
    return session.nextMessage(into: &bytes, at: .now)
  }

  /// Takes what the server has sent, and returns after a while so that other work gets its turn.
  private mutating func hear(_ connection: borrowing SnapcastConnection) -> SnapcastConnection.Reception {
    var reception = SnapcastConnection.Reception.nothing
    for _ in 0..<16 {
      let part = connection.receive(into: &room)
      guard case .bytes(let count) = part else {
        if case .end = part { return .end }
        break
      }
      reception = part
      Self.receive(room, count, &session, &output)
    }
    return reception
  }

  private static func receive(
    _ room: borrowing FixedBuffer, _ byteCount: Int, _ session: inout ClientSession, _ output: inout SyncedPipe?
  ) {
    session.receive(room.bytes.extracting(first: byteCount), at: .now) { chunk, sound in
      output?.output.take(chunk, sound)
    }
  }

  private var isStreaming: Bool { if case .streaming = session.state { true } else { false } }

  /// Checks the session's state.
  private mutating func lookAround() -> Ending? {
    switch session.state {
    case .connected, .awaitingSettings, .awaitingCodec: return nil
    case .ended(.malformed), .ended(.refused): return .lost(.noSnapcast)
    case .ended(.otherCodec): return .unfit(.otherSound)
    case .ended(.unwelcome): return .unfit(.denied)
    case .streaming(let format):
      guard session.settings.delayNanoseconds >= SnapcastLimits.leastDelayNanoseconds else {
        return .unfit(.tooLittleDelay)
      }
      return begin(format)
    }
  }

  /// Called when the format of the server's sound is known: starts the output, or checks that the format is unchanged.
  private mutating func begin(_ format: AudioFormat) -> Ending? {
    if let known = output?.output.format { return known == format ? nil : .unfit(.otherSound) }
    output = SyncedPipe(format, pipe.number, in: &memory)
    guard output != nil else { return .unfit(.failed) }
    tell(.connected(contentType: "pcm \(format.sampleRateHz):16:\(format.channelCount)"))
    return nil
  }

  private mutating func supply() {
    let now = Instant.now
    output?.supply(at: now, session.clock.estimate, session.settings)
    guard let state = output?.output.state else { return }
    if state == .playing {
      hasPlayed = true
      hasEverPlayed = true
    }
    guard state != reportedState || state == .playing && now >= nextTelling else { return }
    reportedState = state
    nextTelling = now + Self.tellingNanoseconds
    tell(state == .playing ? .inSync(lateNanoseconds: output?.output.lateNanoseconds ?? 0) : .silent)
  }

  private func wait(_ socket: Int32, until instant: Instant) {
    var ends = InlineArray<2, pollfd>(repeating: pollfd(fd: link.number, events: Int16(POLLIN), revents: 0))
    ends[1].fd = socket
    let left = (instant.distance(since: .now) + 999_999) / 1_000_000
    let milliseconds = Int32(min(Self.longestWaitMilliseconds, left))
    var span = ends.mutableSpan
    _ = unsafe span.withUnsafeMutableBufferPointer { unsafe poll($0.baseAddress, 2, milliseconds) }
  }

  private func tell(_ event: FetchEvent) { event.send(over: link) }
}

/// A TCP connection made by libcurl, which resolves names and handles address families.
@safe struct SnapcastConnection: ~Copyable {
  // Safe: owned by the value until it ends, and the socket with it.
  private let transfer: UnsafeMutableRawPointer
  let socket: Int32

  /// Takes five seconds at most.
  /// - Parameter address: only its host and port are used.
  init(_ address: borrowing StreamAddress) throws(FetchProblem) {
    guard let transfer = unsafe curl_easy_init() else { throw .failed }
    var reason = CURLE_OK
    let number = unsafe fetch_connect(transfer, address.current, &reason)
    guard number >= 0 else {
      unsafe curl_easy_cleanup(transfer)
      throw reason == CURLE_COULDNT_RESOLVE_HOST ? .unknownHost : .unreachable
    }
    unsafe self.transfer = transfer
    socket = number
  }

  deinit { unsafe curl_easy_cleanup(transfer) }

  enum Reception {
    case bytes(count: Int)
    case nothing
    case end
  }

  /// Takes the bytes that have arrived, without waiting.
  func receive(into room: inout FixedBuffer) -> Reception {
    var bytes = room.mutableBytes
    let count = unsafe bytes.withUnsafeMutableBytes { room in
      retryingWhenInterrupted { unsafe recv(socket, room.baseAddress, room.count, Int32(MSG_DONTWAIT)) }
    }
    if count > 0 { return .bytes(count: count) }
    return count < 0 && lastSystemError == EAGAIN ? .nothing : .end
  }

  /// - Returns: false if not all of it could be sent at once, which never happens with a server that reads.
  func send(_ bytes: RawSpan) -> Bool {
    unsafe bytes.withUnsafeBytes { bytes in
      retryingWhenInterrupted { unsafe linux_send_stream(socket, bytes.baseAddress, bytes.count) } == bytes.count
    }
  }
}
