import CLinux
import Text

/// One end of a pair of sockets that keep packets whole and in order.
@usableFromInline
struct PacketLink: ~Copyable {
  /// What became of an attempt to send.
  enum Sending: Equatable {
    case sent
    /// The other end is open, and has not taken what it was sent before.
    case noRoom
    case end
  }

  /// What became of an attempt to receive.
  enum Reception: Equatable {
    /// A packet of so many bytes, which may be more than there was room for.
    case packet(byteCount: Int)
    case nothing
    /// The other end is closed, and nothing that it said is left.
    case end
  }

  private let socket: FileDescriptor

  init(_ socket: consuming FileDescriptor) { self.socket = socket }

  /// Sends a packet, and a descriptor with it unless that is -1.
  /// - Parameter waitNanoseconds: how long to wait for room.
  func send(_ bytes: RawSpan, with descriptor: Int32, waitNanoseconds: UInt64) -> Sending {
    let deadline = monotonicNanosecondsNow() + waitNanoseconds
    repeat {
      let sent = unsafe bytes.withUnsafeBytes { bytes in
        retryingWhenInterrupted { unsafe linux_send_packet(socket.number, bytes.baseAddress, bytes.count, descriptor) }
      }
      if sent >= 0 { return .sent }
      guard lastSystemError == EAGAIN else { return .end }
    } while wait(for: POLLOUT, until: deadline)
    return .noRoom
  }

  /// Takes the oldest packet into `room`. Descriptors that come with it are closed by the system.
  func receive(into room: inout MutableRawSpan, waitNanoseconds: UInt64) -> Reception {
    let deadline = monotonicNanosecondsNow() + waitNanoseconds
    repeat {
      let count = unsafe room.withUnsafeMutableBytes { room in
        retryingWhenInterrupted { unsafe recv(socket.number, room.baseAddress, room.count, receivingFlags) }
      }
      if count > 0 { return .packet(byteCount: count) }
      guard count < 0, lastSystemError == EAGAIN else { return .end }
    } while wait(for: POLLIN, until: deadline)
    return .nothing
  }

  /// With MSG_TRUNC the length of a packet that was cut off is told as it was.
  private var receivingFlags: Int32 { Int32(MSG_DONTWAIT) | Int32(MSG_TRUNC) }

  /// - Returns: false when the time is up.
  private func wait(for event: Int32, until deadline: UInt64) -> Bool {
    let now = monotonicNanosecondsNow()
    guard now < deadline else { return false }
    var watched = pollfd(fd: socket.number, events: Int16(event), revents: 0)
    let milliseconds = (deadline - now + 999_999) / 1_000_000
    _ = unsafe poll(&watched, 1, Int32(clamping: milliseconds))
    return true
  }
}
