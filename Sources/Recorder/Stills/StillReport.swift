import Port
import Rings
import Text

/// From the storage worker to the loop: what became of a still.
public struct StillReport: BitwiseCopyable, Sendable {
  /// What became of it.
  public enum Outcome: BitwiseCopyable, Sendable {
    /// It is on the card, and survives a power cut.
    case saved(StillSummary)
    /// It is not, or may not survive one.
    case failed(DeviceFailure)
  }

  /// Of the order.
  public var number: UInt32
  /// What became of it.
  public var outcome: Outcome

  /// An order's number and what became of it.
  public init(number: UInt32, outcome: Outcome) {
    self.number = number
    self.outcome = outcome
  }
}

/// A still on the card.
public struct StillSummary: BitwiseCopyable, Sendable {
  /// Relative to the data folder.
  public var path: FixedText<128>
  /// Columns as it is shown, upright.
  public var widthPixels: Int
  /// Rows as it is shown, upright.
  public var heightPixels: Int
  /// Of the file.
  public var byteCount: Int

  /// The whole for a person: `still photo/20261121/101500-0007.jpg, 640 x 480, 81234 bytes`.
  public var line: FixedText<256> { "still \(path), \(widthPixels) x \(heightPixels), \(byteCount) bytes" }

  /// All of it.
  public init(path: FixedText<128>, widthPixels: Int, heightPixels: Int, byteCount: Int) {
    self.path = path
    self.widthPixels = widthPixels
    self.heightPixels = heightPixels
    self.byteCount = byteCount
  }
}

/// Stills on their way to the card, and the line back.
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
