import Base
import CHTTP
import Machine
import Wire

/// Wraps libmicrohttpd, which reads requests and sends answers on the loop's thread.
@safe struct HTTPServer: BitwiseCopyable {
  /// Buffer size for a request's headers and for one send.
  private static var connectionByteCount: UInt32 { 32_768 }
  /// The listen backlog while too many are connected: short, so that a legitimate client does not wait behind a
  /// thousand others.
  private static var waitingConnections: UInt32 { 16 }
  /// A connection ends after this many seconds without a byte sent or received.
  private static var idleSeconds: UInt32 { 15 }
  /// The kernel's send buffer for a client that does not read; the kernel doubles the value.
  fileprivate static var unsentByteCount: Int32 { 65_536 }
  /// A connection ends that sends a longer body.
  fileprivate static var longestBodyByteCount: UInt64 { 65_536 }
  /// The most bytes of a stream generated at a time.
  fileprivate static var blockByteCount: Int { 8_192 }

  // Safe: never destroyed.
  private let daemon: OpaquePointer

  /// - Parameters:
  ///   - broadcast: made before, and never destroyed.
  ///   - certificate: zero-terminated PEM; nil: without TLS.
  ///   - key: the same.
  /// - Returns: nil if the address cannot be used; ``Posix/lastSystemError`` says why.
  init?(
    _ address: sockaddr_storage, connections: Int, perAddress: Int, _ broadcast: UnsafeMutablePointer<Broadcast>,
    certificate: UnsafePointer<CChar>?, key: UnsafePointer<CChar>?
  ) {
    var address = address
    let limits = http_limits(
      connections: UInt32(connections), connections_per_address: UInt32(perAddress), waiting: Self.waitingConnections,
      memory: Self.connectionByteCount, seconds: Self.idleSeconds)
    let calls = unsafe http_calls(
      context: broadcast, request: answerRequest, completed: requestCompleted, connection: connectionChanged)
    guard let daemon = unsafe http_start(&address, limits, calls, certificate, key) else { return nil }
    unsafe self.daemon = daemon
  }

  /// Becomes readable when the server has work to do.
  var events: Int32 { unsafe http_events(daemon) }

  /// How long the loop may sleep before the server has work anyway.
  func timeoutMilliseconds(atMost longest: Int32) -> Int32 { unsafe http_timeout(daemon, longest) }

  /// Does all pending work. The broadcast must not be used by anyone else meanwhile.
  func run() { unsafe _ = MHD_run(daemon) }
}

private func connectionChanged(
  context: UnsafeMutableRawPointer?, connection: OpaquePointer?,
  place: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, change: MHD_ConnectionNotificationCode
) {
  guard let broadcast = unsafe context?.assumingMemoryBound(to: Broadcast.self), let connection = unsafe connection,
    let place = unsafe place
  else { return }
  if http_has_begun(change) != 0 {
    let listener = unsafe Listener(connection, of: broadcast, at: Instant.now)
    http_limit_unsent(listener.socket, HTTPServer.unsentByteCount)
    unsafe place.pointee = unsafe UnsafeMutableRawPointer(broadcast.pointee.listeners.add(listener))
  } else if let listener = unsafe place.pointee?.assumingMemoryBound(to: Listener?.self) {
    unsafe listener.pointee = nil
    unsafe place.pointee = nil
  }
}

/// An answer is complete, or its connection has ended.
private func requestCompleted(
  context: UnsafeMutableRawPointer?, connection: OpaquePointer?,
  place: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, reason: MHD_RequestTerminationCode
) {
  guard let listener = unsafe http_context(connection)?.assumingMemoryBound(to: Listener?.self) else { return }
  let now = Instant.now
  if let gone = unsafe listener.pointee {
    unsafe context?.assumingMemoryBound(to: Broadcast.self).pointee.dismiss(gone, at: now)
  }
  unsafe listener.pointee?.begin(.none, at: now)
}

private func answerRequest(
  context: UnsafeMutableRawPointer?, connection: OpaquePointer?, url: UnsafePointer<CChar>?,
  method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?, upload: UnsafePointer<CChar>?,
  uploadByteCount: UnsafeMutablePointer<Int>?, place: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let broadcast = unsafe context?.assumingMemoryBound(to: Broadcast.self), let connection = unsafe connection,
    let listener = unsafe http_context(connection)?.assumingMemoryBound(to: Listener?.self)
  else { return http_no() }
  let request = unsafe Request(connection, broadcast, listener)
  if case .line(let line)? = unsafe listener.pointee?.use, let count = unsafe uploadByteCount {
    return unsafe request.receive(UnsafeRawBufferPointer(start: upload, count: count.pointee), after: line, count)
  }
  return unsafe request.answer(method: FixedText(cString: method), target: FixedText(cString: url))
}

