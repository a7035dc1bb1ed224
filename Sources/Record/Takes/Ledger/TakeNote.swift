import Base

/// Something that happened while the devices ran: an entry of the ledger of each take in which it lies.
package struct TakeNote: BitwiseCopyable, Sendable {
  /// Where on the timeline it happened.
  package var position: TimelinePosition
  /// What happened, without place and time.
  package var text: FixedText<96>

  package init(position: TimelinePosition, text: FixedText<96>) {
    self.position = position
    self.text = text
  }
}
