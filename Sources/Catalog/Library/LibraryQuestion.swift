import Base
import Wire

/// A query or notice from the loop to the library. Queries are answered in order, each with any number of
/// ``LibraryAnswer/entry(_:)`` or ``LibraryAnswer/item(_:)`` and finally one ``LibraryAnswer/done(count:_:)`` or
/// ``LibraryAnswer/refused(_:)``. The notices ``heard(path:)``, ``growing(path:)``, ``complete(path:)``,
/// ``renamed(path:newPath:)`` and ``unlist`` are not answered.
package enum LibraryQuestion: BitwiseCopyable, Sendable {
  /// All files of a kind, nil: of every kind, in order. Answered with entries.
  case list(MediaKind?)
  /// The files whose tag contains this text; ignores case, accents and widths. Answered with entries.
  case find(TagField, FixedText<128>)
  /// The files named by these words, as ``Text/QuotedWords`` splits them: each is a path, relative to the data folder
  /// or absolute, of a file, or of a folder for all files in it in order; or one or more numbers of the last list, `3` or
  /// `7-9`. If one does not exist, none is sent. Answered with items.
  case enqueue(words: FixedText<256>)
  /// The playable files whose artist contains this text, in order. Answered with items.
  case enqueueArtist(FixedText<128>)
  /// The complete take with the highest number. Answered with an item.
  case newestTake
  /// The next playable file in order; the first one for an empty path, and for one outside of the library's folders.
  /// Answered with an item.
  case following(path: FixedText<256>)
  /// What is known of a file. Answered with an item, without tags and duration when it is not indexed.
  case describe(path: FixedText<256>)
  /// The file with a number in the last list, from 1 on. Answered with an item.
  case listed(number: UInt32)
  /// The lyrics of a file, or of a number of the last list: those of a file beside it with the ending `.lrc`, or else in
  /// its tags. Answered with lyrics.
  /// - Parameter positionSeconds: of the item; NaN when it is not heard.
  case lyrics(path: FixedText<256>, positionSeconds: Double)
  /// The names that begin like this. Answered with names.
  case names(LibraryNames, beginningWith: FixedText<256>)
  /// The picture of a file, or of a number of the last list. Answered at once with only the end, when it is in the
  /// library's ``Rings/ArtworkCell``.
  case artwork(path: FixedText<256>)
  /// This file is heard from now on: its picture replaces the one on the display. Not answered.
  case heard(path: FixedText<256>)
  /// From now on no number names a file: another list was shown. Not answered.
  case unlist
  /// Begins another pass, as soon as one that is under way has ended. Answered at once, with only the end.
  case rescan
  /// A take is being written at this path: it is left out until it is complete. At most four at once; not answered.
  case growing(path: FixedText<256>)
  /// A take is complete: it belongs to the library now. Not answered.
  case complete(path: FixedText<256>)
  /// A take or a still has another name, and is in the library with that. Not answered.
  case renamed(path: FixedText<256>, newPath: FixedText<256>)
}

/// A part of the answer to a ``LibraryQuestion``.
package enum LibraryAnswer: BitwiseCopyable, Sendable {
  /// A file of a list.
  case entry(LibraryEntry)
  /// A file to play.
  case item(MediaItem)
  /// A line of lyrics, and whether it is sung now.
  case lyrics(LyricsLine, isNow: Bool)
  /// What a name can be completed to.
  case names(WordCompletion)
  /// The end: the number of entries or items, and how much of the folders the answer can have covered.
  case done(count: UInt32, LibraryCoverage)
  /// There is no answer; nothing was sent before this.
  case refused(LibraryRefusal)
}