private func readStream(
  context: UnsafeMutableRawPointer?, position: UInt64, buffer: UnsafeMutablePointer<CChar>?, byteCount: Int
) -> Int {
  guard let place = unsafe context?.assumingMemoryBound(to: Listener?.self), var listener = unsafe place.pointee else {
    return http_failure()
  }
  var room = unsafe MutableRawSpan(_unsafeBytes: UnsafeMutableRawBufferPointer(start: buffer, count: byteCount))
  let (reading, use) = unsafe listener.broadcast.pointee.read(listener.use, into: &room)
  defer { unsafe place.pointee = listener }
  switch reading {
  case .bytes(let count):
    listener.go(on: use, sent: count)
    return count
  case .nothing:
    listener.go(on: use, sent: 0)
    listener.isSuspended = true
    unsafe MHD_suspend_connection(listener.connection)
    return 0
  case .tooSlow: return http_failure()
  case .end: return http_end()
  }
}

@safe private struct Request {
  // Safe: valid while the request is answered.
  private let connection: OpaquePointer
  private let broadcast: UnsafeMutablePointer<Broadcast>
  private let listener: UnsafeMutablePointer<Listener?>

  init(
    _ connection: OpaquePointer, _ broadcast: UnsafeMutablePointer<Broadcast>,
    _ listener: UnsafeMutablePointer<Listener?>
  ) {
    unsafe self.connection = connection
    unsafe self.broadcast = broadcast
    unsafe self.listener = listener
  }

  private var answers: FixedAnswers { unsafe broadcast.pointee.answers }

  /// - Parameter target: the request's target without its query.
  func answer(method: FixedText<8>, target: FixedText<256>) -> MHD_Result {
    unsafe listener.pointee?.begin(.answer, at: Instant.now)
    let isHead = method == "HEAD"
    let isReading = isHead || method == "GET"
    guard hasToken else { return unsafe send(answers.noToken, 401) }
    guard !target.isTruncated, let path = MonitorPath(target.bytes.pathOfTarget) else {
      return unsafe send(answers.noSuchPath, 404)
    }
    guard path.isOrder ? method == "POST" : isReading else {
      return unsafe send(path.isOrder ? answers.onlyPost : answers.wrongMethod, 405)
    }
    guard isReading || hasBearerToken else { return unsafe send(answers.noToken, 401) }
    switch path {
    case .share: return isRefused ?? order("share on")
    case .shareOff: return isRefused ?? order("share off")
    case .sheet:
      if let refused = isRefused { return refused }
      // Its body follows.
      unsafe listener.pointee?.begin(.line(""), at: Instant.now)
      return http_yes()
    case .page: return unsafe send(answers.page, 200)
    case .status: return unsafe sendJSON(broadcast.pointee.status)
    case .clock: return unsafe sendJSON(broadcast.pointee.clock)
    case .wav: return sendSound(.wav, isHead)
    case .flac: return sendSound(.flac, isHead)
    case .opus: return sendSound(.opus, isHead)
    case .timed: return sendSound(.timed, isHead)
    case .fileMP3: return sendFile(.mp3, isHead)
    case .fileAAC: return sendFile(.aac, isHead)
    case .fileFLAC: return sendFile(.flac, isHead)
    case .fileOgg: return sendFile(.ogg, isHead)
    case .pictures: return sendPictures(path, .multipart, isHead)
    case .still: return sendPictures(path, .single, isHead)
    }
  }

  /// Accepts `?token=TOKEN`, or a header `Authorization: Bearer TOKEN`.
  private var hasToken: Bool {
    let token = unsafe broadcast.pointee.token
    let given: FixedText<80> = unsafe FixedText(
      cString: http_argument(connection, cString("token")))
    return hasBearerToken || token.matches(given.bytes)
  }

