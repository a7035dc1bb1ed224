import Base

/// The recorder as the loop drives it: its state, and the queues to and from the storage worker.
package struct Recorder: ~Copyable {
  /// The current state.
  package private(set) var state = RecorderState.idle
  /// The ``TakeStart/number`` of the newest take; 0 before the first. A take may start before the last is complete.
  package private(set) var newestTake: UInt32 = 0
  private var orders: QueueProducer<TakeOrder>
  private var reports: QueueConsumer<TakeReport>
  private let staysArmed: Bool

  /// - Parameter staysArmed: whether the devices go on running after a take.
  package init(
    orders: consuming QueueProducer<TakeOrder>, reports: consuming QueueConsumer<TakeReport>, staysArmed: Bool
  ) {
    self.orders = orders
    self.reports = reports
    self.staysArmed = staysArmed
  }

  /// Makes the transition for `event`.
  /// - Parameter take: the take that it is about; nil where it is about none. Only the newest take changes the state.
  /// - Returns: what the caller has to do.
  package mutating func handle(_ event: RecorderEvent, ofTake take: UInt32? = nil) -> RecorderAction {
    if let take, take != newestTake { return .nothing }
    let transition = state.transition(on: event, staysArmed: staysArmed)
    state = transition.state
    if transition.action == .beginTake { newestTake += 1 }
    return transition.action
  }

  /// Whether the queue has space for the orders of one press. It has none after many presses during a long stall.
  package var takesOrders: Bool { orders.freeCount >= Self.ordersPerPress }

  /// How full the queue to the storage worker is.
  package var orderLevel: RingLevel { orders.level }

  /// How full the queue from it is.
  package var reportLevel: RingLevel { reports.level }

  /// Passes an order to the storage worker. Only while ``takesOrders``.
  package mutating func send(_ order: TakeOrder) {
    let isSent = orders.push(order)
    precondition(isSent, "an order was sent without asking whether the storage worker takes any")
  }

  /// A press can arm, start or end, and disarm.
  private static var ordersPerPress: Int { 3 }

  /// The next report of the storage worker.
  package mutating func nextReport() -> TakeReport? { reports.pop() }
}
