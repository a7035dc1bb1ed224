import Values
import Text

/// What the loop wants of the library. Questions are answered in their order, each with any number of
/// ``LibraryAnswer/entry(_:)`` or ``LibraryAnswer/item(_:)`` and at last one ``LibraryAnswer/done(count:_:)`` or
/// ``LibraryAnswer/refused(_:)``; ``growing(path:)`` and ``complete(path:)`` are not answered.
public enum LibraryQuestion: BitwiseCopyable, Sendable {
  /// All files of a kind, nil: of every kind, in order. Answered by entries.
  case list(MediaKind?)
  /// The files whose tag holds this text somewhere; case, marks and widths of letters do not count. Answered by entries.
  case find(TagField, FixedText<128>)
  /// The files that these words name, as ``Text/QuotedWords`` parts them: each a path, relative to the data folder or
  /// absolute, of a file, or of a folder for all files in it in order. All must be there, or none is given. Answered by
  /// items.
  case enqueue(words: FixedText<256>)
  /// The files whose artist holds this text, and that can be played, in order. Answered by items.
  case enqueueArtist(FixedText<128>)
  /// The complete take of the highest number. Answered by an item.
  case newestTake
  /// The next file in order that can be played; the first for an empty path, and for one outside of the library's
  /// folders. Answered by an item.
  case following(path: FixedText<256>)
  /// What is known of a file. Answered by an item; without tags and duration when it is not indexed.
  case describe(path: FixedText<256>)
  /// Looks through the folders anew, as soon as a pass that is under way has ended. Answered at once, by nothing but
  /// the end.
  case rescan
  /// A take is being written there: it is left out until it is complete. At most four at once; not answered.
  case growing(path: FixedText<256>)
  /// A take is not written to any more: it belongs to the library now. Not answered.
  case complete(path: FixedText<256>)
}
