import Base
import Wire

/// An item that is open, or is to be.
struct PlayedItem: BitwiseCopyable {
  var item: MediaItem
  /// Its place in the queue; nil when it was chosen outside of it.
  var queuePlace: Int?
  /// The request that opens it.
  var requestID: UInt32
  /// Nil until it is open.
  var properties: ItemProperties?

  /// Takes over the file's properties.
  mutating func complete(with properties: ItemProperties) {
    self.properties = properties
    if item.title.isEmpty { item.title = properties.title }
    if item.artist.isEmpty { item.artist = properties.artist }
    item.durationSeconds = properties.durationSeconds
  }
}

/// The item that is heard, and the one that follows it without a gap.
struct Lineup: BitwiseCopyable {
  var current: PlayedItem?
  /// Announced to the decoder, or in the ring already.
  var next: PlayedItem?
  /// The place of the queue's item to announce after `next`.
  var upcomingPlace = 0
  /// The request of the item to which the ring's last frames belong.
  var decodingID: UInt32 = 0
  /// The request of the item that was announced and is not wanted any more; the decoder may have gone on to it.
  private(set) var droppedID: UInt32?

  var isDecodingCurrent: Bool { current?.requestID == decodingID }
  var isDecodingNext: Bool { next?.requestID == decodingID }

  /// The item to which the ring's last frames belong.
  var decoding: PlayedItem? { isDecodingNext ? next : current }

  /// The item of a request; nil when it is neither of these.
  func item(of requestID: UInt32) -> MediaItem? {
    if next?.requestID == requestID { return next?.item }
    return current?.requestID == requestID ? current?.item : nil
  }

  /// What is sent now in the stream of a request.
  mutating func note(title: FixedText<128>, of requestID: UInt32) {
    if current?.requestID == requestID { current?.item.title = title }
    if next?.requestID == requestID { next?.item.title = title }
  }

  /// The request's item is open, and the next frames belong to it.
  mutating func beginDecoding(_ requestID: UInt32, _ properties: ItemProperties) {
    if current?.requestID == requestID { current?.complete(with: properties) }
    if next?.requestID == requestID { next?.complete(with: properties) }
    decodingID = requestID
  }

  /// The item that was decoded last is opened by another request.
  mutating func reopenDecoding(by requestID: UInt32) {
    if isDecodingNext { next?.requestID = requestID } else { current?.requestID = requestID }
    decodingID = requestID
  }

  /// The next item is not wanted any more.
  mutating func dropNext() {
    droppedID = next?.requestID
    next = nil
  }

  /// The next item is announced again later.
  mutating func forgetNext() {
    if let place = next?.queuePlace, place != current?.queuePlace { upcomingPlace = place }
    next = nil
  }
}
