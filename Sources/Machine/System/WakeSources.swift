import Base
import CLinux

/// The descriptors that, besides its ``WorkSignal``, can end a thread's sleep early by becoming readable.
package struct WakeSources: ~Copyable {
  /// The first entry is the signal's.
  private var watched = InlineArray<16, pollfd>(repeating: pollfd(fd: -1, events: Int16(POLLIN), revents: 0))
  private var count = 1

  package init() {}

  package var isEmpty: Bool { count == 1 }

  package mutating func removeAll() { count = 1 }

  /// Watches a descriptor; nil is ignored. If no entry is free, it is not watched: its data is found when the sleep
  /// ends by itself.
  package mutating func add(_ descriptor: Int32?) {
    guard let descriptor, count < watched.count else { return }
    watched[count].fd = descriptor
    count += 1
  }

  /// Returns once the signal's event or a descriptor can be read or has failed, or at `end`.
  /// - Returns: whether the event can be read.
  mutating func sleep(on event: borrowing FileDescriptor, until end: Instant) -> Bool {
    watched[0].fd = event.number
    var places = watched.mutableSpan
    // Safe: the kernel uses the entries only during the call, and only as many as there are.
    let readyCount = unsafe places.withUnsafeMutableBufferPointer { places in
      unsafe linux_poll_until(places.baseAddress, UInt32(count), end.rawValue)
    }
    return readyCount > 0 && watched[0].revents != 0
  }
}
