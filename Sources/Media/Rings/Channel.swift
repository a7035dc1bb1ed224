/// The way to a worker and back: requests that wake it, and what it answers.
///
/// Frozen, so that another module may take its four ends apart and give each to its thread.
@frozen public struct Channel<Request: BitwiseCopyable, Answer: BitwiseCopyable>: ~Copyable {
  /// To the worker.
  public var requests: Queue<Request>
  /// From the worker. Whoever asked looks for answers when it has time for them.
  public var answers: Queue<Answer>

  /// - Parameters:
  ///   - requestCapacity: how many requests fit, at least 1.
  ///   - answerCapacity: how many answers fit, at least 1.
  ///   - worker: the worker's doorbell.
  /// - Returns: nil when `memory` is used up.
  public init?(
    requestCapacity: Int, answerCapacity: Int, waking worker: Doorbell = .silent, in memory: inout BootMemory
  ) {
    guard let requests = Queue<Request>(capacity: requestCapacity, waking: worker, in: &memory),
      let answers = Queue<Answer>(capacity: answerCapacity, in: &memory)
    else { return nil }
    self.requests = requests
    self.answers = answers
  }
}
