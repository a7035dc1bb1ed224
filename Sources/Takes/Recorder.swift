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

  /// Whether the storage worker can be given all that one press may ask of it: to arm, and to begin or end a take. It
  /// cannot when the card has kept it busy for dozens of presses.
  public var hasRoomForOrders: Bool { orders.freeCount >= 2 }

  /// Passes an order to the storage worker; there is room while ``hasRoomForOrders``.
  public mutating func send(_ order: TakeOrder) {
    let isSent = orders.push(order)
    precondition(isSent, "the storage worker takes no orders")
  }

  /// The next thing that the storage worker has to say.
  public mutating func nextReport() -> TakeReport? { reports.pop() }
}
