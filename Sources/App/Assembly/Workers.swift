import Base
import Catalog
import Kit
import Machine
import Playback
import Record

/// The workers, in the order in which they end: producers before those that still store their output.
///
/// A worker is defined by its case and its row here, its type, a ``SteppedWorker``, and its place in ``Workers``.
/// Threads and the virtual clock handle all workers from there.
package enum WorkerKind: Int, BitwiseCopyable, Sendable {
  /// Encodes raw pictures, and puts all pictures into their ring.
  case encoder
  /// The encoder pool: each encodes for ``encoder`` if several pictures are encoded at the same time. With a hardware
  /// encoder, the first encodes for the live views.
  case poolEncoder1, poolEncoder2, poolEncoder3, poolEncoder4
  /// Makes stills.
  case still
  /// Writes takes.
  case storage
  /// Talks to the decoder for playback.
  case decoder
  /// Keeps the index of the files on the card.
  case library
  /// Keeps takes and the applications' files, and removes old takes.
  case keeper
  /// Supervises the live view's process.
  case view
  /// Draws previews on the console.
  case preview
  /// Detects pitches.
  case tuner
  /// Opens, closes and restarts the microphone.
  case microphone
  /// Opens, closes and zooms the camera: see ``CameraWorker``.
  case camera
  /// Opens, closes and stops the other devices that the loop uses.
  case device

  /// The number of workers; their raw values start at 0.
  static var count: Int { device.rawValue + 1 }

  /// The worker's properties.
  var facts: WorkerFacts {
    switch self {
    // Pictures wait in the camera's six buffers, which last a fifth of a second at 30 a second.
    case .encoder: WorkerFacts(name: "encoder", niceness: 2, ending: .finishesWork, isNeededToRecord: true)
    case .poolEncoder1: WorkerFacts(name: "encoder 1", niceness: 2, ending: .finishesWork, isNeededToRecord: true)
    case .poolEncoder2: WorkerFacts(name: "encoder 2", niceness: 2, ending: .finishesWork, isNeededToRecord: true)
    case .poolEncoder3: WorkerFacts(name: "encoder 3", niceness: 2, ending: .finishesWork, isNeededToRecord: true)
    case .poolEncoder4: WorkerFacts(name: "encoder 4", niceness: 2, ending: .finishesWork, isNeededToRecord: true)
    // A still is made from a picture that is kept: it may come late.
    case .still: WorkerFacts(name: "still", niceness: 10, ending: .finishesWork)
    // Recorded data that does not reach the card is lost. The worker needs little of the processor, but at once. The
    // loop finds its reports at the next look, at most 100 ms later.
    case .storage:
      WorkerFacts(name: "storage", niceness: 0, ending: .finishesWork, isNeededToRecord: true, wakesLoop: false)
    // 0.4 s are decoded ahead; a gap in playback is better than one in a take.
    case .decoder: WorkerFacts(name: "decoder", niceness: 4, ending: .stops)
    // Nothing is lost if these wait.
    case .library: WorkerFacts(name: "library", niceness: 15, ending: .stops)
    case .view: WorkerFacts(name: "view", niceness: 15, ending: .stops)
    case .preview: WorkerFacts(name: "preview", niceness: 15, ending: .stops)
    case .tuner: WorkerFacts(name: "tuner", niceness: 15, ending: .stops)
    // It has all day, and the others want the card.
    case .keeper: WorkerFacts(name: "keeper", niceness: 19, ending: .stops)
    // They wait for drivers most of the time, and a take waits for them.
    case .microphone: WorkerFacts(name: "microphone", niceness: 0, ending: .mayHang)
    case .camera: WorkerFacts(name: "camera", niceness: 0, ending: .mayHang)
    case .device: WorkerFacts(name: "device", niceness: 0, ending: .mayHang, wakesLoop: false)
    }
  }

  static func poolEncoder(_ index: Int) -> WorkerKind { WorkerKind(rawValue: poolEncoder1.rawValue + index)! }
}

/// The fixed properties of a worker.
struct WorkerFacts {
  enum Ending {
    /// The program waits for its remaining writes to the disk.
    case finishesWork
    case stops
    /// The worker may be in a driver's call that never returns: it then ends with the process.
    case mayHang
  }

