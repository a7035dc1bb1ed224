import Base
import Foundation
import Media
import Record
import Synchronization
import TestSupport

/// A worker and its pool on their own threads, which sleep until their doorbell rings; camera and reader run on the
/// caller's thread.
enum ThreadedPool {
  struct Outcome {
    var sequences: [UInt32] = []
    var pictures: [[UInt8]] = []
    var freeBuffers: [Int] = []
    var lostPictureCount: UInt64 = 0
  }

  /// A worker's bell, and one for each encoder.
  struct Bells {
    fileprivate let worker = Bell()
    fileprivate let encoders: [Bell]

    init(encoderCount: Int) { encoders = (0..<encoderCount).map { _ in Bell() } }

    var doorbells: PoolDoorbells {
      var doorbells = PoolDoorbells()
      doorbells.worker = worker.doorbell
      for (index, bell) in encoders.enumerated() { doorbells.encoders[index] = bell.doorbell }
      return doorbells
    }
  }

  /// Returns once all pictures have come out of the ring or are counted as lost.
  static func run(
    _ rig: consuming PoolRig, _ bells: Bells, pictureCount: UInt32, bytes: (UInt32) -> [UInt8]
  ) -> Outcome {
    var camera = rig.camera
    var reader = rig.reader
    let counters = rig.counters
    var encoders = rig.encoders
    let worker = rig.worker
    var stops: [() -> Void] = []
    for (index, bell) in bells.encoders.enumerated() {
      let encoder = encoders[index].take()!
      stops.append(start(encoder, bell, prepare: { $0.prepareThread() }, step: { $0.step() }))
    }
    let stopWorker = start(worker, bells.worker, prepare: { $0.prepareThread() }, step: { $0.step() })
    var outcome = Outcome()
    while counters.settledPictureCount < pictureCount || reader.first < reader.end {
      if camera.pictureCount < pictureCount, camera.deliver(bytes) { bells.worker.doorbell.ring() }
      read(&reader, into: &outcome)
      yieldThread()
    }
    // The last buffer comes back after its picture.
    while camera.freeBuffers.count < PoolRig.bufferCount {
      camera.takeBack()
      yieldThread()
    }
    for stop in stops { stop() }
    stopWorker()
    outcome.freeBuffers = camera.freeBuffers
    outcome.lostPictureCount = counters.settledPictureCount - counters.deliveredPictureCount
    return outcome
  }

  private static func read(_ reader: inout PacketRingConsumer<PictureHeader>, into outcome: inout Outcome) {
    let packet = reader.first
    guard packet < reader.end else { return }
    outcome.sequences.append(reader.header(at: packet).cameraSequence)
    outcome.pictures.append(unsafe reader.bytes(at: packet).withUnsafeBytes { unsafe Array($0) })
    reader.release(before: packet + 1)
  }

  /// - Returns: a closure that ends the thread, and returns once it has ended.
  private static func start<Value: ~Copyable>(
    _ value: consuming Value, _ bell: Bell, prepare: @escaping (inout Value) -> Void,
    step: @escaping (inout Value) -> Bool
  ) -> () -> Void {
    let done = startThread(with: value) { value in
      prepare(&value)
      while !bell.isStopping.load(ordering: .acquiring) {
        if !step(&value) { bell.wait() }
      }
    }
    return {
      bell.isStopping.store(true, ordering: .releasing)
      bell.doorbell.ring()
      done.wait()
    }
  }
}

/// Wakes one thread of a test; never freed.
private final class Bell: Sendable {
  let isStopping = Atomic(false)
  private let semaphore = DispatchSemaphore(value: 0)

  func wait() { semaphore.wait() }

  var doorbell: Doorbell {
    // Safe: retained forever, so that the pointer stays valid.
    unsafe Doorbell(context: Unmanaged.passRetained(self).toOpaque()) { bell in
      unsafe Unmanaged<Bell>.fromOpaque(bell!).takeUnretainedValue().semaphore.signal()
    }
  }
}
