import Port
import Rings
import Text

/// From the storage worker to the loop: what happened to a still.
public struct StillReport: BitwiseCopyable, Sendable {
  /// What happened to the still.
  public enum Outcome: BitwiseCopyable, Sendable {
    /// It is on the card, and would survive a power cut.
    case saved(StillSummary)
    /// It is not on the card, or might not survive a power cut.
    case failed(DeviceFailure)
  }

  /// The order's ``StillOrder/number``.
  public var number: UInt32
  /// What happened to the still.
  public var outcome: Outcome

  package init(number: UInt32, outcome: Outcome) {
    self.number = number
    self.outcome = outcome
  }
}

/// A still on the card.
public struct StillSummary: BitwiseCopyable, Sendable {
  /// Relative to the data folder.
  public var path: FixedText<128>
  /// Columns of the upright picture.
  public var widthPixels: Int
  /// Rows of the upright picture.
  public var heightPixels: Int
  /// Size of the file in bytes.
  public var byteCount: Int

  /// As text: `still photo/20261121/101500-0007.jpg, 640 x 480, 81234 bytes`.
  public var line: FixedText<256> { "still \(path), \(widthPixels) x \(heightPixels), \(size: UInt64(byteCount))" }

  package init(path: FixedText<128>, widthPixels: Int, heightPixels: Int, byteCount: Int) {
    self.path = path
    self.widthPixels = widthPixels
    self.heightPixels = heightPixels
    self.byteCount = byteCount
  }
}

/// The storage worker's ends of the queues for stills.
public struct StillIntake: ~Copyable {
  package var stills: PacketRingConsumer<StillHeader>
  package var reports: QueueProducer<StillReport>

  /// - Parameters:
  ///   - stills: from the still worker.
  ///   - reports: to the loop.
  public init(stills: consuming PacketRingConsumer<StillHeader>, reports: consuming QueueProducer<StillReport>) {
    self.stills = stills
    self.reports = reports
  }
}
