import Base
import CLinux

/// What may end a thread's sleep before its time, besides its ``WorkSignal``: descriptors that can be read.
package struct WakeSources: ~Copyable {
  /// The first place is the signal's.
  private var watched = InlineArray<16, pollfd>(repeating: pollfd(fd: -1, events: Int16(POLLIN), revents: 0))
  private var count = 1

  package init() {}

  /// Forgets all of them.
  package mutating func removeAll() { count = 1 }

  /// Watches a descriptor; nil is none. One for which there is no place is not watched: what it has is found when the
  /// sleep ends by itself.
  package mutating func add(_ descriptor: Int32?) {
    guard let descriptor, count < watched.count else { return }
    watched[count].fd = descriptor
    count += 1
  }

  /// Returns when the signal's event or a descriptor can be read, or has failed, or at `end`.
  /// - Returns: whether the event can be read.
  mutating func sleep(on event: borrowing FileDescriptor, until end: Instant) -> Bool {
    watched[0].fd = event.number
    var places = watched.mutableSpan
    // Safe: the kernel uses the places only during the call, and no more of them than there are.
    let readyCount = unsafe places.withUnsafeMutableBufferPointer { places in
      unsafe linux_poll_until(places.baseAddress, UInt32(count), end.rawValue)
    }
    return readyCount > 0 && watched[0].revents != 0
  }
}