  /// Accepts only the header, which no link, form or picture of another page can make a browser send.
  private var hasBearerToken: Bool {
    let token = unsafe broadcast.pointee.token
    let header: FixedText<96> = unsafe FixedText(
      cString: http_header(connection, cString("Authorization")))
    // The scheme's case does not matter, and any number of spaces follows it (RFC 9110, section 11.4).
    guard let bearer = header.bytes.removingPrefix(ignoringCase: "bearer ") else { return false }
    return token.matches(bearer.trimmed)
  }

  /// Whether the request has no Origin header that names another site (RFC 6454).
  private var isOfSameOrigin: Bool {
    let origin: FixedText<256> = unsafe FixedText(cString: http_header(connection, cString("Origin")))
    let host: FixedText<256> = unsafe FixedText(cString: http_header(connection, cString("Host")))
    guard !origin.isEmpty else { return true }
    return origin == "http://\(host)" || origin == "https://\(host)"
  }

  /// Answers an order that cannot be passed on; nil if it can.
  private var isRefused: MHD_Result? {
    guard isOfSameOrigin else { return unsafe send(answers.otherOrigin, 403) }
    guard unsafe broadcast.pointee.recorder != nil else { return unsafe send(answers.nothingToSend, 503) }
    return nil
  }

  private func order(_ line: FixedText<256>) -> MHD_Result {
    guard unsafe broadcast.pointee.order(line) else { return unsafe send(answers.busy, 503) }
    return unsafe send(answers.passedOn, 202)
  }

  /// Takes a piece of a line's body, or at its end, which is an empty piece, passes the line on.
  func receive(
    _ piece: UnsafeRawBufferPointer, after before: SheetLine, _ uploadByteCount: UnsafeMutablePointer<Int>
  ) -> MHD_Result {
    var line = before
    guard unsafe piece.isEmpty else {
      for index in 0..<piece.count { line.append(byte: unsafe piece[index]) }
      unsafe listener.pointee?.go(on: .line(line), sent: piece.count)
      unsafe uploadByteCount.pointee = 0
      // What is too long is answered at its end, if that comes soon.
      let receivedCount = unsafe listener.pointee?.sentByteCount ?? .max
      return receivedCount > HTTPServer.longestBodyByteCount ? http_no() : http_yes()
    }
    unsafe listener.pointee?.begin(.answer, at: Instant.now)
    guard !line.isTruncated else { return unsafe send(answers.tooLong, 413) }
    guard line.bytes.isOfSheet else { return unsafe send(answers.notOfSheet, 400) }
    return order(FixedText(line.bytes.trimmed))
  }

  private func sendJSON<let capacity: Int>(_ text: FixedText<capacity>) -> MHD_Result {
    let answer = unsafe text.bytes.withUnsafeBufferPointer { bytes in
      unsafe http_copied_answer(bytes.baseAddress, bytes.count)
    }
    return unsafe sendOnce(answer, "application/json")
  }

  private func sendFile(_ kind: FileKind, _ isHead: Bool) -> MHD_Result {
    switch unsafe broadcast.pointee.file.state {
    case .none: return unsafe send(answers.noSuchPath, 404)
    case .ready(let other) where other != kind: return unsafe send(answers.noSuchPath, 404)
    case .opening, .ready, .ended: break
    }
    guard let cursor = unsafe broadcast.pointee.file.join(kind) else { return unsafe send(answers.noFile, 503) }
    return stream(.file(kind, cursor), http_unknown_size(), kind.mediaType, isHead)
  }

  private func sendSound(_ kind: SoundKind, _ isHead: Bool) -> MHD_Result {
    guard unsafe broadcast.pointee.file.state == .none else { return unsafe send(answers.noMicrophone, 404) }
    guard let use = unsafe broadcast.pointee.join(kind) else { return unsafe send(answers.nothingToSend, 503) }
    return stream(use, http_unknown_size(), kind.mediaType, isHead)
  }

  private func sendPictures(_ path: MonitorPath, _ framing: PictureCursor.Framing, _ isHead: Bool) -> MHD_Result {
    var cursor = PictureCursor(framing)
    guard let pictures = unsafe broadcast.pointee.recorder?.reader.pictures, let size = cursor.begin(pictures) else {
      return unsafe send(answers.nothingToSend, 503)
    }
    let isSingle = framing == .single
    return stream(
      .pictures(path, cursor), isSingle ? UInt64(size) : http_unknown_size(),
      isSingle ? "image/jpeg" : PictureCursor.multipartType, isHead)
  }

