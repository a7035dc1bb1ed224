import Port
import Posix
import Rings
import Synchronization

/// What the loop's thread has of a worker's: a bell, and the word that it may end.
@safe struct WorkerControl: BitwiseCopyable {
  private struct Shared: ~Copyable {
    let bell: WorkSignal
    let prepared: WorkSignal
    let isStopping = Atomic<Bool>(false)
  }

  // Sound: lies in boot memory, which outlives every thread; the bell and the flag may be used by any thread.
  private let shared: UnsafeMutablePointer<Shared>

  static var byteCount: Int { BootMemory.footprint(byteCount: MemoryLayout<Shared>.stride) }

  init(in memory: inout BootMemory) throws(DeviceFailure) {
    let bell = try WorkSignal()
    let prepared = try WorkSignal()
    guard let place = unsafe memory.place(Shared(bell: bell, prepared: prepared)) else {
      preconditionFailure("boot memory is used up")
    }
    unsafe shared = place
  }

  /// There may be work.
  func wake() { unsafe shared.pointee.bell.post() }

  /// ``wake()`` for whoever does not know of threads.
  var doorbell: Doorbell {
    // Sound: the pointer that the function is called with is the one that is given here.
    unsafe Doorbell(context: shared) { context in
      unsafe context!.assumingMemoryBound(to: Shared.self).pointee.bell.post()
    }
  }

  /// The thread is to end when all work is done.
  func stop() {
    unsafe shared.pointee.isStopping.store(true, ordering: .releasing)
    wake()
  }

  var isStopping: Bool { unsafe shared.pointee.isStopping.load(ordering: .acquiring) }

  /// Returns once the worker's thread has taken all that it will ever take from the heap.
  func waitUntilPrepared() {
    while unsafe !shared.pointee.prepared.wait(timeoutNanoseconds: 1_000_000_000) {}
  }

  /// The worker's: the thread is ready to work.
  func tellPrepared() { unsafe shared.pointee.prepared.post() }

  /// The worker's: sleeps until woken, or for so long.
  func rest(patienceNanoseconds: UInt64) {
    unsafe shared.pointee.bell.wait(timeoutNanoseconds: patienceNanoseconds)
  }
}
