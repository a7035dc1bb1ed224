import Base
import Machine
import Synchronization

/// The loop's side of a worker's thread: its doorbell and its stop flag. Copies share both.
@safe struct WorkerControl: BitwiseCopyable {
  private struct Shared: ~Copyable {
    let bell: WorkSignal
    let loop: LoopSignal
    /// When the present step began; 0 while the worker waits.
    let stepStart = Atomic<UInt64>(0)
    let isPrepared = Atomic(false)
    let isStopping = Atomic(false)
    let hasEnded = Atomic(false)
  }

  // Sound: is in boot memory, which outlives every thread; the bell and the flags may be used by any thread.
  private let shared: UnsafeMutablePointer<Shared>

  /// - Parameter loop: is posted when the worker has done something.
  init(waking loop: LoopSignal, in memory: inout BootMemory) throws(DeviceFailure) {
    guard let place = unsafe memory.place(Shared(bell: try WorkSignal(), loop: loop)) else { throw memory.refusal }
    unsafe shared = place
  }

  /// Wakes the worker's thread.
  var doorbell: Doorbell {
    // Sound: the function is called with the pointer that is passed here.
    unsafe Doorbell(context: shared) { context in
      unsafe context!.assumingMemoryBound(to: Shared.self).pointee.bell.post()
    }
  }

  /// When the worker's present step began; nil while it waits.
  var stepStart: Instant? {
    let start = unsafe shared.pointee.stepStart.load(ordering: .relaxed)
    return start == 0 ? nil : Instant(start)
  }

  /// Lets the thread end when all work is done.
  func stop() {
    unsafe shared.pointee.isStopping.store(true, ordering: .releasing)
    unsafe shared.pointee.bell.post()
  }

  /// Returns once the worker's thread has made its last heap allocation.
  func waitUntilPrepared() {
    var clock = MonotonicClock()
    while unsafe !shared.pointee.isPrepared.load(ordering: .acquiring) {
      clock.sleep(until: clock.now + 1_000_000)
    }
  }

  /// Whether the thread ends within `nanoseconds` of ``stop()``: it does not while a driver does not return.
  func hasEnded(within nanoseconds: UInt64) -> Bool {
    var clock = MonotonicClock()
    let deadline = clock.now + nanoseconds
    while unsafe !shared.pointee.hasEnded.load(ordering: .acquiring) {
      guard clock.now < deadline else { return false }
      clock.sleep(until: clock.now + 1_000_000)
    }
    return true
  }

  /// The body of the thread: returns when it may end and no work is left that must be done.
  fileprivate func serve<Worker: SteppedWorker & ~Copyable>(_ worker: inout Worker, _ facts: WorkerFacts) {
    defer { unsafe shared.pointee.hasEnded.store(true, ordering: .releasing) }
    worker.prepareThread()
    unsafe shared.pointee.isPrepared.store(true, ordering: .releasing)
    var hasWorked = false
    while true {
      let mayEnd = unsafe shared.pointee.isStopping.load(ordering: .acquiring)
      if mayEnd, facts.ending != .finishesWork { return }
      if step(&worker) {
        hasWorked = true
        continue
      }
      if mayEnd, !worker.isAwaitingOthers { return }
      // Once for all that was done at a stretch.
      if hasWorked, facts.wakesLoop, worker.takeNews() { unsafe shared.pointee.loop.post() }
      hasWorked = false
      unsafe shared.pointee.bell.wait(timeoutNanoseconds: worker.patienceNanoseconds)
    }
  }
}

extension WorkerControl {
  private func step<Worker: SteppedWorker & ~Copyable>(_ worker: inout Worker) -> Bool {
    let now = Instant.now
    unsafe shared.pointee.stepStart.store(now.rawValue, ordering: .relaxed)
    defer { unsafe shared.pointee.stepStart.store(0, ordering: .relaxed) }
    return worker.step(at: now)
  }
}

