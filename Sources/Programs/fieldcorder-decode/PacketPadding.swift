import CFFmpeg

/// What of a packet is not to be heard: the padding of its coding.
struct PacketPadding {
  var startFrameCount: Int64 = 0
  var endFrameCount: Int64 = 0

  init(_ packet: UnsafeMutablePointer<AVPacket>) {
    if unsafe packet.pointee.flags & AV_PKT_FLAG_DISCARD != 0 {
      startFrameCount = .max / 2
      return
    }
    var byteCount = 0
    guard let data = unsafe av_packet_get_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, &byteCount), byteCount >= 8
    else { return }
    startFrameCount = unsafe Int64(Self.number(data))
    endFrameCount = unsafe Int64(Self.number(data + 4))
  }

  private static func number(_ bytes: UnsafePointer<UInt8>) -> UInt32 {
    unsafe UInt32(
      littleEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt32.self))
  }
}
