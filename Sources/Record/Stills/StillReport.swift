import Base
import Machine

/// From the storage worker to the loop: what happened to a still.
package struct StillReport: BitwiseCopyable, Sendable {
  /// What happened to the still.
  package enum Outcome: BitwiseCopyable, Sendable {
    /// It is on the card, and would survive a power cut.
    case saved(StillSummary)
    /// It is not on the card, or might not survive a power cut.
    case failed(DeviceFailure)
  }

  /// The order's ``StillOrder/number``.
  package var number: UInt32
  /// What happened to the still.
  package var outcome: Outcome

  package init(number: UInt32, outcome: Outcome) {
    self.number = number
    self.outcome = outcome
  }
}

/// A still on the card.
package struct StillSummary: BitwiseCopyable, Sendable {
  /// Relative to the data folder.
  package var path: FixedText<128>
  /// Columns of the upright picture.
  package var widthPixels: Int
  /// Rows of the upright picture.
  package var heightPixels: Int
  /// Size of the file in bytes.
  package var byteCount: Int

  /// As text: `still photo/20261121/101500-0007.jpg, 640 x 480, 81234 bytes`.
  package var line: FixedText<256> { "still \(path), \(widthPixels) x \(heightPixels), \(size: UInt64(byteCount))" }

  package init(path: FixedText<128>, widthPixels: Int, heightPixels: Int, byteCount: Int) {
    self.path = path
    self.widthPixels = widthPixels
    self.heightPixels = heightPixels
    self.byteCount = byteCount
  }
}

/// The storage worker's ends of the queues for stills.
package struct StillIntake: ~Copyable {
  package var stills: PacketRingConsumer<StillHeader>
  package var reports: QueueProducer<StillReport>

  /// - Parameters:
  ///   - stills: from the still worker.
  ///   - reports: to the loop.
  package init(stills: consuming PacketRingConsumer<StillHeader>, reports: consuming QueueProducer<StillReport>) {
    self.stills = stills
    self.reports = reports
  }
}
