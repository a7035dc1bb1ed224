import Decoding
import Values
import Text

/// A file of the library with what is known of it.
public struct LibraryEntry: BitwiseCopyable, Equatable, Sendable {
  /// Where it is, and what its tags say.
  public var item: MediaItem
  /// What it is.
  public var kind: MediaKind
  /// Why it cannot be played; nil when it can, or while that is not known.
  public var refusal: DecoderRefusal?

  /// An entry with all that is known.
  public init(item: MediaItem, kind: MediaKind, refusal: DecoderRefusal? = nil) {
    self.item = item
    self.kind = kind
    self.refusal = refusal
  }

  /// The whole as one line: `music/01.caf, 6.0 s, Title - Artist`, or `music/02.mp3 is damaged: …`.
  public var line: FixedText<600> {
    var line: FixedText<600> = "\(item.path)"
    if let refusal {
      line.append(" \(refusal.problem)" as FixedText<128>)
      return line
    }
    if let seconds = item.durationSeconds {
      line.append(", ")
      line.append(seconds, decimals: 1)
      line.append(" s")
    }
    if !item.title.isEmpty { line.append(", \(item.label)" as FixedText<280>) }
    return line
  }
}
