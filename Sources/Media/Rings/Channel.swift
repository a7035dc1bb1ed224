/// The way to a worker and back: requests that wake it, and what it answers.
///
/// Frozen, so that another module may take its ends apart and give each to its thread.
@frozen public struct Channel<Request: BitwiseCopyable, Answer: BitwiseCopyable>: ~Copyable {
  /// For whoever asks. It looks for answers when it has time for them.
  public var client: ClientEnd<Request, Answer>
  /// For the worker.
  public var worker: WorkerEnd<Request, Answer>

  /// - Parameters:
  ///   - requestCapacity: how many requests fit, at least 1.
  ///   - answerCapacity: how many answers fit, at least 1.
  ///   - doorbell: wakes the worker.
  /// - Returns: nil when `memory` is used up.
  public init?(
    requestCapacity: Int, answerCapacity: Int, waking doorbell: Doorbell = .silent, in memory: inout BootMemory
  ) {
    guard let requests = Queue<Request>(capacity: requestCapacity, waking: doorbell, in: &memory),
      let answers = Queue<Answer>(capacity: answerCapacity, in: &memory)
    else { return nil }
    client = ClientEnd(requests: requests.producer, answers: answers.consumer)
    worker = WorkerEnd(requests: requests.consumer, answers: answers.producer)
  }
}

/// The end of a ``Channel`` that asks.
@frozen public struct ClientEnd<Request: BitwiseCopyable, Answer: BitwiseCopyable>: ~Copyable {
  /// To the worker.
  public var requests: QueueProducer<Request>
  /// From the worker.
  public var answers: QueueConsumer<Answer>
}

/// The end of a ``Channel`` that answers.
@frozen public struct WorkerEnd<Request: BitwiseCopyable, Answer: BitwiseCopyable>: ~Copyable {
  /// From whoever asks.
  public var requests: QueueConsumer<Request>
  /// To whoever asked.
  public var answers: QueueProducer<Answer>
}
