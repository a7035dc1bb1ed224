import Base
import Wire

/// A file of the library.
package struct LibraryEntry: BitwiseCopyable, Equatable, Sendable {
  /// Its path and tags.
  package var item: MediaItem
  /// The kind of file.
  package var kind: MediaKind
  /// Why it cannot be played; nil when it can, or while that is unknown.
  package var refusal: DecoderRefusal?

  /// One line: `music/01.caf, 6.0 s, Title - Artist`, or `music/02.mp3 is damaged: …`.
  package var line: FixedText<600> {
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
