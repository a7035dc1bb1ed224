import Rings
import Values

/// Passes the picture that a still is ordered of to the still worker, one at a time, so that the camera never lacks more
/// than one buffer for it.
public struct StillCapture: ~Copyable {
  private enum Phase {
    case idle
    /// The next picture is the one.
    case ordered(StillOrder)
    /// The worker looks at a buffer.
    case working
    /// Likewise, and the first picture after that is the next one.
    case workingBefore(StillOrder)
  }

  private var phase = Phase.idle
  private var pictures: QueueProducer<StillPicture>
  private var receipts: QueueConsumer<StillReceipt>
  private var failure: StillReceipt?

  /// - Parameters:
  ///   - pictures: to the still worker.
  ///   - receipts: from it.
  public init(pictures: consuming QueueProducer<StillPicture>, receipts: consuming QueueConsumer<StillReceipt>) {
    self.pictures = pictures
    self.receipts = receipts
  }

  /// Whether another still can be ordered.
  public var takesOrders: Bool {
    switch phase {
    case .idle, .working: true
    case .ordered, .workingBefore: false
    }
  }

  /// The order that no picture has come for.
  public var awaitedNumber: UInt32? {
    switch phase {
    case .ordered(let order), .workingBefore(let order): order.number
    case .idle, .working: nil
    }
  }

  /// Wants a still of the next picture. Only while ``takesOrders``.
  public mutating func order(_ order: StillOrder) {
    switch phase {
    case .idle: phase = .ordered(order)
    case .working: phase = .workingBefore(order)
    case .ordered, .workingBefore: preconditionFailure("a still was ordered before the last one had its picture")
    }
  }

  /// No picture is going to come.
  public mutating func withdraw() {
    switch phase {
    case .ordered: phase = .idle
    case .workingBefore: phase = .working
    case .idle, .working: break
    }
  }

  /// What came of a still of which nothing reaches the card; nil when there is nothing to be told.
  public mutating func nextFailure() -> StillReceipt? { failure.take() }

  /// Shows a picture that the encoder was given.
  /// - Returns: whether the still worker was given it as well.
  package mutating func take(_ picture: RawPicture) -> Bool {
    guard case .ordered(let order) = phase else { return false }
    let isPassed = pictures.push(StillPicture(picture: picture, order: order))
    precondition(isPassed, "the queue to the still worker has room for the one still that is being made")
    phase = .working
    return true
  }

  /// The buffer that the still worker is done with; nil when it still works, or does not.
  package mutating func takeEmptied() -> UInt16? {
    guard let receipt = receipts.pop() else { return nil }
    if case .workingBefore(let order) = phase { phase = .ordered(order) } else { phase = .idle }
    if receipt.outcome != .coded { failure = receipt }
    return receipt.bufferIndex
  }
}
