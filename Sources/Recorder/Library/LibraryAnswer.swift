import Values

/// What the library says to a ``LibraryQuestion``.
public enum LibraryAnswer: BitwiseCopyable, Sendable {
  /// A file of a list.
  case entry(LibraryEntry)
  /// A file to play.
  case item(MediaItem)
  /// That was all: so many entries or items, and how much of the folders the answer can have covered.
  case done(count: UInt32, LibraryCoverage)
  /// There is no answer; nothing came before this.
  case refused(LibraryRefusal)
}
