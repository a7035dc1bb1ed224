import CFFmpeg

/// How the sound of a file is divided into packets.
struct PacketLayout {
  /// Bytes of one sample frame of PCM, whose packets are single frames; 0 for other codings.
  var frameByteCount = 0
  var packetsPerRead = 1
  var bufferByteCount = 0
  /// Of the times of packets.
  var timeBase = AVRational(num: 1, den: 1)
  /// Frames of a packet on average, to number packets behind a leap; 0 when unknown.
  var framesPerPacket = 0.0
  var sampleRateHz = 1
  /// Whether packets are found again by their bytes: the container has no times of its own.
  var needsIndex = false
  /// Whether the container's times tell a single frame.
  var hasExactTimes = false

  var isPCM: Bool { frameByteCount > 0 }

  /// - Returns: 0 for what is no PCM of whole bytes, interleaved.
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
