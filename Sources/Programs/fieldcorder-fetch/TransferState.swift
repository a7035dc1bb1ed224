import Base
import CCurl
import CLinux
import Machine
import Wire

/// State shared by libcurl's callbacks and the loop: the response so far, and bytes that the pipe has not accepted.
struct TransferState: ~Copyable {
  private enum Body {
    /// No byte of the body has arrived.
    case unknown
    case sound
    case playlist
  }

  enum Taking {
    case taken
    /// The pipe is full: the bytes are offered again.
    case later
    /// The transfer ends.
    case refused
  }

  /// How long a server may take until its body begins, however slowly its header arrives.
  private static var longestHeaderNanoseconds: UInt64 { 15_000_000_000 }
  /// Half a second of most streams: a server that breaks off after this much is worth another attempt.
  private static var soundByteCount: UInt64 { 0x2000 }
  /// The minimum interval between title reports; no station changes its title that often.
  private static var titleNanoseconds: UInt64 { 1_000_000_000 }

  let link: FileDescriptor
  let pipe: FileDescriptor
  var unsent: SoundBuffer
  var playlist: SoundBuffer
  private(set) var head = ResponseHead()
  private var body = Body.unknown
  /// The first bytes of the body, as long as they are too few to tell what it is.
  private var held = FixedText<64>()
  private var splitter = ICYSplitter()
  private var isPlaylistFull = false
  private var isWaiting = false
  private var isNamedHost = true
  private var endsAsPlaylist = false
  private var wasForbidden = false
  private var problem: FetchProblem?
  private var began = Instant.now
  var hasDelivered = false
  private(set) var hasEverDelivered = false
  private var soundByteCount: UInt64 = 0
  /// The bytes received, if this is a file; a resumed transfer continues from there.
  private var receivedByteCount: UInt64 = 0
  private var wholeByteCount: UInt64?
  private var opening = OpeningWatch()
  private var refusesRange = false
  /// How many attempts in a row ended where the one before had.
  private var idleCount = 0
  private static var idleLimit: Int { 3 }
  /// Whether the server's header was found to be wrong about its body.
  private(set) var believesNothing = false
  /// Bytes at the beginning to skip, because the pipe has had them already.
  private var passedOverByteCount: UInt64 = 0
  /// A title that was not reported yet.
  private var title: FixedText<128>?
  private var lastTitle = FixedText<128>()
  /// Statistics to guess the charset of the server's texts, improved by each title.
  private var survey = TagSurvey()
  private var titleDue: Instant = 0
  /// Used for an Ogg file.
  private var tail: OggTail?
  private var tailHead = ResponseHead()
  /// The offset from which to request the file's end, which gives its length; nil if there is no need, or no longer.
  private var tailStart: UInt64?

  init(
    link: consuming FileDescriptor, pipe: consuming FileDescriptor, unsent: consuming SoundBuffer,
    playlist: consuming SoundBuffer
  ) {
    _ = linux_never_wait(pipe.number)
    self.link = link
    self.pipe = pipe
    self.unsent = unsent
    self.playlist = playlist
  }

  mutating func begin(_ address: borrowing StreamAddress) {
    head = ResponseHead()
    body = .unknown
    held.removeAll()
    isWaiting = false
    wasForbidden = false
    problem = nil
    soundByteCount = 0
    began = .now
    isNamedHost = address.isNamedHost
    endsAsPlaylist = address.isPlaylist
  }

  /// The offset from which a file is wanted.
  private var firstByte: UInt64 { wholeByteCount == nil ? 0 : receivedByteCount }

  /// The offset from which it is requested.
  var askedByte: UInt64 { refusesRange ? 0 : firstByte }

  /// A server must not redirect into the user's own network; the user may name an address there.
  mutating func mayConnect(to place: NetworkPlace) -> Bool {
    wasForbidden = place == .local && !isNamedHost
    return !wasForbidden
  }

  /// Whether the body has not begun within the time limit.
  var isOverdue: Bool { body == .unknown && Instant.now > began + Self.longestHeaderNanoseconds }

