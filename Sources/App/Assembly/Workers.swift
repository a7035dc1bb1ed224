import Base
import Catalog
import Kit
import Machine
import Media
import Playback
import Record

/// The workers, in the order in which they end: producers before those that still store their output.
package enum WorkerKind: Int, Sendable {
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
  package static var count: Int { device.rawValue + 1 }

  /// The names of the threads, as `ps -L` shows them.
  package var name: StaticString {
    switch self {
    case .encoder: "encoder"
    case .poolEncoder1: "encoder 1"
    case .poolEncoder2: "encoder 2"
    case .poolEncoder3: "encoder 3"
    case .poolEncoder4: "encoder 4"
    case .still: "still"
    case .storage: "storage"
    case .decoder: "decoder"
    case .library: "library"
    case .keeper: "keeper"
    case .view: "view"
    case .preview: "preview"
    case .tuner: "tuner"
    case .microphone: "microphone"
    case .camera: "camera"
    case .device: "device"
    }
  }

  /// Whether no take can be recorded while it hangs.
  package var isNeededToRecord: Bool {
    switch self {
    case .encoder, .poolEncoder1, .poolEncoder2, .poolEncoder3, .poolEncoder4, .storage: true
    case .still, .decoder, .library, .keeper, .view, .preview, .tuner, .microphone, .camera, .device:
      false
    }
  }

  /// How far its thread, and a process that it starts, steps back, as `nice` counts. Each unit is a fifth less of a
  /// processor that several want. The loop has real-time priority and goes before all.
  package var niceness: Int32 {
    switch self {
    // What is recorded and does not reach the card is lost. It needs little of the processor, but at once.
    case .storage: 0
    // They wait for drivers most of the time, and a take for them.
    case .microphone, .camera, .device: 0
    // Pictures wait in the camera's six buffers, a fifth of a second at 30 a second.
    case .encoder, .poolEncoder1, .poolEncoder2, .poolEncoder3, .poolEncoder4: 2
    // 0.4 s are decoded ahead; a gap in what is played is better than one in a take.
    case .decoder: 4
    // A still is made of a picture that is kept: it may come late.
    case .still: 10
    // Nobody loses anything.
    case .library, .view, .preview, .tuner: 15
    // It has all day, and the others want the card.
    case .keeper: 19
    }
  }

  /// - Parameter index: in ``Workers/encoders``.
  package static func poolEncoder(_ index: Int) -> WorkerKind {
    switch index {
    case 0: .poolEncoder1
    case 1: .poolEncoder2
    case 2: .poolEncoder3
    default: .poolEncoder4
    }
  }
}

/// How each worker is woken.
package struct Doorbells: Sendable {
  private var bells = InlineArray<16, Doorbell>(repeating: .silent)

  /// Without threads: on a virtual clock the caller steps the workers.
  package init() {
    precondition(bells.count == WorkerKind.count, "a worker has no doorbell")
  }

  /// Those of the encoders that make JPEGs.
  var pool: PoolDoorbells {
    var pool = PoolDoorbells()
    pool.worker = self[.encoder]
    for index in pool.encoders.indices { pool.encoders[index] = self[.poolEncoder(index)] }
    return pool
  }

  /// A worker's own.
  package subscript(worker: WorkerKind) -> Doorbell {
    get { bells[worker.rawValue] }
    set { bells[worker.rawValue] = newValue }
  }
}

/// The workers beside the loop. Each does its work in steps: the firmware gives each a thread; a simulation calls
/// ``step(_:at:)`` in any order.
///
/// Frozen, so that the executable may take it apart and give each worker its thread.
@frozen package struct Workers: ~Copyable {
  /// ``WorkerKind/encoder``.
  package var encoder: PictureWorker
  /// ``WorkerKind/poolEncoder1`` and the others; those that exist come first.
  package var encoders: InlineArray<4, PoolEncoder?>
  /// ``WorkerKind/still``.
  package var still: StillWorker
  /// ``WorkerKind/storage``.
  package var storage: StorageWorker
  /// ``WorkerKind/decoder``.
  package var decoder: DecoderWorker
  /// ``WorkerKind/library``.
  package var library: LibraryWorker
  /// ``WorkerKind/keeper``.
  package var keeper: HousekeepingWorker
  /// ``WorkerKind/view``.
  package var view: ViewWorker
  /// ``WorkerKind/preview``.
  package var preview: PreviewWorker
  /// ``WorkerKind/tuner``.
  package var tuner: TunerWorker
  /// ``WorkerKind/microphone``.
  package var microphone: LentDevice<Microphone>
  /// ``WorkerKind/camera``.
  package var camera: CameraWorker
  /// ``WorkerKind/device``.
  package var device: DeviceWorker

  /// Lets one worker do its next bounded piece of work.
  /// - Parameter now: monotonic time.
  /// - Returns: false when there was none, or no such worker.
  package mutating func step(_ worker: WorkerKind, at now: Instant) -> Bool {
    switch worker {
    case .encoder: return encoder.step()
    case .poolEncoder1: return encoders[0]?.step() ?? false
    case .poolEncoder2: return encoders[1]?.step() ?? false
    case .poolEncoder3: return encoders[2]?.step() ?? false
    case .poolEncoder4: return encoders[3]?.step() ?? false
    case .still: return still.step()
    case .storage: return storage.step()
    case .decoder: return decoder.step(at: now)
    case .library: return library.step()
    case .keeper: return keeper.step(at: now)
    case .view:
      view.step(at: now)
      return false
    case .preview: return preview.step()
    case .tuner: return tuner.step()
    case .microphone: return microphone.step()
    case .camera: return camera.step()
    case .device: return device.step()
    }
  }

  /// Lets all workers allocate what they need from the heap, if they share the caller's thread.
  package mutating func prepareThread() {
    encoder.prepareThread()
    for index in encoders.indices where encoders[index] != nil { encoders[index]!.prepareThread() }
    still.prepareThread()
    preview.prepareThread()
  }
}