  /// The name of its thread, as `ps -L` shows it.
  let name: StaticString
  /// The niceness of its thread, and of a process that it starts. Each unit takes a fifth off its share of a contended
  /// processor. The loop has real-time priority and comes before all.
  let niceness: Int32
  let ending: Ending
  /// Whether no take can be recorded while the worker hangs.
  var isNeededToRecord = false
  /// Whether the worker wakes the loop for its results, rather than leaving them to the loop's next wake.
  var wakesLoop = true
}

struct WorkerSet {
  private(set) var bits = UInt32(1) << UInt32(WorkerKind.count) - 1

  static var all: WorkerSet { WorkerSet() }

  mutating func insert(_ worker: WorkerKind) { bits |= 1 << UInt32(worker.rawValue) }

  mutating func remove(_ worker: WorkerKind) { bits &= ~(1 << UInt32(worker.rawValue)) }

  /// Removes and returns the first worker in order.
  mutating func next() -> WorkerKind? {
    guard let first = WorkerKind(rawValue: bits.trailingZeroBitCount) else { return nil }
    bits &= bits - 1
    return first
  }
}

typealias PerWorker<Value: ~Copyable> = InlineArray<16, Value>

/// How each worker is woken.
package struct Doorbells: Sendable {
  private var bells = PerWorker<Doorbell>(repeating: .silent)

  /// Without threads: on a virtual clock the caller steps the workers.
  package init() { precondition(bells.count == WorkerKind.count, "a worker has no doorbell") }

  /// The doorbells of the encoders that make JPEGs.
  var pool: PoolDoorbells {
    var pool = PoolDoorbells()
    pool.worker = self[.encoder]
    for index in pool.encoders.indices { pool.encoders[index] = self[.poolEncoder(index)] }
    return pool
  }

  subscript(worker: WorkerKind) -> Doorbell {
    get { bells[worker.rawValue] }
    set { bells[worker.rawValue] = newValue }
  }
}

/// A worker beside the loop. It works in steps: on its own thread, or in turn with the others on a virtual clock.
protocol SteppedWorker: ~Copyable {
  /// The longest time that its thread sleeps without being woken.
  var patienceNanoseconds: UInt64 { get }

  /// Whether others still hold its work: the program then waits at exit although ``step(at:)`` finds nothing to do.
  var isAwaitingOthers: Bool { get }

  /// Adds the descriptors that wake its thread besides its doorbell. A worker with any has a finite patience.
  func add(to sources: inout WakeSources)

  /// Allocates what the worker needs, on its own thread: its last heap allocations.
  mutating func prepareThread()

  /// Does the next bounded piece of work.
  /// - Parameter now: monotonic time.
  /// - Returns: false if there was none.
  mutating func step(at now: Instant) -> Bool

  /// Whether to wake the loop for what was done since the last call.
  mutating func takeNews() -> Bool
}

/// A worker that is woken whenever it has something to do, and never polls.
extension SteppedWorker where Self: ~Copyable {
  var patienceNanoseconds: UInt64 { .max }
  var isAwaitingOthers: Bool { false }
  func add(to sources: inout WakeSources) {}
  mutating func prepareThread() {}
  mutating func takeNews() -> Bool { true }
}

/// A worker that does not need the time.
protocol TimelessWorker: SteppedWorker, ~Copyable {
  mutating func step() -> Bool
}

extension TimelessWorker where Self: ~Copyable {
  mutating func step(at now: Instant) -> Bool { step() }
}

extension PictureWorker: TimelessWorker {
  /// The results of a hardware encoder are found by polling.
  var patienceNanoseconds: UInt64 { isAwaitingPictures ? 100_000_000 : .max }
  var isAwaitingOthers: Bool { isAwaitingEncoders }
}

extension PoolEncoder: TimelessWorker {
  /// While waiting for space the worker polls.
  var patienceNanoseconds: UInt64 { hasPicture ? 100_000_000 : .max }
}

extension StillWorker: TimelessWorker {}

extension StorageWorker: TimelessWorker {}

extension DecoderWorker: SteppedWorker {
  /// What the process sends wakes it: it only has to notice by itself that the process does not answer, or that the loop
  /// has taken reports.
  var patienceNanoseconds: UInt64 {
    if !canReport { return Limits.exchangeMilliseconds * 1_000_000 }
    return awaitsAnswer ? Limits.decoderNanoseconds : Limits.idleNanoseconds
  }
}

