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

  // Safe: boot memory outlives every thread, and any thread may use the bell and the flags.
  private let shared: UnsafeMutablePointer<Shared>

  /// - Parameter loop: posted when the worker has done something.
  init(waking loop: LoopSignal, in memory: inout BootMemory) throws(DeviceFailure) {
    guard let place = unsafe memory.place(Shared(bell: try WorkSignal(), loop: loop)) else { throw memory.refusal }
    unsafe shared = place
  }

  /// Wakes the worker's thread.
  var doorbell: Doorbell {
    // Safe: the function is called with the pointer that is passed here.
    unsafe Doorbell(context: shared) { context in
      unsafe context!.assumingMemoryBound(to: Shared.self).pointee.bell.post()
    }
  }

  /// When the worker's present step began; nil while it waits.
  var stepStart: Instant? {
    let start = unsafe shared.pointee.stepStart.load(ordering: .relaxed)
    return start == 0 ? nil : Instant(start)
  }

  /// Lets the thread end once all work is done.
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

  /// Whether the thread ends within `nanoseconds` of ``stop()``; it does not if a driver does not return.
  func hasEnded(within nanoseconds: UInt64) -> Bool {
    var clock = MonotonicClock()
    let deadline = clock.now + nanoseconds
    while unsafe !shared.pointee.hasEnded.load(ordering: .acquiring) {
      guard clock.now < deadline else { return false }
      clock.sleep(until: clock.now + 1_000_000)
    }
    return true
  }

  /// The body of the thread: returns when it may end and no essential work is left.
  fileprivate func serve<Worker: SteppedWorker & ~Copyable>(_ worker: inout Worker, _ facts: WorkerFacts) {
    defer { unsafe shared.pointee.hasEnded.store(true, ordering: .releasing) }
    worker.prepareThread()
    unsafe shared.pointee.isPrepared.store(true, ordering: .releasing)
    var sources = WakeSources()
    var hasWorked = false
    while true {
      let mayEnd = unsafe shared.pointee.isStopping.load(ordering: .acquiring)
      if mayEnd, facts.ending != .finishesWork { return }
      if step(&worker) {
        hasWorked = true
        continue
      }
      if mayEnd, !worker.isAwaitingOthers { return }
      // Post once for a run of steps.
      if hasWorked, facts.wakesLoop, worker.takeNews() { unsafe shared.pointee.loop.post() }
      hasWorked = false
      sources.removeAll()
      worker.add(to: &sources)
      if sources.isEmpty {
        unsafe shared.pointee.bell.wait(timeoutNanoseconds: worker.patienceNanoseconds)
      } else {
        unsafe shared.pointee.bell.wait(until: Instant.now + worker.patienceNanoseconds, orFor: &sources)
      }
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
  /// Posted when a worker has done something.
  package let loopSignal: LoopSignal
  private let controls: PerWorker<WorkerControl>
  private var threads = PerWorker<WorkerThread?> { _ in nil }

  /// Starts no thread yet; the doorbells can be rung.
  /// - Throws: if the system refuses an event, or memory.
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

  /// When the longest-running step of a worker needed to record began; nil while none of them is in a step.
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
  /// - Throws: if the system refuses a thread, or memory.
  @export(interface)
  package mutating func start(_ workers: consuming Workers, in memory: inout BootMemory) throws(DeviceFailure) {
    guard let placed = unsafe memory.place(workers) else { throw memory.refusal }
    var kinds = unsafe placed.pointee.kinds
    while let kind = kinds.next() {
      let control = controls[kind.rawValue]
      guard let start = unsafe memory.place(WorkerStart(kind: kind, control: control, workers: placed)) else {
        throw memory.refusal
      }
      // Safe: the context is in boot memory.
      threads[kind.rawValue] = try unsafe WorkerThread(
        name: kind.facts.name, context: start,
        body: { context in
          unsafe context!.assumingMemoryBound(to: WorkerStart.self).pointee.live()
          return nil
        })
    }
    for index in threads.indices where threads[index] != nil { controls[index].waitUntilPrepared() }
  }

  /// Ends the workers one after another, each once its essential work is done.
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
  // Safe: the table of workers is in boot memory and never written, and the thread uses only its own worker.
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

/// Decides when to feed the system's watchdog: while the loop ticks and no worker has been in one step for too long.
///
/// A worker that waits for work is not in a step. If the watchdog is not fed, the system restarts the whole recorder:
/// the open take is repaired, and continues at the next start.
package struct Watchdog: Sendable {
  /// The interval between feedings.
  package let intervalNanoseconds: UInt64
  /// How long a worker's step may take.
  package let patienceNanoseconds: UInt64
  private var next: Instant = 0

  /// - Parameters:
  ///   - timeoutNanoseconds: the watchdog's timeout.
  ///   - stallSeconds: how long the card may stall: `[record] stall_seconds`.
  @export(interface)
  package init(timeoutNanoseconds: UInt64, stallSeconds: UInt32) {
    intervalNanoseconds = timeoutNanoseconds / Limits.feedingsPerTimeout
    patienceNanoseconds = UInt64(max(2 * stallSeconds, Limits.leastPatienceSeconds)) * 1_000_000_000
  }

  /// Whether to feed the watchdog now.
  /// - Parameter oldestStep: when the longest-running present step began; nil while no worker is in a step.
  @export(interface)
  package mutating func isFed(at now: Instant, oldestStep: Instant?) -> Bool {
    guard now >= next else { return false }
    if let oldestStep, now > oldestStep + patienceNanoseconds { return false }
    next = now + intervalNanoseconds
    return true
  }
}

extension Limits {
  /// Feedings within the watchdog's timeout: a late one does no harm.
  static var feedingsPerTimeout: UInt64 { 3 }

  /// The shortest time in one step after which a worker counts as hung, which is otherwise twice the stall that a card
  /// may make (``RecordSettings/stallSeconds``): by then whatever the rings could hold is lost anyway.
  static var leastPatienceSeconds: UInt32 { 30 }
}
