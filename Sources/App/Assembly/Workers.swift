import Base
import Catalog
import Kit
import Machine
import Playback
import Record

/// The workers, in the order in which they end: producers before those that still store their output.
///
/// A worker is its case and its row here, its type, a ``SteppedWorker``, and its place in ``Workers``. Threads and the
/// virtual clock know all of them from there.
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
  /// Talks to the decoder that plays.
  case decoder
  /// Keeps the index of the files on the card.
  case library
  /// Keeps takes and the small applications' files, and removes what is old.
  case keeper
  /// Supervises the live view's process.
  case view
  /// Draws previews on the console.
  case preview
  /// Hears pitches.
  case tuner
  /// Opens, closes and restarts the microphone.
  case microphone
  /// Opens, closes and zooms the camera: see ``CameraWorker``.
  case camera
  /// Opens, closes and stops the other devices that the loop uses.
  case device

  /// The number of workers; their raw values begin with 0.
  static var count: Int { device.rawValue + 1 }

  /// The worker's row.
  var facts: WorkerFacts {
    switch self {
    // Pictures wait in the camera's six buffers, a fifth of a second at 30 a second.
    case .encoder: WorkerFacts(name: "encoder", niceness: 2, ending: .finishesWork, isNeededToRecord: true)
    case .poolEncoder1: WorkerFacts(name: "encoder 1", niceness: 2, ending: .finishesWork, isNeededToRecord: true)
    case .poolEncoder2: WorkerFacts(name: "encoder 2", niceness: 2, ending: .finishesWork, isNeededToRecord: true)
    case .poolEncoder3: WorkerFacts(name: "encoder 3", niceness: 2, ending: .finishesWork, isNeededToRecord: true)
    case .poolEncoder4: WorkerFacts(name: "encoder 4", niceness: 2, ending: .finishesWork, isNeededToRecord: true)
    // A still is made of a picture that is kept: it may come late.
    case .still: WorkerFacts(name: "still", niceness: 10, ending: .finishesWork)
    // What is recorded and does not reach the card is lost. It needs little of the processor, but at once.
    // The loop finds what it has done at its next look, 100 ms later at most.
    case .storage:
      WorkerFacts(name: "storage", niceness: 0, ending: .finishesWork, isNeededToRecord: true, wakesLoop: false)
    // 0.4 s are decoded ahead; a gap in what is played is better than one in a take.
    case .decoder: WorkerFacts(name: "decoder", niceness: 4, ending: .stops)
    // Nobody loses anything by waiting for these.
    case .library: WorkerFacts(name: "library", niceness: 15, ending: .stops)
    case .view: WorkerFacts(name: "view", niceness: 15, ending: .stops)
    case .preview: WorkerFacts(name: "preview", niceness: 15, ending: .stops)
    case .tuner: WorkerFacts(name: "tuner", niceness: 15, ending: .stops)
    // It has all day, and the others want the card.
    case .keeper: WorkerFacts(name: "keeper", niceness: 19, ending: .stops)
    // They wait for drivers most of the time, and a take for them.
    case .microphone: WorkerFacts(name: "microphone", niceness: 0, ending: .mayHang)
    case .camera: WorkerFacts(name: "camera", niceness: 0, ending: .mayHang)
    case .device: WorkerFacts(name: "device", niceness: 0, ending: .mayHang, wakesLoop: false)
    }
  }

  static func poolEncoder(_ index: Int) -> WorkerKind { WorkerKind(rawValue: poolEncoder1.rawValue + index)! }
}

/// What is known of a worker without asking it.
struct WorkerFacts {
  enum Ending {
    /// The program waits for what is still to be on the disk.
    case finishesWork
    case stops
    /// It may be in a call of a driver that never returns: it then ends with the process.
    case mayHang
  }

  /// Its thread's name, as `ps -L` shows it.
  let name: StaticString
  /// How far its thread, and a process that it starts, steps back, as `nice` counts. Each unit is a fifth less of a
  /// processor that several want. The loop has real-time priority and goes before all.
  let niceness: Int32
  let ending: Ending
  /// Whether no take can be recorded while it hangs.
  var isNeededToRecord = false
  /// Whether the loop is woken by what it has done, instead of finding it at its next wake.
  var wakesLoop = true
}

/// Some of the workers.
struct WorkerSet {
  private(set) var bits = UInt32(1) << UInt32(WorkerKind.count) - 1

  static var all: WorkerSet { WorkerSet() }

  mutating func insert(_ worker: WorkerKind) { bits |= 1 << UInt32(worker.rawValue) }

  mutating func remove(_ worker: WorkerKind) { bits &= ~(1 << UInt32(worker.rawValue)) }

  /// Removes and returns the first in their order.
  mutating func next() -> WorkerKind? {
    guard let first = WorkerKind(rawValue: bits.trailingZeroBitCount) else { return nil }
    bits &= bits - 1
    return first
  }
}

