import Console
import Library
import Values

/// What a service wants of another one: it returns this, and the loop alone routes it.
enum Effect {
  /// A still, as a long press of the record button orders it.
  case takeStill
  /// The rotation that a person chose is to be known at the next boot, and told to be in force.
  case keep(Rotation, Origin)
  /// The library is to know of a file.
  case tellLibrary(LibraryQuestion)
  /// The library is to find the file that is meant.
  case find(LibraryQuestion, FileUse, Origin)
  /// The player is to open a file that the library found.
  case open(MediaItem, FileUse, Origin)
  /// The player is to append an item to its queue.
  case append(MediaItem)
  /// All the items that there are to be appended have come.
  case endAppending(wantedCount: UInt32)
}
