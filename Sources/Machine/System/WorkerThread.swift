import Base
import CLinux
import Synchronization

/// A thread beside the main loop. The thread that starts it joins it.
@safe package struct WorkerThread: ~Copyable {
  /// Plenty without recursion; the default of 8 MiB would be locked in memory in full.
  private static let stackByteCount = 256 * 1024

  private let thread: pthread_t

  /// Starts `body(context)`.
  /// - Parameters:
  ///   - name: at most 15 bytes, shown by `ps -L`.
  ///   - context: must stay valid until ``join()`` has returned.
  /// - Throws: if the system allows no more threads.
  @unsafe package init(
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
        device: .scheduler, kind: .failed, subject: "", problem: "provides no thread",
        remedy: "raise TasksMax and LimitNPROC in the service", systemErrorNumber: refused)
    }
    thread = started
    _ = unsafe name.utf8Start.withMemoryRebound(to: CChar.self, capacity: name.utf8CodeUnitCount) { name in
      unsafe pthread_setname_np(started, name)
    }
  }

  /// Lowers the calling thread's priority, so that other threads run first. Failure is ignored.
  /// - Parameter niceness: 0…19, added to that of the process as `nice` does; what the thread starts inherits it.
  package static func stepBack(by niceness: Int32) {
    // Unlike POSIX, Linux applies this to the calling thread alone (nice(2)).
    if niceness > 0 { _ = nice(niceness) }
  }

  /// Returns once the thread's body has returned.
  package consuming func join() {
    pthread_join(thread, nil)
  }
}

/// Wakes a worker's thread. Posting never blocks, and several posts before the worker looks count as one.
///
/// The kernel is called only if the worker sleeps. Every change of state is one atomic exchange, so a post either comes
/// before the worker falls asleep and keeps it awake, or finds it asleep and wakes it. No post is lost between the
/// worker's last look for work and its sleep.
package struct WorkSignal: ~Copyable, Sendable {
  private enum State {
    static var awake: UInt8 { 0 }
    static var posted: UInt8 { 1 }
    static var asleep: UInt8 { 2 }
  }

  private let event: FileDescriptor
  private let state = Atomic(State.awake)

  /// Nothing is posted yet.
  /// - Throws: if the process may not have more descriptors.
  package init() throws(DeviceFailure) {
    let number = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard number >= 0 else {
      throw DeviceFailure(
        device: .scheduler, kind: .failed, subject: "", problem: "provides no event for a worker",
        remedy: "raise LimitNOFILE in the service", systemErrorNumber: lastSystemError)
    }
    event = FileDescriptor(owning: number)
  }

  /// Wakes the worker, now or when it next waits. Any thread may call this.
  package borrowing func post() {
    let before = state.exchange(State.posted, ordering: .acquiringAndReleasing)
    if before == State.asleep { eventfd_write(event.number, 1) }
  }

  /// Returns once posted, or after `timeoutNanoseconds`, rounded up to a millisecond. Only the worker waits.
  /// - Returns: whether it was posted.
  @discardableResult
  package borrowing func wait(timeoutNanoseconds: UInt64) -> Bool {
    let (fellAsleep, _) = state.compareExchange(
      expected: State.awake, desired: State.asleep, ordering: .acquiringAndReleasing)
    if fellAsleep { sleep(timeoutNanoseconds: timeoutNanoseconds) }
    return state.exchange(State.awake, ordering: .acquiringAndReleasing) == State.posted
  }

  /// Returns once posted, once one of the sources can be read, or at `end`. Only the thread to be woken waits, and it
  /// looks for work whatever ended its sleep.
  /// - Returns: whether it was posted.
  @discardableResult
  package borrowing func wait(until end: Instant, orFor sources: inout WakeSources) -> Bool {
    let (fellAsleep, _) = state.compareExchange(
      expected: State.awake, desired: State.asleep, ordering: .acquiringAndReleasing)
    if fellAsleep, sources.sleep(on: event, until: end) {
      var posts: eventfd_t = 0
      _ = unsafe eventfd_read(event.number, &posts)
    }
    return clear()
  }

  /// Clears any post: the thread is about to look for work.
  /// - Returns: whether there was one.
  @discardableResult
  package borrowing func clear() -> Bool {
    state.exchange(State.awake, ordering: .acquiringAndReleasing) == State.posted
  }

  /// A post at the end of the timeout may be written after the worker has resumed: the next sleep then ends at once.
  private borrowing func sleep(timeoutNanoseconds: UInt64) {
    var watched = pollfd(fd: event.number, events: Int16(POLLIN), revents: 0)
    let (milliseconds, rest) = timeoutNanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
    let timeoutMilliseconds = milliseconds + (rest > 0 ? 1 : 0)
    guard unsafe poll(&watched, 1, Int32(clamping: timeoutMilliseconds)) > 0 else { return }
    var posts: eventfd_t = 0
    _ = unsafe eventfd_read(event.number, &posts)
  }
}

/// Wakes the loop's thread when a worker has done something. Copies share the signal.
@safe package struct LoopSignal: BitwiseCopyable {
  // Safe: it is in boot memory, which outlives every thread; any thread may post it, and only the loop's waits.
  private let signal: UnsafeMutablePointer<WorkSignal>

  /// - Throws: if the system refuses an event, or memory.
  package init(in memory: inout BootMemory) throws(DeviceFailure) {
    guard let place = unsafe memory.place(try WorkSignal()) else {
      throw .memoryRefused(byteCount: memory.refusedByteCount ?? 0)
    }
    unsafe signal = place
  }

  /// Any thread may call this.
  package func post() { unsafe signal.pointee.post() }

  /// See ``WorkSignal/wait(until:orFor:)``.
  func wait(until end: Instant, orFor sources: inout WakeSources) -> Bool {
    unsafe signal.pointee.wait(until: end, orFor: &sources)
  }
}

/// The number of threads of this process that can run at the same time, 1 or more.
package func usableProcessorCount() -> Int { Int(linux_usable_processor_count()) }

/// Schedules the calling thread ahead of all ordinary ones; threads and processes that it starts are ordinary.
/// - Parameter priority: the `SCHED_FIFO` priority, 1…99.
package func enterRealTime(priority: Int32) throws(DeviceFailure) {
  var parameters = sched_param()
  parameters.sched_priority = priority
  guard unsafe sched_setscheduler(0, SCHED_FIFO | resetOnFork, &parameters) == 0 else {
    throw schedulingFailure(priority, lastSystemError)
  }
}

/// `SCHED_RESET_ON_FORK` of sched(7), which glibc declares only for GNU sources.
private let resetOnFork: Int32 = 0x4000_0000

func schedulingFailure(_ priority: Int32, _ systemErrorNumber: Int32) -> DeviceFailure {
  DeviceFailure(
    device: .scheduler, kind: systemErrorNumber == EPERM ? .noPermission : .failed,
    subject: "SCHED_FIFO \(priority)", problem: "is refused",
    remedy: "set LimitRTPRIO=99 in the service, or run as root", systemErrorNumber: systemErrorNumber)
}