  /// - Parameter isHead: whether only the headers are sent, so that nobody listens.
  private func stream(_ use: Listener.Use, _ size: UInt64, _ type: StaticString, _ isHead: Bool) -> MHD_Result {
    if !isHead {
      unsafe listener.pointee?.begin(use, at: Instant.now)
      if let listener = unsafe listener.pointee { unsafe broadcast.pointee.welcome(listener) }
    }
    let answer = unsafe MHD_create_response_from_callback(
      size, HTTPServer.blockByteCount, readStream, listener, nil)
    return unsafe sendOnce(answer, type)
  }

  private func sendOnce(_ answer: OpaquePointer?, _ type: StaticString) -> MHD_Result {
    guard let answer = unsafe answer else { return http_no() }
    defer { unsafe MHD_destroy_response(answer) }
    unsafe addUsualHeaders(type, to: answer)
    return unsafe send(answer, 200)
  }

  private func send(_ answer: OpaquePointer, _ status: UInt32) -> MHD_Result {
    unsafe MHD_queue_response(connection, status, answer)
  }
}

/// The constant answers, made before the process enters its sandbox.
@safe struct FixedAnswers: BitwiseCopyable {
  // Safe: never destroyed.
  let page: OpaquePointer
  let wrongMethod: OpaquePointer
  let noToken: OpaquePointer
  let noSuchPath: OpaquePointer
  let nothingToSend: OpaquePointer
  let noMicrophone: OpaquePointer
  let noFile: OpaquePointer
  let onlyPost: OpaquePointer
  let otherOrigin: OpaquePointer
  let passedOn: OpaquePointer
  let busy: OpaquePointer
  let tooLong: OpaquePointer
  let notOfSheet: OpaquePointer

  /// - Returns: nil if the machine has no memory left.
  init?() {
    guard let page = unsafe Self.answer(MonitorPage.text, "text/html; charset=utf-8"),
      let wrongMethod = unsafe Self.answer("only GET and HEAD\n", "text/plain"),
      let noToken = unsafe Self.answer("add ?token=TOKEN, or a header Authorization: Bearer TOKEN\n", "text/plain"),
      let noSuchPath = unsafe Self.answer("there is nothing here\n", "text/plain"),
      let nothingToSend = unsafe Self.answer("the recorder has none of it now\n", "text/plain"),
      let noMicrophone = unsafe Self.answer(
        "a file is sent instead of the microphone: /status.json has its path\n", "text/plain"),
      let noFile = unsafe Self.answer("the file is not sent: /status.json says why\n", "text/plain"),
      let onlyPost = unsafe Self.answer("only POST\n", "text/plain"),
      let otherOrigin = unsafe Self.answer("only the page that is served here may ask for it\n", "text/plain"),
      let passedOn = unsafe Self.answer("the recorder was told\n", "text/plain"),
      let busy = unsafe Self.answer("the recorder has not taken the orders before it: try again\n", "text/plain"),
      let tooLong = unsafe Self.answer("a line has at most 96 bytes\n", "text/plain"),
      let notOfSheet = unsafe Self.answer(
        "expected a line of text: project, scene, tape, take, track, circle or note, as on the console\n", "text/plain")
    else { return nil }
    unsafe self.page = page
    unsafe self.wrongMethod = wrongMethod
    unsafe self.noToken = noToken
    unsafe self.noSuchPath = noSuchPath
    unsafe self.nothingToSend = nothingToSend
    unsafe self.noMicrophone = noMicrophone
    unsafe self.noFile = noFile
    unsafe self.onlyPost = onlyPost
    unsafe self.otherOrigin = otherOrigin
    unsafe self.passedOn = passedOn
    unsafe self.busy = busy
    unsafe self.tooLong = tooLong
    unsafe self.notOfSheet = notOfSheet
    unsafe addHeader("Content-Security-Policy", MonitorPage.policy, to: page)
    // Browsers give 5 µs timer resolution, instead of 100, to a page that is isolated from other sites.
    unsafe addHeader("Cross-Origin-Opener-Policy", "same-origin", to: page)
    unsafe addHeader("Cross-Origin-Embedder-Policy", "require-corp", to: page)
    unsafe addHeader("WWW-Authenticate", "Bearer", to: noToken)
    unsafe addHeader("Allow", "GET, HEAD", to: wrongMethod)
    unsafe addHeader("Allow", "POST", to: onlyPost)
    unsafe addHeader("Retry-After", "1", to: busy)
  }