  /// Whether the recorder has closed the link, or the decoder the pipe.
  var isCut: Bool {
    var ends = InlineArray<2, pollfd>(repeating: pollfd(fd: link.number, events: Int16(POLLIN), revents: 0))
    ends[1] = pollfd(fd: pipe.number, events: 0, revents: 0)
    var span = ends.mutableSpan
    _ = unsafe span.withUnsafeMutableBufferPointer { unsafe poll($0.baseAddress, 2, 0) }
    return ends[0].revents != 0 || ends[1].revents != 0
  }

  /// - Returns: false if the header is longer than is read.
  mutating func take(headerLine line: Span<UInt8>) -> Bool {
    head.read(line)
    guard head.isTooLong else { return true }
    problem = .malformed
    return false
  }

  mutating func take(_ bytes: Span<UInt8>) -> Taking {
    guard body == .unknown else { return takeMore(bytes) }
    let missing = max(0, PlaylistReader.soundByteCount - held.byteCount)
    guard bytes.count >= missing else {
      held.append(bytes: bytes)
      return .taken
    }
    guard !held.isEmpty else { return decide(bytes) ? takeMore(bytes) : .refused }
    held.append(bytes: bytes.extracting(first: missing))
    guard takeHeld() else { return .refused }
    let rest = bytes.extracting(droppingFirst: missing)
    // Sound is not given back now: libcurl would offer all of these bytes again.
    return body == .playlist ? takeMore(rest) : takeSound(rest) ? .taken : .refused
  }

  /// Takes the first bytes of a body that came in small pieces.
  /// - Returns: false if it is not wanted.
  private mutating func takeHeld() -> Bool {
    let bytes = held
    held.removeAll()
    guard decide(bytes.bytes) else { return false }
    if body == .playlist { return playlist.append(bytes.bytes) }
    return takeSound(bytes.bytes)
  }

  private mutating func takeMore(_ bytes: Span<UInt8>) -> Taking {
    if body == .playlist {
      // Of a longer list, such as a podcast's feed, the beginning is enough.
      isPlaylistFull = !playlist.append(bytes)
      return isPlaylistFull ? .refused : .taken
    }
    flush()
    guard unsent.isEmpty || opening.isDoubtful else {
      isWaiting = true
      opening.noteHeldBack()
      return .later
    }
    return takeSound(bytes) ? .taken : .refused
  }

  /// Called for the first bytes of the body, whose content outweighs the declared type.
  /// - Returns: false if the body is not wanted.
  private mutating func decide(_ bytes: Span<UInt8>) -> Bool {
    guard head.isSuccess else { return false }
    let isCalledPlaylist = endsAsPlaylist || isPlaylistType
    if isCalledPlaylist ? !PlaylistReader.isBinary(bytes) : PlaylistReader.begins(with: bytes) {
      playlist.removeAll()
      isPlaylistFull = false
      body = .playlist
      return true
    }
    if PlaylistReader.isText(bytes, isCalledText: head.contentType.bytes.removingPrefix(ignoringCase: "text/") != nil) {
      problem = .text
      return false
    }
    body = .sound
    splitter = ICYSplitter(interval: head.metadataInterval)
    beginSound()
    let isFile = head.metadataInterval == 0
    if isFile, receivedByteCount == 0, tail == nil, let wholeByteCount, let tail = OggTail(after: bytes) {
      self.tail = tail
      tailStart = wholeByteCount - min(wholeByteCount, OggTail.byteCount)
    }
    tell(.connected(contentType: head.contentType, byteCount: isFile ? wholeByteCount ?? 0 : 0))
    note(FixedText(head.station.bytes))
    return true
  }

  /// Begins or resumes a file: from the requested byte, or by skipping the bytes before it. A server that does not say
  /// which range it sends is assumed to send the requested one.
  private mutating func beginSound() {
    let wanted = firstByte
    let isWhole = head.status != 206
    let byteCount = isWhole ? head.contentByteCount : head.wholeByteCount ?? wholeByteCount
    let start = isWhole ? 0 : head.rangeStart ?? askedByte
    passedOverByteCount = 0
    if wanted > 0, byteCount == wholeByteCount, start <= wanted {
      passedOverByteCount = wanted - start
      return
    }
    receivedByteCount = start
    wholeByteCount = head.metadataInterval == 0 && !head.isCompressed ? byteCount : nil
    refusesRange = false
    opening.begin(mayBeFile: !head.isComplete && !head.isStation)
  }

