import Values
import Rings

/// Stills on their way to the card, and the line back.
public struct StillIntake: ~Copyable {
  var stills: PacketRingConsumer<StillHeader>
  var reports: QueueProducer<StillReport>

  /// - Parameters:
  ///   - stills: from the still worker.
  ///   - reports: to the loop.
  public init(stills: consuming PacketRingConsumer<StillHeader>, reports: consuming QueueProducer<StillReport>) {
    self.stills = stills
    self.reports = reports
  }
}
