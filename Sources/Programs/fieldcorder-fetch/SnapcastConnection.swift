import Base
import CCurl
import CLinux
import Machine
import Wire

/// A connection over TCP, made by libcurl, which knows about names and families of addresses.
@safe struct SnapcastConnection: ~Copyable {
  // Sound: owned by the value until it ends, and the socket with it.
  private let transfer: UnsafeMutableRawPointer
  let socket: Int32

  /// Takes five seconds at most.
  /// - Parameter address: of which host and port count.
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

  /// What has come.
  enum Reception {
    case bytes(count: Int)
    case nothing
    case end
  }

  /// Takes what has come, without waiting.
  func receive(into room: inout FixedBuffer) -> Reception {
    var bytes = room.mutableBytes
    let count = unsafe bytes.withUnsafeMutableBytes { room in
      retryingWhenInterrupted { unsafe recv(socket, room.baseAddress, room.count, Int32(MSG_DONTWAIT)) }
    }
    if count > 0 { return .bytes(count: count) }
    return count < 0 && lastSystemError == EAGAIN ? .nothing : .end
  }

  /// - Returns: false when not all of it could be sent at once, which a server that listens always lets happen.
  func send(_ bytes: RawSpan) -> Bool {
    unsafe bytes.withUnsafeBytes { bytes in
      retryingWhenInterrupted { unsafe linux_send_stream(socket, bytes.baseAddress, bytes.count) } == bytes.count
    }
  }
}
