import Base
import Wire

/// The player as of the last exchange with the card.
package struct PlayerStatus: BitwiseCopyable, Sendable {
  /// The transport's state.
  package var state: PlayerState
  /// The item that is open or being opened; nil if there is none.
  package var item: MediaItem?
  /// The file's properties; nil until it is open.
  package var properties: ItemProperties?
  /// How far its packets have been read.
  package var reading: PacketReading
  /// The position in the item that is heard now.
  package var positionSeconds: Double
  /// 0 while nothing is open.
  package var durationSeconds: Double
  /// 0.0…1.0.
  package var volume: Double
  /// 0.5…2.0, as it was set.
  package var rate: Double
  /// The section that is looped, or being marked.
  package var section: SectionMarking
  /// The tone that is mixed in, the standby tone included; nil when there is none.
  package var tone: Tone?
  /// Whether the standby tone sounds.
  package var isStandby: Bool
  /// Underruns of the card during playback.
  package var underrunCount: UInt64
  /// Items in the queue.
  package var queueCount: Int
  /// The item of the queue that is played or comes first.
  package var queueIndex: Int
  /// The instant that `play at` waits for; nil when it does not.
  package var cue: Instant?
  /// How late the last cued start was, by the card's own clock; nil before the first.
  package var startErrorNanoseconds: Int64?
  /// How late a stream is heard that is kept in sync; nil while it is silent, and of everything else.
  package var lateNanoseconds: Int64?
}
