import Decoding
import Values

/// The player as of the last exchange with the card.
public struct PlayerStatus: BitwiseCopyable, Sendable {
  /// The transport's state.
  public var state: PlayerState
  /// The item that is open or being opened; nil if there is none.
  public var item: MediaItem?
  /// The file's properties; nil until it is open.
  public var properties: ItemProperties?
  /// How far its packets have been read.
  public var reading: PacketReading
  /// The position in the item that is heard now.
  public var positionSeconds: Double
  /// 0 while nothing is open.
  public var durationSeconds: Double
  /// 0.0…1.0.
  public var volume: Double
  /// 0.5…2.0, as it was set.
  public var rate: Double
  /// The section that is looped, or being marked.
  public var section: SectionMarking
  /// The tone that is mixed in, the standby tone included; nil when there is none.
  public var tone: Tone?
  /// Whether the standby tone sounds.
  public var isStandby: Bool
  /// Underruns of the card during playback.
  public var underrunCount: UInt64
  /// Items in the queue.
  public var queueCount: Int
  /// The item of the queue that is played or comes first.
  public var queueIndex: Int
  /// The instant that `play at` waits for; nil when it does not.
  public var cue: Instant?
  /// How late the last cued start was, by the card's own clock; nil before the first.
  public var startErrorNanoseconds: Int64?
  /// How late a stream is heard that is kept in sync; nil while it is silent, and of everything else.
  public var lateNanoseconds: Int64?
}