  private var isPlaylistType: Bool {
    head.contentType.bytes.isWord(
      of: """
        audio/x-mpegurl audio/mpegurl application/x-mpegurl audio/x-scpls application/pls+xml \
        application/vnd.apple.mpegurl application/xspf+xml audio/x-ms-wax video/x-ms-wvx
        """)
  }

  private mutating func takeSound(_ bytes: Span<UInt8>) -> Bool {
    var rest = bytes
    let passed = Int(min(passedOverByteCount, UInt64(rest.count)))
    passedOverByteCount -= UInt64(passed)
    rest = rest.extracting(droppingFirst: passed)
    while !rest.isEmpty {
      switch splitter.next(rest) {
      case .sound(let count):
        let sound = rest.extracting(first: count)
        guard unsent.append(sound) else { return false }
        if opening.isRepeated(by: sound) {
          unsent.removeAll()
          return false
        }
        receivedByteCount += UInt64(count)
        soundByteCount += UInt64(count)
        rest = rest.extracting(droppingFirst: count)
      case .skipped(let count): rest = rest.extracting(droppingFirst: count)
      case .text(let count):
        rest = rest.extracting(droppingFirst: count)
        note(splitter.title)
      }
    }
    flush()
    return true
  }

  /// While there is no title, the station's name is shown.
  private mutating func note(_ title: FixedText<256>?) {
    guard let title else { return }
    let found = title.isEmpty ? FixedText<256>(head.station.bytes) : title
    survey.add(found.bytes)
    let charset = survey.charset
    let text = charset.text(found)
    let meaning = charset == .utf8 ? TagSurvey.meaning(of: text.bytes) : nil
    let shown: FixedText<128> = (meaning ?? text).bytes.unescaped()
    self.title = shown == lastTitle ? nil : shown
  }

  /// Writes what the pipe accepts now, and reports a title that is due.
  mutating func flush() {
    if !opening.isDoubtful, unsent.write(to: pipe.number), soundByteCount >= Self.soundByteCount {
      hasDelivered = true
      hasEverDelivered = true
    }
    guard let title, Instant.now >= titleDue else { return }
    tell(.title(title))
    lastTitle = title
    self.title = nil
    titleDue = Instant.now + Self.titleNanoseconds
  }

  /// Whether a paused transfer can be resumed.
  mutating func mayGoOn() -> Bool {
    guard isWaiting, unsent.isEmpty else { return false }
    isWaiting = false
    return true
  }

  /// The offset from which to request the file's end; returned once.
  mutating func takeTailStart() -> UInt64? { tailStart.take() }

  mutating func take(tailHeaderLine line: Span<UInt8>) -> Bool {
    tailHead.read(line)
    return !tailHead.isTooLong
  }

  /// - Returns: false if the server sends something else.
  mutating func take(tail bytes: Span<UInt8>) -> Bool {
    guard tailHead.status == 206, tailHead.wholeByteCount == wholeByteCount else { return false }
    tail?.read(bytes)
    return true
  }

  /// Reports the length found at the end of the file.
  func tellEnd() {
    if let position = tail?.position { tell(.ends(position: position)) }
  }

  func tell(_ event: FetchEvent) { event.send(over: link) }

  /// Whether a file has ended before the length that its server states: each time at the same byte.
  private mutating func hasEndedEarly() -> Bool {
    let isThere = body == .sound ? passedOverByteCount == 0 : head.status == 206
    let isIdle = head.isSuccess && wholeByteCount != nil && receivedByteCount > 0 && soundByteCount == 0 && isThere
    idleCount = isIdle ? idleCount + 1 : 0
    return idleCount >= Self.idleLimit
  }

  /// Called when no more bytes come.
  mutating func end(_ result: CURLcode) {
    if !held.isEmpty, !head.isRedirect { _ = takeHeld() }
    opening.end(isWhole: result == CURLE_OK, byteCount: soundByteCount)
  }

