import Encode
import Imaging
import Library
import Playback
import Port
import Takes
import Values
import Viewing

/// The order in which the workers do their steps on a virtual clock, drawn from a seed.
public struct StepOrder: Sendable {
  private var generator: SplitMix64

  /// The order that `seed` stands for: the same one each time.
  public init(seed: UInt64) { generator = SplitMix64(seed: seed) }

  /// One of `workers`, each as likely as the others; nil where there are none.
  fileprivate mutating func draw(from workers: WorkerSet) -> Worker? {
    var bits = workers.bits
    guard bits != 0 else { return nil }
    for _ in 0..<generator.next() % UInt64(bits.nonzeroBitCount) { bits &= bits - 1 }
    return Worker(rawValue: bits.trailingZeroBitCount)
  }
}

private enum Worker: Int {
  case encoder, still, storage, decoder, library, view, previewer
  /// The encoders of the pool.
  case pooled0, pooled1, pooled2, pooled3
}

private struct WorkerSet {
  private(set) var bits: UInt16 = 0

  mutating func insert(_ worker: Worker) { bits |= 1 << UInt16(worker.rawValue) }

  mutating func remove(_ worker: Worker) { bits &= ~(1 << UInt16(worker.rawValue)) }
}

extension Appliance where Machine: ~Copyable {
  /// Lets the encoders take what they need of the heap, where all work is done on the caller's thread.
  public mutating func prepareEncoders() {
    encoder.prepareThread()
    for index in lanes.indices where lanes[index] != nil { lanes[index]!.prepareThread() }
  }

  /// Between two ticks of a virtual clock: lets the workers do one step after the other, each drawn anew, until none
  /// has anything to do.
  public mutating func stepWorkers(in order: inout StepOrder) {
    var workers = recordingWorkers
    workers.insert(.decoder)
    workers.insert(.library)
    workers.insert(.view)
    workers.insert(.previewer)
    if loop.machine.isStorageStalled { workers.remove(.storage) }
    step(workers, &order)
  }

  /// After the last tick: lets the workers come to an end.
  public mutating func finishWork(in order: inout StepOrder) { step(recordingWorkers, &order) }

  private var recordingWorkers: WorkerSet {
    var workers = WorkerSet()
    workers.insert(.encoder)
    workers.insert(.still)
    workers.insert(.storage)
    for index in lanes.indices where lanes[index] != nil {
      workers.insert(Worker(rawValue: Worker.pooled0.rawValue + index)!)
    }
    return workers
  }

  /// Bounded, so that a worker that always finds something to do does not stop the clock.
  private mutating func step(_ all: WorkerSet, _ order: inout StepOrder) {
    var workers = all
    var awake = all
    for _ in 0..<1 << 20 {
      guard let worker = order.draw(from: awake) else { return }
      // The live view's looks once a tick, as on a machine: nobody waits for it.
      if worker == .view { workers.remove(.view) }
      // Whatever one worker did may be work for any other.
      if step(worker) { awake = workers } else { awake.remove(worker) }
    }
  }

  private mutating func step(_ worker: Worker) -> Bool {
    let now = loop.machine.clock.monotonicNanoseconds
    switch worker {
    case .encoder: return encoder.step()
    case .still: return still.step()
    case .storage: return storage.step()
    case .decoder: return decoder.step(atNanoseconds: now)
    case .library: return library.step()
    case .previewer: return previewer.step()
    case .view:
      view.step(atNanoseconds: now)
      return false
    case .pooled0, .pooled1, .pooled2, .pooled3:
      return lanes[worker.rawValue - Worker.pooled0.rawValue]!.step()
    }
  }
}
