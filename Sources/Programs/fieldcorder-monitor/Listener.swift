import Base
import CHTTP
import Machine
import Wire

/// A connection to the server, and how far it has got with what it asked for.
@safe struct Listener {
  enum Use {
    /// Nothing is asked for yet, or the last answer is complete.
    case none
    /// A short answer is on its way.
    case answer
    case sound(SoundKind, StreamCursor)
    case file(FileKind, StreamCursor)
    case pictures(MonitorPath, PictureCursor)
  }

  // Sound: the server's own, until it says that the connection has ended.
  let connection: OpaquePointer
  // Sound: made at the start, and never destroyed.
  let broadcast: UnsafeMutablePointer<Broadcast>
  let socket: Int32
  let address: FixedText<64>
  private(set) var use = Use.none
  /// When the present use began.
  private(set) var since: Instant
  /// It waits for an event, and the server does not look after it.
  var isSuspended = false
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

  /// The same use has gone on.
  mutating func go(on use: Use, sent byteCount: Int) {
    self.use = use
    sentByteCount += UInt64(byteCount)
  }

  /// Ends the connection: the server finds its socket closed.
  func end() { _ = shutdown(socket, Int32(SHUT_RDWR)) }

  /// What is sent for as long as it is taken; nil for anything else.
  var path: MonitorPath? {
    switch use {
    case .none, .answer: nil
    case .sound(let kind, _): kind.path
    case .file(let kind, _): kind.path
    case .pictures(let path, _): path
    }
  }
}

/// All connections, each at a fixed address.
@safe struct ListenerTable: ~Copyable {
  // Sound: a piece of boot memory with no other user; each place is initialized.
  private let places: UnsafeMutableBufferPointer<Listener?>

  /// - Returns: nil when `memory` is used up.
  init?(capacity: Int, in memory: inout BootMemory) {
    guard let piece = unsafe memory.cut(byteCount: capacity * MemoryLayout<Listener?>.stride) else { return nil }
    unsafe places = piece.bindMemory(to: Listener?.self)
    unsafe places.initialize(repeating: nil)
  }

  var count: Int { unsafe places.count }

  /// - Returns: where it is from now on; nil when there are too many.
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

  /// Whether somebody listens to an encoding.
  func hasListener(_ kind: SoundKind) -> Bool {
    for index in 0..<count {
      if case .sound(kind, _)? = self[index]?.use { return true }
    }
    return false
  }

  /// Whether somebody listens to the file.
  var hasListenerOfFile: Bool {
    for index in 0..<count {
      if case .file? = self[index]?.use { return true }
    }
    return false
  }

  /// How many are sent what goes on and on.
  var streamCount: Int {
    var streams = 0
    for index in 0..<count where self[index]?.path != nil { streams += 1 }
    return streams
  }
}