/// The workers, each on its own thread.
package struct WorkerThreads: ~Copyable {
  /// Is posted when a worker has done something.
  package let loopSignal: LoopSignal
  private let controls: PerWorker<WorkerControl>
  private var threads = PerWorker<WorkerThread?> { _ in nil }

  /// No thread is started yet; the doorbells can be rung.
  /// - Throws: when the system refuses an event, or memory.
  @export(interface)
  package init(in memory: inout BootMemory) throws(DeviceFailure) {
    let loop = try LoopSignal(in: &memory)
    controls = try PerWorker { (_) throws(DeviceFailure) in try WorkerControl(waking: loop, in: &memory) }
    loopSignal = loop
  }

  /// Wake the threads.
  package var doorbells: Doorbells {
    var doorbells = Doorbells()
    var kinds = WorkerSet.all
    while let kind = kinds.next() { doorbells[kind] = controls[kind.rawValue].doorbell }
    return doorbells
  }

  /// When the step began that has been going on for longest, of the workers without which nothing is recorded; nil
  /// while none of them is in one.
  package var oldestStep: Instant? {
    var oldest: Instant?
    var kinds = WorkerSet.all
    while let kind = kinds.next() {
      guard kind.facts.isNeededToRecord, let start = controls[kind.rawValue].stepStart else { continue }
      oldest = min(oldest ?? start, start)
    }
    return oldest
  }

  /// Starts all threads, and returns once each has made its last heap allocation.
  /// - Parameters:
  ///   - memory: holds the workers for the life of the process.
  /// - Throws: when the system refuses a thread, or memory.
  @export(interface)
  package mutating func start(_ workers: consuming Workers, in memory: inout BootMemory) throws(DeviceFailure) {
    guard let placed = unsafe memory.place(workers) else { throw memory.refusal }
    var kinds = unsafe placed.pointee.kinds
    while let kind = kinds.next() {
      let control = controls[kind.rawValue]
      guard let start = unsafe memory.place(WorkerStart(kind: kind, control: control, workers: placed)) else {
        throw memory.refusal
      }
      // Sound: is in boot memory.
      threads[kind.rawValue] = try unsafe WorkerThread(
        name: kind.facts.name, context: start,
        body: { context in
          unsafe context!.assumingMemoryBound(to: WorkerStart.self).pointee.live()
          return nil
        })
    }
    for index in threads.indices where threads[index] != nil { controls[index].waitUntilPrepared() }
  }

  /// Ends one after the other, each once the work is done that must be done.
  @export(interface)
  package consuming func end() {
    var kinds = WorkerSet.all
    while let kind = kinds.next() {
      let control = controls[kind.rawValue]
      control.stop()
      guard kind.facts.ending != .mayHang || control.hasEnded(within: 1_000_000_000) else { continue }
      threads[kind.rawValue].take()?.join()
    }
  }
}

/// The context of a worker's thread.
@safe private struct WorkerStart: BitwiseCopyable {
  let kind: WorkerKind
  let control: WorkerControl
  // Sound: in boot memory, and never written; the thread uses only its own worker.
  let workers: UnsafePointer<Workers>

  /// Returns when the worker has ended.
  func live() {
    WorkerThread.stepBack(by: kind.facts.niceness)
    var service = ThreadService(control: control, facts: kind.facts)
    _ = unsafe workers.pointee.visit(kind, &service)
  }
}

private struct ThreadService: WorkerVisitor {
  let control: WorkerControl
  let facts: WorkerFacts

  mutating func visit<Worker: SteppedWorker & ~Copyable>(_ placed: PlacedWorker<Worker>) -> Bool {
    control.serve(&placed.worker, facts)
    return true
  }
}

/// Decides when the system's watchdog is fed: while the loop ticks and no worker has been in one step for too long.
///
/// A worker that waits for work is in no step. What the system does when it is not fed, it does to the whole recorder:
/// the take that is open is repaired, and goes on at the next start.
package struct Watchdog: Sendable {
  /// From one feeding to the next.
  package let intervalNanoseconds: UInt64
  /// How long a worker's step may take.
  package let patienceNanoseconds: UInt64
  private var next: Instant = 0

  /// - Parameters:
  ///   - timeoutNanoseconds: for how long the system waits for food.
  ///   - stallSeconds: for how long the card may stall: `[record] stall_seconds`.
  @export(interface)
  package init(timeoutNanoseconds: UInt64, stallSeconds: UInt32) {
    intervalNanoseconds = timeoutNanoseconds / Limits.feedingsPerTimeout
    patienceNanoseconds = UInt64(max(2 * stallSeconds, Limits.leastPatienceSeconds)) * 1_000_000_000
  }

  /// Whether to feed it now.
  /// - Parameter oldestStep: when the step began that has been going on for longest; nil while no worker is in one.
  @export(interface)
  package mutating func isFed(at now: Instant, oldestStep: Instant?) -> Bool {
    guard now >= next else { return false }
    if let oldestStep, now > oldestStep + patienceNanoseconds { return false }
    next = now + intervalNanoseconds
    return true
  }
}

extension Limits {
  /// The system's watchdog is fed so often within its time: a late feeding costs nothing.
  static var feedingsPerTimeout: UInt64 { 3 }

  /// The shortest time after which a worker that is in one step counts as hung. Twice the stall that a card may make
  /// (``RecordSettings/stallSeconds``), and not less than this: by then what the rings could hold is lost anyway.
  static var leastPatienceSeconds: UInt32 { 30 }
}
