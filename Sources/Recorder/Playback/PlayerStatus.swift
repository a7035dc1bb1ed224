import Decoding
import Values

/// How the player is, at the last exchange with the card.
public struct PlayerStatus: BitwiseCopyable, Sendable {
  /// Where it is between a file and the ear.
  public var state: PlayerState
  /// What is open, or being opened; nil while nothing is.
  public var item: MediaItem?
  /// What the file is; nil until it is open.
  public var properties: ItemProperties?
  /// How far its packets have been read.
  public var reading: PacketReading
  /// The place of the item that is heard now.
  public var positionSeconds: Double
  /// 0 while nothing is open.
  public var durationSeconds: Double
  /// 0.0…1.0.
  public var volume: Double
  /// 0.5…2.0, as it was set.
  public var rate: Double
  /// The section that is looped, or being marked.
  public var section: SectionMarking
  /// What sounds beside the item, standby's included; nil when nothing does.
  public var tone: Tone?
  /// Whether the tone is a sign of life.
  public var isStandby: Bool
  /// How often the card ran dry while it played.
  public var underrunCount: UInt64
  /// Items in the queue.
  public var queueCount: Int
  /// The item of the queue that is played or comes first.
  public var queueIndex: Int
  /// The instant that `play at` waits for; nil when it does not.
  public var cueNanoseconds: UInt64?
  /// How much later than asked the last start at an instant was, by the card's account; nil before the first.
  public var startErrorNanoseconds: Int64?
}
