import CLinux
import Port
import Text

/// A thread beside the main loop. Its starter joins it.
@safe public struct WorkerThread: ~Copyable {
  /// Plenty for calls without recursion; the default of 8 MiB would all be locked in memory.
  private static let stackByteCount = 256 * 1024

  private let thread: pthread_t

  /// Starts `body(context)`.
  /// - Parameters:
  ///   - name: at most 15 bytes, as `ps -L` shows it.
  ///   - context: stays valid until ``join()`` has returned.
  /// - Throws: when the system gives no more threads.
  @unsafe public init(
    name: StaticString, context: UnsafeMutableRawPointer?,
    body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
  ) throws(DeviceFailure) {
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    unsafe pthread_attr_setstacksize(&attributes, Self.stackByteCount)
    var started = pthread_t()
    let refused = unsafe pthread_create(&started, &attributes, body, context)
    unsafe pthread_attr_destroy(&attributes)
    guard refused == 0 else {
      throw DeviceFailure(
        device: .scheduler, kind: .failed, subject: "", problem: "gives no thread",
        remedy: "raise TasksMax and LimitNPROC in the service", systemErrorNumber: refused)
    }
    thread = started
    _ = unsafe name.utf8Start.withMemoryRebound(to: CChar.self, capacity: name.utf8CodeUnitCount) { name in
      unsafe pthread_setname_np(started, name)
    }
  }

  /// Returns when the thread's body has.
  public consuming func join() {
    pthread_join(thread, nil)
  }
}

/// Wakes a worker thread. Posting never blocks; several posts before the worker looks count as one.
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

/// How many threads of this process can run at the same time, 1 or more.
public func usableProcessorCount() -> Int { Int(linux_usable_processor_count()) }
