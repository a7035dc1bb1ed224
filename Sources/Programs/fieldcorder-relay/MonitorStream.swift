import Base
import CLinux
import Machine
import Wire

/// The Opus stream of `fieldcorder-monitor`, which this program listens to as any other listener does.
struct MonitorStream: ~Copyable {
  /// The monitor sends a page at least once a second while the recorder delivers sound.
  private static var patienceSeconds: Int32 { 10 }

  private let socket: FileDescriptor
  private var isInBody = false
  private var start = ResponseStart()

  /// Connects, and asks for the stream.
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
  /// - Returns: the range of `buffer` where they are; it may be empty.
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
