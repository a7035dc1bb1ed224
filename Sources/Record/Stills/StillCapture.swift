import Base

/// Passes the pictures of ordered stills to the still worker, one at a time, so that it never takes more than one
/// buffer from the camera.
package struct StillCapture: ~Copyable {
  private enum Phase {
    case idle
    /// The next picture becomes the still.
    case ordered(StillOrder)
    /// The worker holds a buffer.
    case working
    /// The worker holds a buffer; the first picture after its return becomes the next still.
    case workingBefore(StillOrder)
  }

  private var phase = Phase.idle
  private var pictures: QueueProducer<StillPicture>
  private var receipts: QueueConsumer<StillReceipt>
  private var failure: StillReceipt?

  /// - Parameters:
  ///   - pictures: to the still worker.
  ///   - receipts: from it.
  package init(pictures: consuming QueueProducer<StillPicture>, receipts: consuming QueueConsumer<StillReceipt>) {
    self.pictures = pictures
    self.receipts = receipts
  }

  /// Whether another still can be ordered.
  package var takesOrders: Bool {
    switch phase {
    case .idle, .working: true
    case .ordered, .workingBefore: false
    }
  }

  /// Whether a still is ordered, or its picture is in the worker's hands.
  package var isBusy: Bool { if case .idle = phase { false } else { true } }

  /// The number of the order that is still waiting for a picture; nil if there is none.
  package var awaitedNumber: UInt32? {
    switch phase {
    case .ordered(let order), .workingBefore(let order): order.number
    case .idle, .working: nil
    }
  }

  /// Orders a still of the next picture. Only while ``takesOrders`` is true.
  package mutating func order(_ order: StillOrder) {
    switch phase {
    case .idle: phase = .ordered(order)
    case .working: phase = .workingBefore(order)
    case .ordered, .workingBefore: preconditionFailure("a still was ordered before the last one had its picture")
    }
  }

  /// Cancels the order that is waiting for a picture.
  package mutating func withdraw() {
    switch phase {
    case .ordered: phase = .idle
    case .workingBefore: phase = .working
    case .idle, .working: break
    }
  }

  /// A still that failed before it reached the card; returned once, nil if there is none.
  package mutating func nextFailure() -> StillReceipt? { failure.take() }

  /// Offers a picture that goes to the encoder.
  /// - Returns: whether it was also given to the still worker.
  package mutating func take(_ picture: RawPicture) -> Bool {
    guard case .ordered(let order) = phase else { return false }
    let isPassed = pictures.push(StillPicture(picture: picture, order: order))
    precondition(isPassed, "the queue to the still worker holds the one still that is being made")
    phase = .working
    return true
  }

  /// The buffer returned by the still worker; nil if there is none.
  package mutating func takeEmptied() -> UInt16? {
    guard let receipt = receipts.pop() else { return nil }
    if case .workingBefore(let order) = phase { phase = .ordered(order) } else { phase = .idle }
    if receipt.outcome != .coded { failure = receipt }
    return receipt.bufferIndex
  }
}
