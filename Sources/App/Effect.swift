import Base
import Catalog
import Console
import Kit
import Machine

/// What a service wants from another one. The service returns it, and only the loop routes it.
enum Effect {
  /// Take a still: a long press of the record button.
  case takeStill
  /// Store the rotation that was chosen for the next boot, and report it as in force.
  case keep(Rotation, Origin)
  /// The identity was replaced, or was not; the other failure is of its copy.
  case tellIdentity(DeviceFailure?, copyFailure: DeviceFailure?)
  /// Inform the library of a file.
  case tellLibrary(LibraryQuestion)
  /// Let the library find the requested file.
  case find(LibraryQuestion, FileUse, Origin)
  /// Let the player open a file that the library found.
  case open(MediaItem, FileUse, Origin)
  /// Let the picture be drawn that the library found.
  case drawArtwork
  /// Let the player append an item to its queue.
  case append(MediaItem)
  /// Let the player sound a chord.
  case strum(ChordShape, Tuning)
  /// Let the player count a bar in; nil: it ends.
  case countIn(Rhythm?)
  /// All items to be appended have arrived.
  case endAppending(wantedCount: UInt32)
}
