import Port
import CLinux
import Text

/// A thread beside the main loop. Whoever starts it joins it.
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
