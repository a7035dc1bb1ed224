/// How large each of an item's three buffers is, and how many packets one read puts into it.
public struct BufferPlan: Equatable, Sendable {
  /// A buffer is not made smaller.
  public static var smallestByteCount: UInt32 { 0x4000 }
  /// Nor larger, unless a single packet is.
  public static var largestByteCount: UInt32 { 0x50000 }

  /// Bytes of each buffer.
  public let byteCount: UInt32
  /// 1 or more.
  public let packetsPerRead: UInt32

  /// Packets for `seconds` of sound where each holds the same number of frames, else as many as the largest buffer
  /// takes; within the bounds, and at least one packet.
  /// - Parameters:
  ///   - framesPerPacket: 0 when packets hold different numbers of frames.
  ///   - largestPacketByteCount: 1 or more; a buffer has room for such a packet, however large it is.
  public init(
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