  mutating func outcome(_ result: CURLcode) -> Transfer.Loading {
    if head.isRedirect { return .redirect }
    if opening.hasRepeated { return .ended(.finished) }
    if let problem { return .ended(.failed(problem)) }
    // What has come of a list is enough if it leads somewhere.
    if body == .playlist, isPlaylistFull || playlist.entry(0) != nil { return .playlist }
    if head.status == 416, askedByte > 0 {
      // All of it has been received, or the file has changed.
      guard head.wholeByteCount != receivedByteCount else { return .ended(.finished) }
      refusesRange = true
      return .again
    }
    let isDoubtful = result == CURLE_BAD_CONTENT_ENCODING || result == CURLE_WEIRD_SERVER_REPLY
    if isDoubtful, head.isSuccess, soundByteCount == 0, !believesNothing {
      believesNothing = true
      return .again
    }
    switch result {
    case CURLE_OK:
      guard head.isSuccess else { return .ended(.failed(head.problem)) }
      if body == .playlist { return .playlist }
      // A live stream has no end of its own.
      return .ended(head.isComplete ? .finished : .failed(.brokenOff))
    case CURLE_WRITE_ERROR: return .ended(.failed(head.isSuccess ? .failed : head.problem))
    case CURLE_COULDNT_RESOLVE_HOST: return .ended(.failed(.unknownHost))
    case CURLE_COULDNT_CONNECT: return .ended(.failed(wasForbidden ? .forbiddenPlace : .unreachable))
    case CURLE_OPERATION_TIMEDOUT: return .ended(.failed(head.status == 0 ? .unreachable : .stalled))
    case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR:
      return .ended(hasEndedEarly() ? .finished : .failed(.brokenOff))
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CACERT_BADFILE:
      return .ended(.failed(.untrusted))
    case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING:
      return .ended(.failed(.malformed))
    default: return .ended(.failed(.failed))
    }
  }
}

/// Recognises a file whose server does not tell its length, when it begins for the second time: after it came faster
/// than it is heard, it ended as a whole, and now its first bytes come again.
private struct OpeningWatch: BitwiseCopyable {
  private static var byteCount: Int { 0x4000 }
  /// Faster than any sound in real time: 32 bits, eight channels at 96 kHz.
  private static var fastestBytesPerSecond: UInt64 { 3_072_000 }

  /// Of the first attempt; nil until it has that many bytes.
  private var first: UInt64?
  private var hash: UInt64 = 0
  private var count = 0
  private var began = Instant.now
  private var mayBeFile = false
  private var wasHeldBack = false
  /// Whether the attempt before ended as a file does.
  private var hasEnded = false
  /// Whether it is not known yet if the bytes of this attempt have been heard.
  private(set) var isDoubtful = false
  private(set) var hasRepeated = false

  mutating func begin(mayBeFile: Bool) {
    self.mayBeFile = mayBeFile
    began = .now
    isDoubtful = mayBeFile && hasEnded && first != nil
    wasHeldBack = false
    hasEnded = false
    hash = 0xCBF2_9CE4_8422_2325
    count = 0
  }

  mutating func noteHeldBack() { wasHeldBack = true }

  /// - Returns: whether the first bytes have now come again.
  mutating func isRepeated(by bytes: Span<UInt8>) -> Bool {
    guard count < Self.byteCount else { return false }
    for index in 0..<min(bytes.count, Self.byteCount - count) {
      hash = (hash ^ UInt64(bytes[index])) &* 0x100_0000_01B3
      count += 1
    }
    guard count == Self.byteCount else { return false }
    hasRepeated = isDoubtful && hash == first
    isDoubtful = false
    first = first ?? hash
    return hasRepeated
  }

  mutating func end(isWhole: Bool, byteCount: UInt64) {
    isDoubtful = false
    let nanoseconds = Instant.now - began
    let isFast = byteCount &* 1_000_000_000 > nanoseconds &* Self.fastestBytesPerSecond
    hasEnded = isWhole && mayBeFile && (wasHeldBack || isFast)
  }
}

extension WireCoded {
  /// Sends an event to the recorder, in at most 256 bytes. It is dropped if the socket is full.
  func send(over link: borrowing FileDescriptor) {
    var bytes = InlineArray<256, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    var buffer = unsafe span.mutableBytes
    let count = encode(into: &buffer)
    let number = link.number
    unsafe buffer.bytes.withUnsafeBytes { bytes in
      _ = retryingWhenInterrupted { unsafe linux_send_packet(number, bytes.baseAddress, count, -1) }
    }
  }
}