/// A value for each worker.
typealias PerWorker<Value: ~Copyable> = InlineArray<16, Value>

/// How each worker is woken.
package struct Doorbells: Sendable {
  private var bells = PerWorker<Doorbell>(repeating: .silent)

  /// Without threads: on a virtual clock the caller steps the workers.
  package init() { precondition(bells.count == WorkerKind.count, "a worker has no doorbell") }

  /// Those of the encoders that make JPEGs.
  var pool: PoolDoorbells {
    var pool = PoolDoorbells()
    pool.worker = self[.encoder]
    for index in pool.encoders.indices { pool.encoders[index] = self[.poolEncoder(index)] }
    return pool
  }

  /// A worker's own.
  subscript(worker: WorkerKind) -> Doorbell {
    get { bells[worker.rawValue] }
    set { bells[worker.rawValue] = newValue }
  }
}

/// A worker beside the loop. It does its work in steps: on its own thread, or in turn with the others on a virtual
/// clock.
protocol SteppedWorker: ~Copyable {
  /// The longest time that its thread sleeps without being woken.
  var patienceNanoseconds: UInt64 { get }

  /// Whether others still hold its work: the program then waits at exit although ``step(at:)`` finds none.
  var isAwaitingOthers: Bool { get }

  /// Allocates what the worker needs, on its own thread: its last use of the heap.
  mutating func prepareThread()

  /// Does the next bounded piece of work.
  /// - Parameter now: monotonic time.
  /// - Returns: false when there was none.
  mutating func step(at now: Instant) -> Bool

  /// Whether the loop is to be woken for what was done since this was asked last.
  mutating func takeNews() -> Bool
}

/// A worker that is woken whenever it has something to do, and never looks by itself.
extension SteppedWorker where Self: ~Copyable {
  var patienceNanoseconds: UInt64 { .max }
  var isAwaitingOthers: Bool { false }
  mutating func prepareThread() {}
  mutating func takeNews() -> Bool { true }
}

/// A worker that need not know the time.
protocol TimelessWorker: SteppedWorker, ~Copyable {
  mutating func step() -> Bool
}

extension TimelessWorker where Self: ~Copyable {
  mutating func step(at now: Instant) -> Bool { step() }
}

extension PictureWorker: TimelessWorker {
  /// What an encoder of the machine has done is found by looking.
  var patienceNanoseconds: UInt64 { isAwaitingPictures ? 100_000_000 : .max }
  var isAwaitingOthers: Bool { isAwaitingEncoders }
}

extension PoolEncoder: TimelessWorker {
  /// While it waits for space it looks again.
  var patienceNanoseconds: UInt64 { hasPicture ? 100_000_000 : .max }
}

extension StillWorker: TimelessWorker {}

extension StorageWorker: TimelessWorker {}

extension DecoderWorker: SteppedWorker {
  var patienceNanoseconds: UInt64 { isBusy ? Limits.exchangeMilliseconds * 1_000_000 : Limits.idleNanoseconds }
}

extension LibraryWorker: TimelessWorker {
  var patienceNanoseconds: UInt64 { isAnswering ? Limits.libraryMilliseconds * 1_000_000 : Limits.idleNanoseconds }
}

extension PreviewWorker: TimelessWorker {}

extension TunerWorker: TimelessWorker {}

extension LentDevice: SteppedWorker, TimelessWorker where Device: ~Copyable {}

/// A worker in boot memory of its own, so that it can belong to a thread alone.
@safe struct PlacedWorker<Worker: SteppedWorker & ~Copyable>: BitwiseCopyable {
  // Sound: boot memory outlives every thread; only who steps the worker uses it.
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

/// What is done to a worker of any type.
protocol WorkerVisitor: ~Copyable {
  mutating func visit<Worker: SteppedWorker & ~Copyable>(_ placed: PlacedWorker<Worker>) -> Bool
}

/// The workers beside the loop. Nothing ends them by itself: a thread may use one until the process ends.
package struct Workers: ~Copyable {
  let encoder: PlacedWorker<PictureWorker>
  /// Those that exist come first.
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

  /// Lets a visitor see a worker.
  /// - Returns: the visitor's answer; false when there is no such worker.
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

  private func visit(
    _ encoder: PlacedWorker<PoolEncoder>?, _ visitor: inout some WorkerVisitor & ~Copyable
  ) -> Bool {
    if let encoder { visitor.visit(encoder) } else { false }
  }
}

extension Limits {
  /// A worker that has to find out by itself that a process has ended, or that it is time for another pass, looks at
  /// this interval: nobody waits for either.
  static var idleNanoseconds: UInt64 { 5_000_000_000 }

  /// While answering, the library checks at this interval whether the loop has taken some of the answer: a tick.
  package static var libraryMilliseconds: UInt64 { 5 }
}
