import Port
import Posix
import Rings

/// A worker on a thread of its own, as the thread that started it sees it.
struct RunningWorker: ~Copyable {
  private let control: WorkerControl
  private var thread: WorkerThread

  /// The life of a thread, as C calls it.
  typealias Body = @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?

  /// What one takes of boot memory.
  static func byteCount<Worker: SteppedWorker & ~Copyable>(_: Worker.Type) -> Int {
    WorkerControl.byteCount + BootMemory.footprint(byteCount: MemoryLayout<WorkerContext<Worker>>.stride)
  }

  /// Starts the thread.
  /// - Parameters:
  ///   - control: nil for one of its own.
  ///   - body: runs a `WorkerContext` of that worker: C calls nothing generic.
  ///   - memory: gives ``byteCount(_:)`` bytes for the life of the process.
  /// - Throws: when the system gives no more threads.
  @unsafe init<Worker: SteppedWorker & ~Copyable>(
    _ worker: consuming Worker, name: StaticString, control: WorkerControl? = nil, body: Body,
    in memory: inout BootMemory
  ) throws(DeviceFailure) {
    let own: WorkerControl
    if let control { own = control } else { own = try WorkerControl(in: &memory) }
    guard let context = unsafe memory.place(WorkerContext(worker, control: own)) else {
      preconditionFailure("boot memory is used up")
    }
    // Sound: the context lies in boot memory, and from here on belongs to its thread alone.
    let started = try unsafe WorkerThread(name: name, context: context, body: body)
    self.control = own
    thread = started
  }

  /// There may be work.
  func wake() { control.wake() }

  /// Returns once the thread has taken all that it will ever take from the heap.
  func waitUntilPrepared() { control.waitUntilPrepared() }

  /// Returns once the work is done that has to be done, and the thread has ended.
  consuming func end() {
    control.stop()
    thread.join()
  }
}
