import Base
import CLinux
import CShout
import Machine
import Wire

/// A source client of an Icecast server, using libshout.
struct IcecastSource: ~Copyable {
  private static var connectNanoseconds: UInt64 { 10_000_000_000 }
  private static var lookMicroseconds: UInt32 { 20_000 }
  /// Twenty seconds of Opus for two channels: a server that is further behind is disconnected.
  private static var unsentByteCount: Int { 320_000 }

  private let shout: Shout
  private let address: IcecastAddress

  /// Connects, and waits until the server has accepted it as a source.
  init(_ address: IcecastAddress, password: FixedText<64>) throws(RelayFailure) {
    guard let made = unsafe shout_new() else { throw RelayFailure("there is not enough memory") }
    let shout = unsafe Shout(handle: made)
    guard unsafe Self.configure(shout.handle, address, password) else { throw RelayFailure("\(shout.error)") }
    let state = Self.connect(shout)
    guard state == SHOUTERR_SUCCESS || state == SHOUTERR_CONNECTED else {
      throw Self.failure(state, shout, address)
    }
    self.shout = shout
    self.address = address
  }

  private static func configure(
    _ shout: OpaquePointer, _ address: IcecastAddress, _ password: FixedText<64>
  ) -> Bool {
    let agent: FixedText<32> = "fieldcorder-relay/0.1.0"
    var failed: Int32 = 0
    failed |= unsafe address.host.withCString { unsafe shout_set_host(shout, $0) }
    failed |= unsafe shout_set_port(shout, address.port)
    failed |= unsafe address.mount.withCString { unsafe shout_set_mount(shout, $0) }
    failed |= unsafe address.user.withCString { unsafe shout_set_user(shout, $0) }
    failed |= unsafe password.withCString { unsafe shout_set_password(shout, $0) }
    failed |= unsafe agent.withCString { unsafe shout_set_agent(shout, $0) }
    failed |= unsafe shout_set_tls(shout, address.isEncrypted ? SHOUT_TLS_RFC2818 : SHOUT_TLS_DISABLED)
    failed |= unsafe shout_set_content_format(shout, UInt32(SHOUT_FORMAT_OGG), UInt32(SHOUT_USAGE_AUDIO), nil)
    failed |= unsafe shout_set_nonblocking(shout, 1)
    return failed == 0
  }

  private static func connect(_ shout: borrowing Shout) -> Int32 {
    let deadline = Instant.now + Self.connectNanoseconds
    var state = unsafe shout_open(shout.handle)
    while state == SHOUTERR_BUSY, Instant.now < deadline {
      usleep(Self.lookMicroseconds)
      state = unsafe shout_get_connected(shout.handle)
    }
    return state
  }

  /// Sends whole or half pages; bytes that the server does not accept at once are queued.
  func send(_ bytes: Span<UInt8>) throws(RelayFailure) {
    let state = unsafe bytes.withUnsafeBufferPointer { unsafe shout_send(shout.handle, $0.baseAddress, $0.count) }
    guard state == SHOUTERR_SUCCESS || state == SHOUTERR_BUSY else { throw Self.failure(state, shout, address) }
    guard unsafe shout_queuelen(shout.handle) <= Self.unsentByteCount else {
      throw RelayFailure("\(address.host) does not keep up")
    }
  }

  private static func failure(_ state: Int32, _ shout: borrowing Shout, _ address: IcecastAddress) -> RelayFailure {
    switch state {
    case SHOUTERR_BUSY: RelayFailure("\(address.host) does not answer")
    case SHOUTERR_NOLOGIN:
      RelayFailure(
        """
        \(address.host) refuses: is \(address.mount) free, has it room for a source, and is the password in the file that \
        of \(address.user)?
        """)
    case SHOUTERR_NOCONNECT: RelayFailure("\(address.host) cannot be reached at port \(address.port)")
    default: RelayFailure("\(address.host): \(shout.error)")
    }
  }
}

/// libshout's connection, closed and freed with the value.
@safe private struct Shout: ~Copyable {
  // Safe: freed by this value alone, when it ends.
  let handle: OpaquePointer

  init(handle: OpaquePointer) { unsafe self.handle = handle }

  deinit {
    unsafe shout_close(handle)
    unsafe shout_free(handle)
  }

  var error: FixedText<128> { unsafe FixedText(cString: shout_get_error(handle)) }
}

/// The Opus stream of `fieldcorder-monitor`, to which this program listens like any other listener.
struct MonitorStream: ~Copyable {
  /// The monitor sends a page at least once a second while the recorder delivers sound.
  private static var patienceSeconds: Int32 { 10 }

  private let socket: FileDescriptor
  private var isInBody = false
  private var start = ResponseStart()

  init(_ address: FixedText<64>, port: UInt16, token: AccessToken) throws(RelayFailure) {
    let number = unsafe address.withCString { unsafe linux_connect_stream($0, port, Self.patienceSeconds) }
    guard number >= 0 else {
      throw RelayFailure("fieldcorder-monitor does not listen at \(address), port \(port): start it")
    }
    let socket = FileDescriptor(owning: number)
    let request: FixedText<256> =
      "GET /live.opus HTTP/1.0\r\nHost: \(address)\r\nAuthorization: Bearer \(token.bytes)\r\n\r\n"
    let sent = unsafe request.bytes.withUnsafeBufferPointer {
      unsafe send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    guard sent == request.byteCount else { throw RelayFailure("fieldcorder-monitor has ended") }
    self.socket = socket
  }

  /// Waits for the next bytes of the stream.
  /// - Returns: the range of `buffer` that holds them; it may be empty.
  mutating func read(into buffer: inout MutableSpan<UInt8>) throws(RelayFailure) -> Range<Int> {
    let count = unsafe buffer.withUnsafeMutableBytes { buffer in
      retryingWhenInterrupted { unsafe recv(socket.number, buffer.baseAddress, buffer.count, 0) }
    }
    guard count > 0 else { throw RelayFailure("fieldcorder-monitor sends no more: is the recorder running?") }
    if isInBody { return 0..<count }
    switch start.take(buffer.span.extracting(first: count)) {
    case .open: return 0..<0
    case .body(let offset):
      isInBody = true
      return offset..<count
    case .refused(503): throw RelayFailure("fieldcorder-monitor has no sound: is the recorder running?")
    case .refused(401): throw RelayFailure("fieldcorder-monitor has another token: restart it")
    case .refused(let status): throw RelayFailure("fieldcorder-monitor answers with \(status)")
    }
  }
}
