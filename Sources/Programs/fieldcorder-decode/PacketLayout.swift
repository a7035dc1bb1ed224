import CFFmpeg

/// How a file's sound is divided into packets.
struct PacketLayout {
  /// Bytes of one sample frame of PCM, whose packets are single frames; 0 for other codecs.
  var frameByteCount = 0
  var packetsPerRead = 1
  var bufferByteCount = 0
  /// The unit of packet times.
  var timeBase = AVRational(num: 1, den: 1)
  /// Average frames of a packet, to number packets after a seek; 0 when unknown.
  var framesPerPacket = 0.0
  var sampleRateHz = 1
  /// Whether packets are found by their byte offset: the container has no times.
  var needsIndex = false
  /// Whether the packets' times are exact to the frame.
  var hasExactTimes = false
  /// Gives packets the times that the container does not have.
  var numbering = PacketNumbering.unknown
  /// Whether packets come from a server: they are read as they come, and only once.
  var isStream = false
  /// Whether somebody else keeps such a stream in sync: its buffers hold a packet each.
  var isSynced = false

  var isPCM: Bool { frameByteCount > 0 }

  /// - Returns: 0 unless the codec is interleaved PCM of whole bytes.
  static func frameByteCount(_ coding: AVCodecID, channelCount: Int32) -> Int {
    switch coding {
    case AV_CODEC_ID_PCM_S16LE_PLANAR, AV_CODEC_ID_PCM_S16BE_PLANAR, AV_CODEC_ID_PCM_S24LE_PLANAR,
      AV_CODEC_ID_PCM_S32LE_PLANAR, AV_CODEC_ID_PCM_S8_PLANAR, AV_CODEC_ID_PCM_S24DAUD, AV_CODEC_ID_PCM_LXF:
      return 0
    default: break
    }
    let isPCM = coding.rawValue >= AV_CODEC_ID_PCM_S16LE.rawValue && coding.rawValue < 0x11000
    let bits = av_get_bits_per_sample(coding)
    return isPCM && bits % 8 == 0 ? Int(bits / 8 * channelCount) : 0
  }
}

/// The frames of a packet that are padding, and not to be heard.
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
