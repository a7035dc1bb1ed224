import Base
import CLinux

/// One end of a local socket pair that keeps packets whole and in order.
package struct PacketLink: ~Copyable {
  /// The result of sending a packet.
  package enum Sending: Equatable, Sendable {
    case sent
    /// The other end is open, but its buffer is full.
    case full
    case end
  }

  /// The result of receiving.
  package enum Reception: Equatable, Sendable {
    /// A packet of this many bytes, which may be more than fitted.
    case packet(byteCount: Int)
    case nothing
    /// The other end is closed, and everything that it sent was received.
    case end
  }

  private let socket: FileDescriptor

  init(_ socket: consuming FileDescriptor) { self.socket = socket }

  /// Connects, without blocking, to a program that runs as a separate service, with its own user and network. The
  /// recorder is always the one that connects.
  /// - Parameter path: of the service's socket, such as `/run/fieldcorder-fetch/socket`.
  /// - Returns: nil if nobody listens there, or access is denied; ``lastSystemError`` says why.
  package init?(connectingTo path: borrowing FixedText<128>) {
    let number = unsafe path.withCString { unsafe linux_connect_packets($0) }
    guard number >= 0 else { return nil }
    socket = FileDescriptor(owning: number)
  }

  /// Wakes a thread when there is something to receive.
  package func add(to sources: inout WakeSources) { sources.add(socket.number) }

  /// Sends a packet, with a descriptor unless that is -1.
  /// - Parameter waitNanoseconds: how long to wait while the other end is full.
  package func send(_ bytes: RawSpan, with descriptor: Int32, waitNanoseconds: UInt64) -> Sending {
    let deadline = Instant.now + waitNanoseconds
    repeat {
      let sent = unsafe bytes.withUnsafeBytes { bytes in
        retryingWhenInterrupted { unsafe linux_send_packet(socket.number, bytes.baseAddress, bytes.count, descriptor) }
      }
      if sent >= 0 { return .sent }
      guard lastSystemError == EAGAIN else { return .end }
    } while wait(for: POLLOUT, until: deadline)
    return .full
  }

  /// Takes the oldest packet into `buffer`. Descriptors that come with it are closed by the system.
  package func receive(into buffer: inout MutableRawSpan, waitNanoseconds: UInt64) -> Reception {
    let deadline = Instant.now + waitNanoseconds
    repeat {
      let count = unsafe buffer.withUnsafeMutableBytes { buffer in
        retryingWhenInterrupted { unsafe recv(socket.number, buffer.baseAddress, buffer.count, receivingFlags) }
      }
      if count > 0 { return .packet(byteCount: count) }
      guard count < 0, lastSystemError == EAGAIN else { return .end }
    } while wait(for: POLLIN, until: deadline)
    return .nothing
  }

  /// With MSG_TRUNC the kernel reports the full length of a truncated packet.
  private var receivingFlags: Int32 { Int32(MSG_DONTWAIT) | Int32(MSG_TRUNC) }

  /// - Returns: false if the deadline has passed.
  private func wait(for event: Int32, until deadline: Instant) -> Bool {
    let now = Instant.now
    guard now < deadline else { return false }
    var watched = pollfd(fd: socket.number, events: Int16(event), revents: 0)
    let milliseconds = (deadline - now + 999_999) / 1_000_000
    _ = unsafe poll(&watched, 1, Int32(clamping: milliseconds))
    return true
  }
}
