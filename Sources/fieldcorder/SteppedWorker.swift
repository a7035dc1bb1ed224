import Imaging
import Posix
import Takes

/// What has a thread of its own beside the loop, and does its work step by step.
protocol SteppedWorker: ~Copyable {
  /// Takes what the thread that works needs once, the last that it takes from the heap.
  mutating func prepareThread()

  /// Does the next bounded piece of work.
  /// - Returns: false when there was none.
  mutating func step() -> Bool
}

extension EncoderWorker: SteppedWorker {}
extension StorageWorker: SteppedWorker where Store: ~Copyable {
  func prepareThread() {}
}
