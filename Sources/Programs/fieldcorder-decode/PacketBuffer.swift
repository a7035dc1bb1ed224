import Base
import CFFmpeg
import CLinux

/// One of an item's three buffers: the result of one read, and how much of it has been taken.
@safe struct PacketBuffer: ~Copyable {
  // Safe: both owned by the value until it ends; the counts stay within their capacities.
  private let bytes: UnsafeMutablePointer<UInt8>
  private let packets: UnsafeMutablePointer<UnsafeMutablePointer<AVPacket>?>
  private let layout: PacketLayout
  private let packetCapacity: Int
  private var count = 0
  private var taken = 0
  /// Bytes of its packets; unused for PCM.
  private(set) var byteCount = 0
  /// Duration of the packets not taken yet, in the layout's unit; unused for PCM.
  private(set) var duration: Int64 = 0
  /// The buffer's first frame of PCM.
  private var firstFrame: Int64 = 0

  init(_ layout: PacketLayout) {
    self.layout = layout
    unsafe bytes = Heap.bytes(layout.isPCM ? layout.bufferByteCount : 1)
    packetCapacity = layout.isPCM ? 0 : layout.packetsPerRead
    unsafe packets = Heap.array(UnsafeMutablePointer<AVPacket>?.self, count: packetCapacity)
  }

  deinit {
    for index in 0..<packetCapacity { unsafe av_packet_free(&packets[index]) }
    unsafe av_free(packets)
    unsafe Heap.removeBytes(bytes)
  }

  var isUsedUp: Bool { taken == count }
  var isEmpty: Bool { count == 0 }

  mutating func clear() {
    for index in taken..<count where !layout.isPCM { unsafe av_packet_unref(packets[index]) }
    count = 0
    taken = 0
    byteCount = 0
    duration = 0
  }

  /// Sets the first frame of PCM.
  mutating func begin(atFrame frame: Int64) { firstFrame = frame }

  /// Appends frames of PCM.
  /// - Returns: how many of them fit.
  mutating func append(_ source: UnsafePointer<UInt8>, frameCount: Int) -> Int {
    let accepted = min(frameCount, layout.packetsPerRead - count)
    unsafe UnsafeMutableRawPointer(bytes + count * layout.frameByteCount).copyMemory(
      from: source, byteCount: accepted * layout.frameByteCount)
    count += accepted
    return accepted
  }

  /// Appends whole frames of PCM that `read` puts where it is told, up to a number of bytes.
  /// - Parameter read: returns how many bytes it has put there.
  /// - Returns: how many frames these were.
  mutating func append(
    atMost limit: Int, from read: (_ place: UnsafeMutablePointer<UInt8>, _ byteCount: Int) -> Int
  ) -> Int {
    let accepted = min(limit / layout.frameByteCount, layout.packetsPerRead - count)
    let read = unsafe read(bytes + count * layout.frameByteCount, accepted * layout.frameByteCount)
    count += read / layout.frameByteCount
    return read / layout.frameByteCount
  }

  var isFull: Bool { count == layout.packetsPerRead }

  var leftCount: Int { count - taken }

  /// Whether a packet fits; one that is larger than the buffer needs an empty buffer.
  func hasRoom(forByteCount size: Int) -> Bool {
    count == 0 || count < layout.packetsPerRead && byteCount + size <= layout.bufferByteCount
  }

  /// Moves a packet here. Requires that the buffer is not full.
  mutating func append(_ packet: UnsafeMutablePointer<AVPacket>) {
    if unsafe packets[count] == nil { unsafe packets[count] = av_packet_alloc() }
    let place = unsafe Heap.required(packets[count])
    byteCount += Int(unsafe packet.pointee.size)
    duration &+= max(0, unsafe packet.pointee.duration)
    unsafe av_packet_move_ref(place, packet)
    count += 1
  }

  /// Takes the next packet, or the next frames of PCM, into `packet`, which is empty. Requires that one is left.
  mutating func take(into packet: UnsafeMutablePointer<AVPacket>, atMost frameLimit: Int) {
    guard layout.isPCM else {
      unsafe av_packet_move_ref(packet, packets[taken]!)
      taken += 1
      guard layout.isStream else { return }
      byteCount -= Int(unsafe packet.pointee.size)
      duration &-= max(0, unsafe packet.pointee.duration)
      return
    }
    let frameCount = min(frameLimit, count - taken)
    let start = unsafe bytes + taken * layout.frameByteCount
    let byteCount = Int32(frameCount * layout.frameByteCount)
    if taken + frameCount < count {
      // They stay where they are until the packet after this one is taken.
      unsafe packet.pointee.data = start
      unsafe packet.pointee.size = byteCount
    } else {
      guard unsafe av_new_packet(packet, byteCount) >= 0 else { Heap.exhausted() }
      unsafe UnsafeMutableRawPointer(packet.pointee.data).copyMemory(from: start, byteCount: Int(byteCount))
    }
    unsafe packet.pointee.pts = firstFrame + Int64(taken)
    unsafe packet.pointee.duration = Int64(frameCount)
    taken += frameCount
  }
}

/// The ring that the recorder reads: frame n lies at n modulo the capacity.
@safe struct PCMRing: ~Copyable {
  // Safe: mapped for the life of the process; every index is taken modulo the capacity.
  private let memory: UnsafeMutableRawPointer
  private let capacityFrames: Int
  private let format: AudioFormat
  var nextFrame: UInt64 = 0

  /// - Returns: nil if the descriptor cannot be mapped or is smaller than a frame.
  init?(descriptor: Int32, byteCount: Int, format: AudioFormat) {
    guard byteCount >= format.bytesPerFrame else { return nil }
    let mapped = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard let memory = unsafe mapped, unsafe linux_is_map_failed(memory) == 0 else { return nil }
    unsafe self.memory = memory
    self.format = format
    capacityFrames = byteCount / format.bytesPerFrame
  }

  /// Writes frames in the converter's format: the ring's, except that 24-bit samples take the upper three of four
  /// bytes.
  mutating func write(_ frames: UnsafeRawPointer, frameCount: Int) {
    var done = 0
    while done < frameCount {
      let place = Int(nextFrame % UInt64(capacityFrames))
      let count = min(frameCount - done, capacityFrames - place)
      unsafe put(frames, done, at: place, count)
      done += count
      nextFrame += UInt64(count)
    }
  }

  private func put(_ frames: UnsafeRawPointer, _ first: Int, at place: Int, _ count: Int) {
    let target = unsafe memory + place * format.bytesPerFrame
    guard format.sampleFormat == .int24 else {
      unsafe target.copyMemory(from: frames + first * format.bytesPerFrame, byteCount: count * format.bytesPerFrame)
      return
    }
    let channels = Int(format.channelCount)
    let source = unsafe (frames + first * channels * 4).assumingMemoryBound(to: UInt8.self)
    let packed = unsafe target.assumingMemoryBound(to: UInt8.self)
    for sample in 0..<count * channels {
      unsafe packed[3 * sample] = source[4 * sample + 1]
      unsafe packed[3 * sample + 1] = source[4 * sample + 2]
      unsafe packed[3 * sample + 2] = source[4 * sample + 3]
    }
  }
}
