/// A worker and the line to it, as its thread gets them.
struct WorkerContext<Worker: SteppedWorker & ~Copyable>: ~Copyable {
  private var worker: Worker
  private let control: WorkerControl

  init(_ worker: consuming Worker, control: WorkerControl) {
    self.worker = worker
    self.control = control
  }

  /// The thread's whole life: it ends when it may, and no work is left that has to be done.
  mutating func run() {
    worker.prepareThread()
    control.tellPrepared()
    while true {
      let mayEnd = control.isStopping
      if mayEnd, !Worker.outlastsLoop { return }
      if worker.step() { continue }
      if mayEnd, !worker.isAwaitingOthers { return }
      control.rest(patienceNanoseconds: Worker.patienceNanoseconds)
    }
  }
}