extension LibraryWorker: TimelessWorker {
  var patienceNanoseconds: UInt64 { isAnswering ? Limits.libraryMilliseconds * 1_000_000 : Limits.idleNanoseconds }
}

extension PreviewWorker: TimelessWorker {}

extension TunerWorker: TimelessWorker {}

extension LentDevice: SteppedWorker, TimelessWorker where Device: ~Copyable {}

/// A worker in its own boot memory, so that it can belong to a single thread.
@safe struct PlacedWorker<Worker: SteppedWorker & ~Copyable>: BitwiseCopyable {
  // Safe: boot memory outlives every thread, and only the thread that steps the worker uses it.
  private let place: UnsafeMutablePointer<Worker>

  init(_ worker: consuming Worker, in memory: inout BootMemory) throws(DeviceFailure) {
    guard let place = unsafe memory.place(worker) else { throw memory.refusal }
    unsafe self.place = place
  }

  var worker: Worker {
    _read { yield unsafe place.pointee }
    nonmutating _modify { yield unsafe &place.pointee }
  }

  func destroy() { unsafe place.deinitialize(count: 1) }
}

/// An operation on a worker of any type.
protocol WorkerVisitor: ~Copyable {
  mutating func visit<Worker: SteppedWorker & ~Copyable>(_ placed: PlacedWorker<Worker>) -> Bool
}

/// The workers beside the loop. They are never destroyed on their own: a thread may use one until the process ends.
package struct Workers: ~Copyable {
  let encoder: PlacedWorker<PictureWorker>
  /// The existing encoders come first.
  let encoders: InlineArray<4, PlacedWorker<PoolEncoder>?>
  let still: PlacedWorker<StillWorker>
  let storage: PlacedWorker<StorageWorker>
  let decoder: PlacedWorker<DecoderWorker>
  let library: PlacedWorker<LibraryWorker>
  let keeper: PlacedWorker<HousekeepingWorker>
  let view: PlacedWorker<ViewWorker>
  let preview: PlacedWorker<PreviewWorker>
  let tuner: PlacedWorker<TunerWorker>
  let microphone: PlacedWorker<LentDevice<Microphone>>
  let camera: PlacedWorker<CameraWorker>
  let device: PlacedWorker<DeviceWorker>

  /// The workers that exist.
  var kinds: WorkerSet {
    var kinds = WorkerSet.all
    for index in encoders.indices where encoders[index] == nil { kinds.remove(.poolEncoder(index)) }
    return kinds
  }

  /// Applies a visitor to a worker.
  /// - Returns: the visitor's answer; false if there is no such worker.
  func visit(_ kind: WorkerKind, _ visitor: inout some WorkerVisitor & ~Copyable) -> Bool {
    switch kind {
    case .encoder: visitor.visit(encoder)
    case .poolEncoder1: visit(encoders[0], &visitor)
    case .poolEncoder2: visit(encoders[1], &visitor)
    case .poolEncoder3: visit(encoders[2], &visitor)
    case .poolEncoder4: visit(encoders[3], &visitor)
    case .still: visitor.visit(still)
    case .storage: visitor.visit(storage)
    case .decoder: visitor.visit(decoder)
    case .library: visitor.visit(library)
    case .keeper: visitor.visit(keeper)
    case .view: visitor.visit(view)
    case .preview: visitor.visit(preview)
    case .tuner: visitor.visit(tuner)
    case .microphone: visitor.visit(microphone)
    case .camera: visitor.visit(camera)
    case .device: visitor.visit(device)
    }
  }

  private func visit(_ encoder: PlacedWorker<PoolEncoder>?, _ visitor: inout some WorkerVisitor & ~Copyable) -> Bool {
    if let encoder { visitor.visit(encoder) } else { false }
  }
}

extension Limits {
  /// The polling interval of a worker that has to find out by itself that a process has ended, or that another pass is
  /// due: nobody waits for either.
  static var idleNanoseconds: UInt64 { 5_000_000_000 }

  /// How long the decoder's worker sleeps while an answer is due: it notices within a quarter more of the time allowed
  /// that there is none.
  static var decoderNanoseconds: UInt64 { 500_000_000 }

  /// While answering, the library checks at this interval whether the loop has taken some of the answer: one tick.
  package static var libraryMilliseconds: UInt64 { 5 }
}
