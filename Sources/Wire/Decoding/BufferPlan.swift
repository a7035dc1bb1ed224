/// The size of each of an item's three buffers, and how many packets one read puts into it.
package struct BufferPlan: Equatable, Sendable {
  /// The smallest buffer.
  package static var smallestByteCount: UInt32 { 0x4000 }
  /// The largest buffer, unless a single packet is larger.
  package static var largestByteCount: UInt32 { 0x50000 }

  /// Bytes of each buffer.
  package let byteCount: UInt32
  /// 1 or more.
  package let packetsPerRead: UInt32

  /// Plans for `seconds` of sound where each packet holds the same number of frames, else for the largest buffer; within
  /// the bounds, and for at least one packet.
  /// - Parameters:
  ///   - framesPerPacket: 0 when packets hold different numbers of frames.
  ///   - largestPacketByteCount: 1 or more; a buffer holds at least one such packet.
  package init(
    sampleRateHz: UInt32, framesPerPacket: UInt32, largestPacketByteCount: UInt32, seconds: Double = 0.5
  ) {
    let largest = Double(Self.largestByteCount)
    var wanted = largest
    if framesPerPacket > 0 {
      let packetCount = Double(sampleRateHz) / Double(framesPerPacket) * seconds
      wanted = packetCount * Double(largestPacketByteCount)
    }
    let bounded = UInt32(min(max(wanted, Double(Self.smallestByteCount)), largest))
    byteCount = max(bounded, largestPacketByteCount)
    packetsPerRead = byteCount / max(1, largestPacketByteCount)
  }
}

extension BufferPlan {
  /// Bytes of each buffer of a stream.
  package static var streamByteCount: Int { 1_048_576 }
  /// Packets of each buffer of a stream, at most. Of MP3 at 44.1 kHz they are 13.37 s; the bytes fill first above
  /// 627 kbit/s.
  package static var streamPacketCount: Int { 512 }
  /// Bytes of each buffer of a stream that somebody else keeps in sync: a packet of PCM in the Core Audio Format.
  package static var syncedByteCount: Int { 4096 }
  /// A buffer that is not full is handed on when nothing else is left to play and it holds so much.
  package static var streamLeastSeconds: Double { 0.5 }
}
