/// A pair of queues between a client and a worker: requests, which wake the worker, and its answers.
///
/// Frozen, so that another module can take the two ends apart and give each to its thread.
@frozen package struct Channel<Request: BitwiseCopyable, Answer: BitwiseCopyable>: ~Copyable {
  /// For the thread that sends requests. It polls for answers.
  package var client: ClientEnd<Request, Answer>
  package var worker: WorkerEnd<Request, Answer>

  /// - Parameters:
  ///   - requestCapacity: how many requests fit, at least 1.
  ///   - answerCapacity: how many answers fit, at least 1.
  ///   - doorbell: wakes the worker.
  /// - Returns: nil if `memory` is used up.
  package init?(
    requestCapacity: Int, answerCapacity: Int, waking doorbell: Doorbell = .silent, in memory: inout BootMemory
  ) {
    guard let requests = Queue<Request>(capacity: requestCapacity, waking: doorbell, in: &memory),
      let answers = Queue<Answer>(capacity: answerCapacity, in: &memory)
    else { return nil }
    client = ClientEnd(requests: requests.producer, answers: answers.consumer)
    worker = WorkerEnd(requests: requests.consumer, answers: answers.producer)
  }
}

/// The requesting end of a ``Channel``.
@frozen package struct ClientEnd<Request: BitwiseCopyable, Answer: BitwiseCopyable>: ~Copyable {
  package var requests: QueueProducer<Request>
  package var answers: QueueConsumer<Answer>
}

/// The answering end of a ``Channel``.
@frozen package struct WorkerEnd<Request: BitwiseCopyable, Answer: BitwiseCopyable>: ~Copyable {
  /// Requests from the client.
  package var requests: QueueConsumer<Request>
  /// Answers to the client.
  package var answers: QueueProducer<Answer>
}

/// The ends of a channel in which each request has a ticket, which its replies repeat.
package typealias JobChannel<Request: BitwiseCopyable, Reply: BitwiseCopyable> =
  Channel<Ticketed<Request>, Ticketed<Reply>>
package typealias JobClientEnd<Request: BitwiseCopyable, Reply: BitwiseCopyable> =
  ClientEnd<Ticketed<Request>, Ticketed<Reply>>
package typealias JobWorkerEnd<Request: BitwiseCopyable, Reply: BitwiseCopyable> =
  WorkerEnd<Ticketed<Request>, Ticketed<Reply>>

/// A request to a worker or a reply from it, with the number that matches the two.
package struct Ticketed<Value: BitwiseCopyable>: BitwiseCopyable {
  package let ticket: UInt32
  package let value: Value

  /// - Parameter ticket: 0 if nobody waits for the reply.
  package init(ticket: UInt32, value: Value) {
    self.ticket = ticket
    self.value = value
  }
}
