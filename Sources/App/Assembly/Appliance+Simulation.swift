import Base
import Machine

/// The order in which the workers run on a virtual clock, drawn from a seed.
package struct StepOrder: Sendable {
  private var generator: SplitMix64

  /// The order for a seed is always the same.
  package init(seed: UInt64) { generator = SplitMix64(seed: seed) }

  /// Draws one of `workers`, all equally likely; nil if there are none.
  fileprivate mutating func draw(from workers: WorkerSet) -> WorkerKind? {
    var rest = workers
    guard rest.bits != 0 else { return nil }
    for _ in 0..<generator.next() % UInt64(rest.bits.nonzeroBitCount) { _ = rest.next() }
    return rest.next()
  }
}

extension Appliance {
  /// Before the first tick: lets all workers allocate what they need from the heap, on the caller's thread.
  @export(interface)
  package mutating func prepareWorkers() {
    var preparer = Preparer()
    var kinds = workers.kinds
    while let kind = kinds.next() { _ = workers.visit(kind, &preparer) }
  }

  /// Between ticks of a virtual clock: runs one step at a time, of a randomly drawn worker, until all are idle.
  @export(interface)
  package mutating func stepWorkers(in order: inout StepOrder) {
    var rest = workers.kinds
    var kinds = rest
    while let kind = rest.next() { if loop.machine.holdsUp(kind) { kinds.remove(kind) } }
    step(kinds, &order)
  }

  /// After the last tick: lets the workers finish.
  @export(interface)
  package mutating func finishWork(in order: inout StepOrder) {
    var rest = workers.kinds
    var kinds = rest
    while let kind = rest.next() { if kind.facts.ending != .finishesWork { kinds.remove(kind) } }
    step(kinds, &order)
  }

  /// At the end: releases the system's resources that the workers hold. The workers can no longer be stepped.
  package mutating func destroyWorkers() {
    var destroyer = Destroyer()
    var kinds = workers.kinds
    while let kind = kinds.next() { _ = workers.visit(kind, &destroyer) }
  }

  /// Bounded, so that a worker that always has work cannot stop the clock.
  private mutating func step(_ all: WorkerSet, _ order: inout StepOrder) {
    var stepper = Stepper(now: loop.machine.clock.now)
    var kinds = all
    var awake = all
    for _ in 0..<1 << 20 {
      guard let kind = order.draw(from: awake) else { return }
      // The live view's worker runs once per tick, as on hardware: nothing waits for it.
      if kind == .view { kinds.remove(.view) }
      // A worker's step may create work for any other.
      guard workers.visit(kind, &stepper) else {
        awake.remove(kind)
        continue
      }
      awake = kinds
      loop.wakeUp()
    }
  }
}

private struct Stepper: WorkerVisitor {
  let now: Instant

  mutating func visit<Worker: SteppedWorker & ~Copyable>(_ placed: PlacedWorker<Worker>) -> Bool {
    placed.worker.step(at: now)
  }
}

private struct Preparer: WorkerVisitor {
  mutating func visit<Worker: SteppedWorker & ~Copyable>(_ placed: PlacedWorker<Worker>) -> Bool {
    placed.worker.prepareThread()
    return true
  }
}

private struct Destroyer: WorkerVisitor {
  mutating func visit<Worker: SteppedWorker & ~Copyable>(_ placed: PlacedWorker<Worker>) -> Bool {
    placed.destroy()
    return true
  }
}
