import Port
import CLinux
import Text

/// Wakes a worker thread: the poster never waits, and posts before the worker looks add up to one.
public struct WorkSignal: ~Copyable, Sendable {
  private let event: FileDescriptor

  /// Nothing is posted yet.
  /// - Throws: when the process may not have more descriptors.
  public init() throws(DeviceFailure) {
    let number = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard number >= 0 else {
      throw DeviceFailure(
        device: .scheduler, kind: .failed, subject: "", problem: "gives no event for a worker",
        remedy: "raise LimitNOFILE in the service", systemErrorNumber: lastSystemError)
    }
    event = FileDescriptor(owning: number)
  }

  /// Wakes the worker, now or when it next waits. Any thread may.
  public borrowing func post() {
    eventfd_write(event.number, 1)
  }

  /// Returns when posted, or after `timeoutNanoseconds`, rounded up to a millisecond.
  /// - Returns: whether it was posted.
  @discardableResult
  public borrowing func wait(timeoutNanoseconds: UInt64) -> Bool {
    var watched = pollfd(fd: event.number, events: Int16(POLLIN), revents: 0)
    let timeoutMilliseconds = (timeoutNanoseconds + 999_999) / 1_000_000
    _ = unsafe poll(&watched, 1, Int32(clamping: timeoutMilliseconds))
    var posts: eventfd_t = 0
    return unsafe eventfd_read(event.number, &posts) == 0
  }
}
