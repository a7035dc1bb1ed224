import Rings

/// The recorder as the loop drives it: its state, and the line to the storage worker.
public struct Recorder: ~Copyable {
  /// Where it is.
  public private(set) var state = RecorderState.idle
  /// Takes that were begun and have neither been completed nor failed: a new one may begin before the last is complete.
  public private(set) var unfinishedTakeCount = 0
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

  /// Makes the transition that `event` asks for. What becomes of a take moves the state only if it is the newest: an
  /// earlier one's end is no end of the one that is being recorded.
  /// - Returns: what the caller has to do for it.
  public mutating func handle(_ event: RecorderEvent) -> RecorderAction {
    if event == .takeFinished || event == .takeFailed {
      unfinishedTakeCount -= 1
      guard unfinishedTakeCount == 0 else { return .nothing }
    }
    let transition = state.transition(on: event, staysArmed: staysArmed)
    state = transition.state
    if transition.action == .beginTake { unfinishedTakeCount += 1 }
    return transition.action
  }

  /// Whether the storage worker has room for what a press asks of it. It has none when the card has not answered for a
  /// long time and somebody went on pressing.
  public var takesOrders: Bool { orders.freeCount >= Self.ordersPerPress }

  /// Passes an order to the storage worker. Only while ``takesOrders``.
  public mutating func send(_ order: TakeOrder) {
    let isSent = orders.push(order)
    precondition(isSent, "an order was sent without asking whether the storage worker takes any")
  }

  /// A press may arm, begin or end, and disarm.
  private static var ordersPerPress: Int { 3 }

  /// The next thing that the storage worker has to say.
  public mutating func nextReport() -> TakeReport? { reports.pop() }
}
