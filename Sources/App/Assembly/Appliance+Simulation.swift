import Base
import Machine

/// The order in which the workers run on a virtual clock, drawn from a seed.
package struct StepOrder: Sendable {
  private var generator: SplitMix64

  /// The order for `seed`: always the same one.
  package init(seed: UInt64) { generator = SplitMix64(seed: seed) }

  /// One of `workers`, each equally likely; nil if there are none.
  fileprivate mutating func draw(from workers: WorkerSet) -> WorkerKind? {
    var bits = workers.bits
    guard bits != 0 else { return nil }
    for _ in 0..<generator.next() % UInt64(bits.nonzeroBitCount) { bits &= bits - 1 }
    return WorkerKind(rawValue: bits.trailingZeroBitCount)
  }
}

private struct WorkerSet {
  private(set) var bits: UInt16 = 0

  mutating func insert(_ worker: WorkerKind) { bits |= 1 << UInt16(worker.rawValue) }

  mutating func remove(_ worker: WorkerKind) { bits &= ~(1 << UInt16(worker.rawValue)) }
}

extension Appliance {
  /// Between two ticks of a virtual clock: runs one step at a time, of a worker drawn at random, until all are idle.
  package mutating func stepWorkers(in order: inout StepOrder) {
    var kinds = recordingWorkers
    kinds.insert(.decoder)
    kinds.insert(.library)
    kinds.insert(.keeper)
    kinds.insert(.view)
    kinds.insert(.preview)
    kinds.insert(.tuner)
    if !loop.machine.isSlow(.microphone) { kinds.insert(.microphone) }
    if !loop.machine.isSlow(.camera) { kinds.insert(.camera) }
    if !loop.machine.isDeviceWorkerSlow { kinds.insert(.device) }
    if loop.machine.isStorageStalled {
      kinds.remove(.storage)
      kinds.remove(.keeper)
    }
    step(kinds, &order)
  }

  /// After the last tick: lets the workers finish.
  package mutating func finishWork(in order: inout StepOrder) { step(recordingWorkers, &order) }

  private var recordingWorkers: WorkerSet {
    var kinds = WorkerSet()
    kinds.insert(.encoder)
    kinds.insert(.still)
    kinds.insert(.storage)
    for index in workers.encoders.indices where workers.encoders[index] != nil { kinds.insert(.poolEncoder(index)) }
    return kinds
  }

  /// Bounded, so that a worker that always has something to do cannot stop the clock.
  private mutating func step(_ all: WorkerSet, _ order: inout StepOrder) {
    let now = loop.machine.clock.now
    var kinds = all
    var awake = all
    for _ in 0..<1 << 20 {
      guard let kind = order.draw(from: awake) else { return }
      // The live view's worker runs once a tick, as on hardware: nothing waits for it.
      if kind == .view { kinds.remove(.view) }
      // What one worker did may be work for any other.
      if workers.step(kind, at: now) { awake = kinds } else { awake.remove(kind) }
    }
  }
}
