import Base
import Machine
import Media

/// Encodes the camera's pictures: with the machine's encoder, or to JPEG on its processors.
@frozen package enum PictureWorker: ~Copyable {
  /// With the machine's encoder, as long as it works.
  case codec(CodecWorker)
  /// On the machine's processors.
  case jpeg(JPEGWorker)

  /// Call once, before ``step()`` and on the same thread: this may use the heap.
  package mutating func prepareThread() {
    switch consume self {
    case .codec(var worker):
      worker.prepareThread()
      self = .codec(worker)
    case .jpeg(var worker):
      worker.prepareThread()
      self = .jpeg(worker)
    }
  }

  /// Whether the pool has pictures that are still to come: the worker must not end before.
  package var isAwaitingEncoders: Bool {
    switch self {
    case .codec: false
    case .jpeg(let worker): worker.isAwaitingEncoders
    }
  }

  /// Does the next bounded piece of work.
  /// - Returns: false when there was none.
  package mutating func step() -> Bool {
    switch consume self {
    case .codec(var worker):
      if worker.isReplaced {
        self = .jpeg(worker.intoJPEGWorker())
        return true
      }
      let hasWorked = worker.step()
      self = .codec(worker)
      return hasWorked
    case .jpeg(var worker):
      let hasWorked = worker.step()
      self = .jpeg(worker)
      return hasWorked
    }
  }
}
