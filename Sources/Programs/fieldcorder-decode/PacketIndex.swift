import CFFmpeg

/// The offsets of packets in a file whose container has no index, as far as it has been read. When it is full, every
/// second entry is dropped.
@safe struct PacketIndex: ~Copyable {
  struct Place {
    var packet: Int64 = 0
    var time: Int64 = 0
    var byte: Int64 = 0
  }

  private static let capacity = 2048
  // Sound: owned by the value until it ends; no index beyond `count` is read.
  private let places: UnsafeMutablePointer<Place>
  private var count = 0
  private var stride: Int64 = 16

  init() {
    unsafe places = Heap.array(Place.self, count: Self.capacity)
  }

  deinit { unsafe av_free(places) }

  mutating func note(_ place: Place) {
    guard place.packet % stride == 0, place.byte >= 0 else { return }
    if count > 0, unsafe places[count - 1].packet >= place.packet { return }
    if count == Self.capacity { thin() }
    unsafe places[count] = place
    count += 1
  }

  private mutating func thin() {
    for index in 0..<Self.capacity / 2 { unsafe places[index] = places[2 * index] }
    count = Self.capacity / 2
    stride *= 2
  }

  /// The last entry at or before a time; nil when there is none.
  func place(before time: Int64) -> Place? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if unsafe places[middle].time <= time { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? unsafe places[low - 1] : nil
  }
}
