import App
import Base
import Catalog
import Kit
import Machine
import Media
import Playback
import Record
import Synchronization

/// The loop's side of a worker's thread: its doorbell and its stop flag. Copies share both.
@safe struct WorkerControl: BitwiseCopyable {
  private struct Shared: ~Copyable {
    let bell: WorkSignal
    /// When the present step began; 0 while the worker waits.
    let stepStart = Atomic<UInt64>(0)
    let isPrepared = Atomic(false)
    let isStopping = Atomic(false)
    let hasEnded = Atomic(false)
  }

  // Sound: is in boot memory, which outlives every thread; the bell and the flags may be used by any thread.
  private let shared: UnsafeMutablePointer<Shared>

  init(in memory: inout BootMemory) throws(DeviceFailure) {
    guard let place = unsafe memory.place(Shared(bell: try WorkSignal())) else { throw memory.refusal }
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
  fileprivate func serve<Worker: SteppedWorker & ~Copyable>(_ worker: inout Worker) {
    defer { unsafe shared.pointee.hasEnded.store(true, ordering: .releasing) }
    worker.prepareThread()
    unsafe shared.pointee.isPrepared.store(true, ordering: .releasing)
    while true {
      let mayEnd = unsafe shared.pointee.isStopping.load(ordering: .acquiring)
      if mayEnd, !Worker.outlastsLoop { return }
      if step(&worker) { continue }
      if mayEnd, !worker.isAwaitingOthers { return }
      unsafe shared.pointee.bell.wait(timeoutNanoseconds: worker.patienceNanoseconds)
    }
  }
}

extension WorkerControl {
  private func step<Worker: SteppedWorker & ~Copyable>(_ worker: inout Worker) -> Bool {
    unsafe shared.pointee.stepStart.store(Instant.now.rawValue, ordering: .relaxed)
    defer { unsafe shared.pointee.stepStart.store(0, ordering: .relaxed) }
    return worker.step()
  }
}

/// The workers, each on its own thread.
struct WorkerThreads: ~Copyable {
  private let controls: InlineArray<16, WorkerControl>
  private var threads = InlineArray<16, WorkerThread?> { _ in nil }

  /// No thread is started yet; the doorbells can be rung.
  /// - Throws: when the system refuses an event, or memory.
  init(in memory: inout BootMemory) throws(DeviceFailure) {
    precondition(threads.count == WorkerKind.count, "a worker has no thread")
    controls = try InlineArray { (_) throws(DeviceFailure) in try WorkerControl(in: &memory) }
  }

  /// Wake the threads.
  var doorbells: Doorbells {
    var doorbells = Doorbells()
    for index in controls.indices { doorbells[WorkerKind(rawValue: index)!] = controls[index].doorbell }
    return doorbells
  }

  /// When the step began that has been going on for longest, of the workers without which nothing is recorded; nil while
  /// none of them is in one.
  var oldestStep: Instant? {
    var oldest: Instant?
    for index in controls.indices where WorkerKind(rawValue: index)!.isNeededToRecord {
      guard let start = controls[index].stepStart else { continue }
      oldest = min(oldest ?? start, start)
    }
    return oldest
  }

  /// Starts all threads, and returns once each has made its last heap allocation.
  /// - Parameters:
  ///   - memory: holds the workers for the life of the process.
  /// - Throws: when the system refuses a thread, or memory.
  mutating func start(
    _ workers: consuming Workers, in memory: inout BootMemory
  ) throws(DeviceFailure) {
    try start(workers.encoder, .encoder, in: &memory)
    for index in workers.encoders.indices {
      guard let encoder = workers.encoders[index].take() else { break }
      try start(encoder, .poolEncoder(index), in: &memory)
    }
    try start(workers.still, .still, in: &memory)
    try start(workers.storage, .storage, in: &memory)
    try start(workers.decoder, .decoder, in: &memory)
    try start(workers.library, .library, in: &memory)
    try start(workers.keeper, .keeper, in: &memory)
    try start(workers.view, .view, in: &memory)
    try start(workers.preview, .preview, in: &memory)
    try start(workers.tuner, .tuner, in: &memory)
    try start(workers.microphone, .microphone, in: &memory)
    try start(workers.camera, .camera, in: &memory)
    try start(workers.device, .device, in: &memory)
    for index in threads.indices where threads[index] != nil { controls[index].waitUntilPrepared() }
  }

  private mutating func start<Worker: SteppedWorker & ~Copyable>(
    _ worker: consuming Worker, _ kind: WorkerKind, in memory: inout BootMemory
  ) throws(DeviceFailure) {
    guard let place = unsafe memory.place(worker),
      let start = unsafe memory.place(
        WorkerStart(kind: kind, control: controls[kind.rawValue], worker: place))
    else { throw memory.refusal }
    // Sound: both are in boot memory, and from here on belong to the worker's thread alone.
    threads[kind.rawValue] = try unsafe WorkerThread(
      name: kind.name, context: start,
      body: { context in
        unsafe WorkerStart.live(context)
        return nil
      })
  }

  /// Ends one after the other, each once the work is done that must be done. A device's worker may be in a call that never
  /// returns: it then ends with the process.
  consuming func end() {
    for index in threads.indices {
      controls[index].stop()
      guard index < WorkerKind.microphone.rawValue || controls[index].hasEnded(within: 1_000_000_000) else { continue }
      threads[index].take()?.join()
    }
  }
}

/// The context of a worker's thread.
@safe struct WorkerStart {
  private let kind: WorkerKind
  private let control: WorkerControl
  // Sound: points to a worker of the kind `kind`, which belongs to this thread alone.
  private let worker: UnsafeMutableRawPointer

  fileprivate init(kind: WorkerKind, control: WorkerControl, worker: UnsafeMutableRawPointer) {
    self.kind = kind
    self.control = control
    unsafe self.worker = worker
  }

  /// Returns when the worker has ended.
  /// - Parameter context: as ``WorkerThreads`` passed it to a thread for a worker of this machine.
  @unsafe static func live(_ context: UnsafeMutableRawPointer?) {
    let start = unsafe context!.assumingMemoryBound(to: WorkerStart.self).pointee
    WorkerThread.stepBack(by: start.kind.niceness)
    switch start.kind {
    case .encoder: start.serve(PictureWorker.self)
    case .poolEncoder1, .poolEncoder2, .poolEncoder3, .poolEncoder4: start.serve(PoolEncoder.self)
    case .still: start.serve(StillWorker.self)
    case .storage: start.serve(StorageWorker.self)
    case .decoder: start.serve(DecoderWorker.self)
    case .library: start.serve(LibraryWorker.self)
    case .keeper: start.serve(HousekeepingWorker.self)
    case .view: start.serve(ViewWorker.self)
    case .preview: start.serve(PreviewWorker.self)
    case .tuner: start.serve(TunerWorker.self)
    case .microphone: start.serve(LentDevice<Microphone>.self)
    case .camera: start.serve(CameraWorker.self)
    case .device: start.serve(DeviceWorker.self)
    }
  }

  private func serve<Worker: SteppedWorker & ~Copyable>(_: Worker.Type) {
    unsafe control.serve(&worker.assumingMemoryBound(to: Worker.self).pointee)
  }
}
