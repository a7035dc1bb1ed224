import Base
import CFFmpeg
import Machine

/// Statistics of a file's packets, of all of them or of as many as time allowed.
struct PacketScan {
  private(set) var packetCount: Int64 = 0
  private(set) var largestByteCount: Int32 = 0
  private(set) var smallestByteCount = Int32.max
  private(set) var longest: Int64 = 0
  private(set) var shortest = Int64.max
  /// Of all packets but the last, which may be cut, in the file's time.
  private var earlierShortest = Int64.max
  /// In the file's time, with padding.
  private(set) var duration: Int64 = 0
  /// The same by the packets' times: where these are rounded, so is each duration. 0 without times.
  private(set) var span: Int64 = 0
  private var firstTime: Int64?
  /// Frames of padding.
  private(set) var paddingFrameCount: Int64 = 0
  private(set) var byteCount: Int64 = 0
  /// Frames of the last packet, if it is Apple Lossless and its header has them.
  private(set) var lastAppleFrameCount: UInt32?
  /// Whether the file's end was reached.
  private(set) var isComplete = false

  /// Reads the file's packets from the current position on.
  mutating func run(_ file: inout SoundFile, forNanoseconds limit: UInt64) {
    let packet = unsafe Heap.packet()
    defer { unsafe Heap.removePacket(packet) }
    let end = Instant.now + limit
    while packetCount & 63 != 0 || Instant.now < end {
      guard case .packet = unsafe file.read(into: packet) else {
        isComplete = true
        break
      }
      unsafe note(packet)
      unsafe av_packet_unref(packet)
    }
  }

  /// Of an Apple Lossless packet that is shorter than the others: the twentieth of 23 header bits says that the number of
  /// frames follows, in 32 bits.
  private static func appleFrameCount(_ packet: UnsafeMutablePointer<AVPacket>) -> UInt32? {
    guard unsafe packet.pointee.size >= 8, let data = unsafe packet.pointee.data, unsafe data[2] & 0x10 != 0 else {
      return nil
    }
    var bits: UInt64 = 0
    for index in 2..<7 { bits = unsafe bits << 8 | UInt64(data[index]) }
    return UInt32(truncatingIfNeeded: bits >> 1)
  }

  private mutating func note(_ packet: UnsafeMutablePointer<AVPacket>) {
    let size = unsafe packet.pointee.size
    let length = unsafe max(0, packet.pointee.duration)
    let padding = unsafe PacketPadding(packet)
    let time = unsafe packet.pointee.pts
    if time != ffmpeg_no_timestamp() {
      firstTime = firstTime ?? time
      span = max(span, time &+ length &- (firstTime ?? time))
    }
    packetCount += 1
    byteCount += Int64(size)
    // Packets that are decoded but never heard do not count.
    if unsafe packet.pointee.flags & AV_PKT_FLAG_DISCARD == 0 {
      duration &+= length
      paddingFrameCount &+= padding.startFrameCount &+ padding.endFrameCount
    }
    lastAppleFrameCount = unsafe Self.appleFrameCount(packet)
    largestByteCount = max(largestByteCount, size)
    smallestByteCount = min(smallestByteCount, size)
    earlierShortest = shortest
    longest = max(longest, length)
    shortest = min(shortest, length)
  }

  var varies: Bool { smallestByteCount != largestByteCount || shortest != longest }

  /// Whether all packets, except perhaps the last, are equally long.
  var hasOneLength: Bool { longest > 0 && (shortest == longest || earlierShortest == longest) }
}
