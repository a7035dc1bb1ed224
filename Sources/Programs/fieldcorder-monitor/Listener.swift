import Base
import CHTTP
import CLinux
import Configuration
import Machine
import Wire

/// A connection to the server, and its progress with its present request.
@safe struct Listener {
  enum Use {
    /// No request yet, or the last answer is complete.
    case none
    /// A line of the sheet is being received.
    case line(SheetLine)
    /// A short answer is being sent.
    case answer
    case sound(SoundKind, StreamCursor)
    case file(FileKind, StreamCursor)
    case pictures(MonitorPath, PictureCursor)
  }

  // Safe: owned by the server until it reports that the connection has ended.
  let connection: OpaquePointer
  // Safe: made at the start, and never destroyed.
  let broadcast: UnsafeMutablePointer<Broadcast>
  let socket: Int32
  let address: FixedText<64>
  private(set) var use = Use.none
  /// When the present use began.
  private(set) var since: Instant
  /// Whether it waits for an event, so that the server does not serve it.
  var isSuspended = false
  /// Bytes sent for the present use, or received of a line.
  var sentByteCount: UInt64 = 0

  init(_ connection: OpaquePointer, of broadcast: UnsafeMutablePointer<Broadcast>, at now: Instant) {
    unsafe self.connection = connection
    unsafe self.broadcast = broadcast
    socket = unsafe http_socket(connection)
    since = now
    var text = InlineArray<64, CChar>(repeating: 0)
    var span = text.mutableSpan
    address = unsafe span.withUnsafeMutableBufferPointer { buffer in
      unsafe http_client(connection, buffer.baseAddress, buffer.count)
      return unsafe FixedText(cString: buffer.baseAddress)
    }
  }

  mutating func begin(_ use: Use, at now: Instant) {
    self.use = use
    since = now
    sentByteCount = 0
  }

  /// Continues the same use.
  mutating func go(on use: Use, sent byteCount: Int) {
    self.use = use
    sentByteCount += UInt64(byteCount)
  }

  /// Ends the connection: the server finds its socket closed.
  func end() { _ = shutdown(socket, Int32(SHUT_RDWR)) }

  /// The endless stream that is being sent; nil for anything else.
  var path: MonitorPath? {
    switch use {
    case .none, .line, .answer: nil
    case .sound(let kind, _): kind.path
    case .file(let kind, _): kind.path
    case .pictures(let path, _): path
    }
  }
}

/// All connections, each at a fixed address.
@safe struct ListenerTable: ~Copyable {
  // Safe: a piece of boot memory with no other user; each place is initialized.
  private let places: UnsafeMutableBufferPointer<Listener?>

  init?(capacity: Int, in memory: inout BootMemory) {
    guard let piece = unsafe memory.cut(byteCount: capacity * MemoryLayout<Listener?>.stride) else { return nil }
    unsafe places = piece.bindMemory(to: Listener?.self)
    unsafe places.initialize(repeating: nil)
  }

  var count: Int { unsafe places.count }

  /// - Returns: its place from now on; nil if the table is full.
  func add(_ listener: Listener) -> UnsafeMutablePointer<Listener?>? {
    for index in 0..<count where unsafe places[index] == nil {
      unsafe places[index] = listener
      return unsafe places.baseAddress! + index
    }
    return nil
  }

  subscript(index: Int) -> Listener? {
    get { unsafe places[index] }
    nonmutating set { unsafe places[index] = newValue }
  }

  func hasListener(_ kind: SoundKind) -> Bool {
    for index in 0..<count {
      if case .sound(kind, _)? = self[index]?.use { return true }
    }
    return false
  }

  var hasListenerOfFile: Bool {
    for index in 0..<count {
      if case .file? = self[index]?.use { return true }
    }
    return false
  }

  /// The number of listeners that receive an endless stream.
  var streamCount: Int {
    var streams = 0
    for index in 0..<count where self[index]?.path != nil { streams += 1 }
    return streams
  }
}

/// The address at which the program listens.
struct ListeningPlace {
  /// The largest certificate chain or key.
  private static var largestPEMByteCount: Int { 65_536 }

  private let address: sockaddr_storage
  private let settings: MonitorSettings

  /// - Throws: if it is not an address, or needs TLS and has no certificate.
  init(_ settings: MonitorSettings) throws(Refusal) {
    var address = sockaddr_storage()
    guard unsafe settings.address.withCString({ unsafe http_read_address($0, settings.port, &address) }) == 0 else {
      throw Refusal(
        "[monitor] address = \(settings.address): expected a numeric address, such as 192.168.1.5 or ::1")
    }
    let isFar = unsafe http_reach_of(&address) == http_reach_far
    if isFar, settings.certificatePath == nil {
      throw Refusal(
        """
        [monitor] address = \(settings.address) can be reached from afar, which takes TLS: set [monitor] certificate and \
        key, or an address of this machine or link (127.0.0.1, ::1, 169.254.…, fe80::…)
        """)
    }
    guard (settings.certificatePath == nil) == (settings.keyPath == nil) else {
      throw Refusal("[monitor] certificate and key: expected both or none")
    }
    self.address = address
    self.settings = settings
  }

  /// What to type into a browser, without the token.
  var url: FixedText<160> {
    let isSix = Int32(address.ss_family) == AF_INET6
    let scheme: StaticString = settings.certificatePath == nil ? "http" : "https"
    return isSix
      ? "\(scheme)://[\(settings.address)]:\(settings.port)/" : "\(scheme)://\(settings.address):\(settings.port)/"
  }

  /// The same with the token; without it if it does not fit.
  func page(with token: AccessToken) -> FixedText<240> {
    var page: FixedText<240> = "\(url)?token="
    let bytes = token.bytes.bytes
    for index in bytes.indices {
      if bytes[index].isUnreserved {
        page.append(byte: bytes[index])
      } else {
        page.append("%\(hexadecimal: bytes[index], width: 2)" as FixedText<4>)
      }
    }
    return page.isTruncated ? FixedText(url.bytes) : page
  }

  func serve(
    _ settings: MonitorSettings, _ broadcast: UnsafeMutablePointer<Broadcast>
  ) throws(Refusal) -> HTTPServer {
    let certificate = try unsafe settings.certificatePath.map { path throws(Refusal) in try unsafe Self.pem(path) }
    let key = try unsafe settings.keyPath.map { path throws(Refusal) in try unsafe Self.pem(path) }
    guard
      let server = unsafe HTTPServer(
        address, connections: Int(settings.connectionCount), perAddress: Int(settings.connectionsPerAddress), broadcast,
        certificate: certificate, key: key)
    else {
      throw Refusal(
        "cannot listen at \(url) (errno \(lastSystemError)): set [monitor] address to one of this machine, port to a free one, and certificate and key to PEM files"
      )
    }
    return server
  }

  /// A file's content, zero-terminated; kept for the life of the process.
  private static func pem(_ path: FixedText<64>) throws(Refusal) -> UnsafePointer<CChar> {
    guard let file = FileDescriptor(path: path, flags: O_RDONLY),
      let memory = unsafe lockedPages(byteCount: largestPEMByteCount)
    else { throw Refusal("\(path) cannot be read: give the program's user the right to") }
    let count = unsafe read(file.number, memory, largestPEMByteCount - 1)
    guard count > 0 else { throw Refusal("\(path) is empty, or not a file") }
    return unsafe UnsafePointer(memory.assumingMemoryBound(to: CChar.self))
  }
}

extension UInt8 {
  /// Whether it needs no escape in a query (RFC 3986, section 2.3).
  fileprivate var isUnreserved: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }
}
