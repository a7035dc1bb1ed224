import Decoding
import Values
import Text

/// An item that is open, or is to be.
struct PlayedItem: BitwiseCopyable {
  var item: MediaItem
  /// Its place in the queue; nil when it was chosen beside it.
  var queueIndex: Int?
  /// The order that opens it.
  var ticket: UInt32
  /// Nil until it is open.
  var properties: ItemProperties?

  /// What the file tells of itself takes the place of what was not known.
  mutating func complete(with properties: ItemProperties) {
    self.properties = properties
    if item.title.isEmpty { item.title = properties.title }
    if item.artist.isEmpty { item.artist = properties.artist }
    item.durationSeconds = properties.durationSeconds
  }
}
