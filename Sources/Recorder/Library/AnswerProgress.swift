import Values
import Text

/// The question that is being answered, and how far; where it goes on in the index is the index's own ``MediaIndex/cursor``.
enum AnswerProgress {
  case idle
  case listing(MediaKind?)
  case finding(TagField)
  case enqueuingArtist(FixedText<128>)
  case enqueuing(NamedFiles)
  case findingNewestTake
  /// All entries or items are given; the end is still to be told.
  case ending
  case refusing(LibraryRefusal)
}