  private static func answer(_ text: StaticString, _ type: StaticString) -> OpaquePointer? {
    guard let answer = unsafe http_fixed_answer(text.utf8Start, text.utf8CodeUnitCount) else { return nil }
    unsafe addUsualHeaders(type, to: answer)
    return unsafe answer
  }
}

/// The headers of every answer: its type, no caching, and no referrer, as the address may contain the token.
func addUsualHeaders(_ type: StaticString, to answer: OpaquePointer) {
  unsafe addHeader("Content-Type", type, to: answer)
  unsafe addHeader("Cache-Control", "no-store", to: answer)
  unsafe addHeader("Referrer-Policy", "no-referrer", to: answer)
  unsafe addHeader("X-Content-Type-Options", "nosniff", to: answer)
}

func addHeader(_ name: StaticString, _ value: StaticString, to answer: OpaquePointer) {
  unsafe _ = MHD_add_response_header(answer, name.cString, value.cString)
}

func cString(_ literal: StaticString) -> UnsafePointer<CChar> { unsafe literal.cString }

/// The paths that are served.
enum MonitorPath: UInt8 {
  case page
  case wav
  case flac
  case opus
  case timed
  case pictures
  case still
  case fileMP3
  case fileAAC
  case fileFLAC
  case fileOgg
  case status
  case clock
  case sheet
  case share
  case shareOff

  /// Whether a request for it changes something.
  var isOrder: Bool { self == .sheet || self == .share || self == .shareOff }

  /// - Returns: nil for an unknown path.
  init?(_ url: Span<UInt8>) {
    for number in 0...Self.shareOff.rawValue {
      let path = MonitorPath(rawValue: number)!
      guard url.equals(path.name) else { continue }
      self = path
      return
    }
    return nil
  }

  var name: StaticString {
    switch self {
    case .page: "/"
    case .wav: "/live.wav"
    case .flac: "/live.flac"
    case .opus: "/live.opus"
    case .timed: "/live.timed"
    case .pictures: "/live.mjpeg"
    case .still: "/still.jpg"
    case .fileMP3: "/file.mp3"
    case .fileAAC: "/file.aac"
    case .fileFLAC: "/file.flac"
    case .fileOgg: "/file.ogg"
    case .status: "/status.json"
    case .clock: "/clock"
    case .sheet: "/sheet"
    case .share: "/share"
    case .shareOff: "/share/off"
    }
  }
}

extension Span where Element == UInt8 {
  /// The path of a request's target, which may be an absolute address (RFC 9112, section 3.2.2).
  fileprivate var pathOfTarget: Span<UInt8> {
    @_lifetime(copy self)
    get {
      let isPlain = removingPrefix(ignoringCase: "http://") != nil
      guard isPlain || removingPrefix(ignoringCase: "https://") != nil else { return self }
      let host = extracting(droppingFirst: isPlain ? 7 : 8)
      guard let start = host.firstIndex(of: "/") else { return ("/" as StaticString).utf8Bytes }
      return host.extracting(droppingFirst: start)
    }
  }
}

/// A line as it is typed on the console to enter something about a take: `note`, and 88 bytes in quotes.
typealias SheetLine = FixedText<96>

extension Span where Element == UInt8 {
  /// Whether this is such a line: printable UTF-8 that begins with one of their commands and enters something. None of
  /// them has a path: the take is the one that is being recorded, or else the last one.
  fileprivate var isOfSheet: Bool {
    let line = trimmed
    guard SheetLine(line).isPrintable else { return false }
    let command = line.firstWord
    let text = line.extracting(droppingFirst: command.count).trimmed
    if command.equals("circle") { return text.isEmpty || text.equals("false") || text.equals("no") }
    let names: InlineArray<6, StaticString> = ["project", "scene", "tape", "take", "track", "note"]
    for index in names.indices where command.equals(names[index]) { return !text.isEmpty }
    return false
  }
}

enum SoundKind: UInt8 {
  case wav
  case flac
  case opus
  /// ``TimedPiece``s.
  case timed

  var path: MonitorPath {
    switch self {
    case .wav: .wav
    case .flac: .flac
    case .opus: .opus
    case .timed: .timed
    }
  }

  var mediaType: StaticString {
    switch self {
    case .wav: "audio/wav"
    case .flac: "audio/flac"
    case .opus: "audio/ogg; codecs=opus"
    case .timed: "application/octet-stream"
    }
  }
}
