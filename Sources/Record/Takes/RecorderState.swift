import Base

package enum RecorderState: UInt8, Sendable {
  /// The devices are closed.
  case idle
  /// The devices are being opened.
  case opening
  /// The devices are running and fill the pre-roll: the recorder is armed.
  case preparing
  /// A take is being recorded.
  case recording
  /// The end of the take is known, and its file is being completed. The rings continue to fill.
  case finishing
  /// The take is complete, and its devices are being closed.
  case closing
  /// The devices are closed, and the storage worker is releasing the rings' content.
  case emptying
  /// The last take could not be kept, and the reason was reported. `record` tries again.
  case failed

  /// The name in `status json`.
  package var name: StaticString {
    switch self {
    case .idle, .opening: "idle"
    case .preparing: "armed"
    case .recording: "recording"
    case .finishing, .closing, .emptying: "finishing"
    case .failed: "failed"
    }
  }
}

/// The events that change the state.
package enum RecorderEvent: Sendable {
  /// The devices must be opened, at boot or for the first press.
  case arm
  /// At least one device was opened.
  case devicesOpened
  /// No device could be opened.
  case devicesAbsent
  /// The record button, or a `record start` or `record stop` that changes something.
  case recordPressed
  /// The take's file is complete and flushed.
  case takeFinished
  /// The file could not be created, written or completed.
  case takeFailed
  /// The devices must be reopened: the hardware encoder has failed and JPEG replaces it, or a device that was missing
  /// at boot was found.
  case devicesChanged
  /// The card that had ended a take works again.
  case storageReturned
  case devicesClosed
  case ringsEmptied
}

/// What the caller must do after a transition.
package enum RecorderAction: Sendable {
  case nothing
  /// Open microphone and camera, then report ``RecorderEvent/devicesOpened`` or ``RecorderEvent/devicesAbsent``.
  case openDevices
  /// Order the storage worker to start a take at the press.
  case beginTake
  /// Order the storage worker to end the take at the press.
  case endTake
  /// Close microphone and camera, then report ``RecorderEvent/devicesClosed``.
  case closeDevices
  /// Order the storage worker to release the rings' content.
  case emptyRings
  /// Remember the press, which cannot be served yet. A second press cancels it.
  case keepPress
  /// Serve the remembered press.
  case servePress
}

/// One transition of the state machine.
package struct RecorderTransition: Equatable, Sendable {
  /// The next state.
  package var state: RecorderState
  /// What the caller must do.
  package var action: RecorderAction

  init(_ state: RecorderState, _ action: RecorderAction = .nothing) {
    self.state = state
    self.action = action
  }
}

extension RecorderState {
  /// Every transition.
  ///
  /// - Parameter staysArmed: whether the devices keep running after a take (`[record] arm = boot`).
  package func transition(on event: RecorderEvent, staysArmed: Bool) -> RecorderTransition {
    switch (event, self) {
    case (.arm, .idle), (.arm, .failed): RecorderTransition(.opening, .openDevices)
    case (.devicesOpened, .opening): RecorderTransition(.preparing)
    case (.devicesAbsent, .opening): RecorderTransition(.failed)
    case (.recordPressed, .preparing): RecorderTransition(.recording, .beginTake)
    case (.recordPressed, .recording): RecorderTransition(.finishing, .endTake)
    // A press is never lost: the next take starts while the last file is still being completed,
    case (.recordPressed, .finishing): RecorderTransition(.recording, .beginTake)
    // or as soon as the devices are open.
    case (.recordPressed, .opening), (.recordPressed, .closing), (.recordPressed, .emptying):
      RecorderTransition(self, .keepPress)
    case (.takeFinished, .recording), (.takeFinished, .finishing), (.storageReturned, .failed):
      staysArmed ? RecorderTransition(.preparing) : RecorderTransition(.closing, .closeDevices)
    case (.takeFailed, .recording), (.takeFailed, .finishing): RecorderTransition(.failed)
    case (.devicesChanged, .preparing): RecorderTransition(.closing, .closeDevices)
    case (.devicesClosed, .closing): RecorderTransition(.emptying, .emptyRings)
    case (.ringsEmptied, .emptying): RecorderTransition(.idle, .servePress)
    case (.arm, .opening), (.arm, .preparing), (.arm, .recording), (.arm, .finishing), (.arm, .closing),
      (.arm, .emptying), (.devicesOpened, _), (.devicesAbsent, _), (.recordPressed, .idle), (.recordPressed, .failed),
      (.takeFinished, _), (.takeFailed, _), (.devicesChanged, _), (.storageReturned, _), (.devicesClosed, _),
      (.ringsEmptied, _):
      RecorderTransition(self)
    }
  }
}

/// The recorder as driven by the loop: its state, and the queues to and from the storage worker.
package struct Recorder: ~Copyable {
  /// The current state.
  package private(set) var state = RecorderState.idle
  /// The ``TakeStart/number`` of the newest take; 0 before the first. A take may start before the last is complete.
  package private(set) var newestTake: UInt32 = 0
  private var orders: QueueProducer<TakeOrder>
  private var reports: QueueConsumer<TakeReport>
  private let staysArmed: Bool

  /// - Parameter staysArmed: whether the devices keep running after a take.
  package init(
    orders: consuming QueueProducer<TakeOrder>, reports: consuming QueueConsumer<TakeReport>, staysArmed: Bool
  ) {
    self.orders = orders
    self.reports = reports
    self.staysArmed = staysArmed
  }

  /// Makes the transition for `event`.
  /// - Parameter take: the take concerned; nil if there is none. Only the newest take changes the state.
  /// - Returns: what the caller must do.
  package mutating func handle(_ event: RecorderEvent, ofTake take: UInt32? = nil) -> RecorderAction {
    if let take, take != newestTake { return .nothing }
    let transition = state.transition(on: event, staysArmed: staysArmed)
    state = transition.state
    if transition.action == .beginTake { newestTake += 1 }
    return transition.action
  }

  /// Whether the queue has room for the orders of one press. It has none after many presses during a long stall.
  package var takesOrders: Bool { orders.freeCount >= Self.ordersPerPress }

  /// The fill level of the queue to the storage worker.
  package var orderLevel: RingLevel { orders.level }

  /// The fill level of the queue from the storage worker.
  package var reportLevel: RingLevel { reports.level }

  /// Wakes the storage worker to look for work.
  package func wakeWorker() { orders.doorbell.ring() }

  /// Sends an order to the storage worker. Only while ``takesOrders``.
  package mutating func send(_ order: TakeOrder) {
    let isSent = orders.push(order)
    precondition(isSent, "an order was sent without asking whether the storage worker takes any")
  }

  /// A press can arm, start or end, and disarm.
  private static var ordersPerPress: Int { 3 }

  /// The next report of the storage worker.
  package mutating func nextReport() -> TakeReport? { reports.pop() }
}
