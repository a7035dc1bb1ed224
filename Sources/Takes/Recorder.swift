import Rings

/// The recorder as the loop drives it: its state, and the line to the storage worker.
public struct Recorder: ~Copyable {
  public private(set) var state = RecorderState.idle
  private var orders: QueueProducer<TakeOrder>
  private var reports: QueueConsumer<TakeReport>
  private let staysArmed: Bool

  /// - Parameter staysArmed: whether the devices go on running after a take.
  public init(
    orders: consuming QueueProducer<TakeOrder>, reports: consuming QueueConsumer<TakeReport>, staysArmed: Bool
  ) {
    self.orders = orders
    self.reports = reports
    self.staysArmed = staysArmed
  }

  /// Makes the transition that `event` asks for.
  /// - Returns: what the caller has to do for it.
  public mutating func handle(_ event: RecorderEvent) -> RecorderAction {
    let transition = state.transition(on: event, staysArmed: staysArmed)
    state = transition.state
    return transition.action
  }

  /// Passes an order to the storage worker.
  public mutating func send(_ order: TakeOrder) {
    // A take costs two orders, and a third waits at most for one take to be written: 16 places are enough for a person.
    let isSent = orders.push(order)
    precondition(isSent, "the storage worker takes no orders")
  }

  /// The next thing that the storage worker has to say.
  public mutating func nextReport() -> TakeReport? { reports.pop() }
}
