import CFFmpeg

/// One of an item's three buffers: what one read gave, and how much of it has been taken.
@safe struct PacketBuffer: ~Copyable {
  // Sound: both are the value's own until it ends; the counts stay within their capacities.
  private let bytes: UnsafeMutablePointer<UInt8>
  private let packets: UnsafeMutablePointer<UnsafeMutablePointer<AVPacket>?>
  private let layout: PacketLayout
  private let packetCapacity: Int
  private var count = 0
  private var taken = 0
  /// Of its packets; not counted for PCM.
  private(set) var byteCount = 0
  /// Of PCM, the frame that the buffer begins with.
  private var firstFrame: Int64 = 0

  init(_ layout: PacketLayout) {
    self.layout = layout
    unsafe bytes = Heap.bytes(layout.isPCM ? layout.bufferByteCount : 1)
    packetCapacity = layout.isPCM ? 0 : layout.packetsPerRead
    let room = unsafe Heap.bytes(packetCapacity * MemoryLayout<UnsafeMutablePointer<AVPacket>?>.stride)
    unsafe packets = UnsafeMutableRawPointer(room).bindMemory(
      to: UnsafeMutablePointer<AVPacket>?.self, capacity: max(1, packetCapacity))
  }

  deinit {
    for index in 0..<packetCapacity { unsafe av_packet_free(&packets[index]) }
    unsafe av_free(packets)
    unsafe Heap.removeBytes(bytes)
  }

  /// Whether everything in it has been taken, or nothing was ever put in.
  var isUsedUp: Bool { taken == count }
  var isEmpty: Bool { count == 0 }

  mutating func clear() {
    for index in taken..<count where !layout.isPCM { unsafe av_packet_unref(packets[index]) }
    count = 0
    taken = 0
    byteCount = 0
  }

  /// Makes a frame the one that PCM begins with.
  mutating func begin(atFrame frame: Int64) { firstFrame = frame }

  /// Appends frames of PCM.
  /// - Returns: how many of them there was room for.
  mutating func append(_ source: UnsafePointer<UInt8>, frameCount: Int) -> Int {
    let accepted = min(frameCount, layout.packetsPerRead - count)
    unsafe (bytes + count * layout.frameByteCount).update(from: source, count: accepted * layout.frameByteCount)
    count += accepted
    return accepted
  }

  var isFull: Bool { count == layout.packetsPerRead }

  /// Moves a packet here; there is room.
  mutating func append(_ packet: UnsafeMutablePointer<AVPacket>) {
    if unsafe packets[count] == nil { unsafe packets[count] = av_packet_alloc() }
    let place = unsafe Heap.required(packets[count])
    byteCount += Int(unsafe packet.pointee.size)
    unsafe av_packet_move_ref(place, packet)
    count += 1
  }

  /// Takes the next packet, of PCM the next frames, into `packet`, which holds none. There is one.
  mutating func take(into packet: UnsafeMutablePointer<AVPacket>, atMost frameLimit: Int) {
    guard layout.isPCM else {
      unsafe av_packet_move_ref(packet, packets[taken]!)
      taken += 1
      return
    }
    let frameCount = min(frameLimit, count - taken)
    guard unsafe av_new_packet(packet, Int32(frameCount * layout.frameByteCount)) >= 0 else { Heap.exhausted() }
    unsafe packet.pointee.data.update(
      from: bytes + taken * layout.frameByteCount, count: frameCount * layout.frameByteCount)
    unsafe packet.pointee.pts = firstFrame + Int64(taken)
    unsafe packet.pointee.duration = Int64(frameCount)
    taken += frameCount
  }
}
