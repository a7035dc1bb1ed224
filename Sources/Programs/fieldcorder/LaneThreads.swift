import Port
import Encode
import Imaging
import Posix
import Rings

/// A thread for each lane of the encoder, where it has lanes.
struct LaneThreads: ~Copyable {
  private var threads: InlineArray<4, WorkerThread?>
  private var controls = InlineArray<4, WorkerControl?>(repeating: nil)

  /// Starts them, and gives lanes and worker the doorbells by which they wake each other.
  /// - Parameters:
  ///   - lanes: taken out.
  ///   - worker: the one that hands pictures to them; its thread has not been started.
  ///   - memory: gives each a context and a control.
  /// - Throws: when the system gives no more threads.
  init<Encoder: VideoEncoder & ~Copyable>(
    _ lanes: inout InlineArray<4, PoolEncoder?>, servedBy workerControl: WorkerControl,
    _ worker: inout PictureWorker<Encoder>, in memory: inout BootMemory
  ) throws(DeviceFailure) {
    var threads = InlineArray<4, WorkerThread?> { _ in nil }
    for index in lanes.indices {
      guard var lane = lanes[index].take() else { break }
      let control = try WorkerControl(in: &memory)
      lane.connect(worker: workerControl.doorbell)
      worker.connect(encoder: control.doorbell, at: index)
      guard let context = unsafe memory.place(WorkerContext(lane, control: control)) else {
        preconditionFailure("boot memory is used up")
      }
      // Sound: the context lies in boot memory, and from here on belongs to its thread alone.
      threads[index] = try unsafe WorkerThread(name: Self.name(of: index), context: context, body: laneLife)
      controls[index] = control
    }
    self.threads = threads
  }

  /// Returns once every lane's thread has taken all that it will ever take from the heap.
  func waitUntilPrepared() {
    for index in controls.indices { controls[index]?.waitUntilPrepared() }
  }

  /// There may be work for a lane.
  func wake(_ index: Int) { controls[index]?.wake() }

  /// Ends them: what they were handed is done with, for their worker has ended before.
  consuming func end() {
    for index in controls.indices {
      controls[index]?.stop()
      threads[index].take()?.join()
    }
  }

  private static func name(of index: Int) -> StaticString {
    switch index {
    case 0: "encoder 1"
    case 1: "encoder 2"
    case 2: "encoder 3"
    default: "encoder 4"
    }
  }
}

private let laneLife: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
  unsafe context!.assumingMemoryBound(to: WorkerContext<PoolEncoder>.self).pointee.run()
  return nil
}
