import CFFmpeg

/// How the position of a packet is known whose container gives it no time that is exact to the frame.
enum PacketNumbering {
  /// Not at all.
  case unknown
  /// FLAC's own header has the number of the block or of the sample; blocks hold this many samples.
  case flac(blockFrameCount: Int64)
  /// The container's times are rounded, but packets begin at multiples of this many frames only.
  case aligned(frameCount: Int64)

  /// - Parameter ticksPerSecond: of the container's times.
  init(_ parameters: UnsafeMutablePointer<AVCodecParameters>, ticksPerSecond: Double) {
    self = .unknown
    let coded = unsafe Int64(parameters.pointee.frame_size)
    let step: Int64 =
      switch unsafe parameters.pointee.codec_id {
      case AV_CODEC_ID_AAC: coded > 0 ? coded : 1024
      case AV_CODEC_ID_ALAC: unsafe Self.appleBlockFrameCount(parameters)
      case AV_CODEC_ID_MP3: unsafe parameters.pointee.sample_rate >= 32_000 ? 1152 : 576
      case AV_CODEC_ID_MP2: 576
      case AV_CODEC_ID_AC3, AV_CODEC_ID_EAC3: 256
      // The shortest packet there is: 2.5 ms.
      case AV_CODEC_ID_OPUS: 120
      default: 0
      }
    if unsafe parameters.pointee.codec_id == AV_CODEC_ID_FLAC {
      if let count = unsafe Self.flacBlockFrameCount(parameters) { self = .flac(blockFrameCount: count) }
    } else if step > 0, unsafe Double(step) * ticksPerSecond > 2.2 * Double(parameters.pointee.sample_rate) {
      self = .aligned(frameCount: step)
    }
  }

  var isKnown: Bool { if case .unknown = self { false } else { true } }

  /// The smallest block of the stream's description, which follows a signature in some containers.
  private static func flacBlockFrameCount(_ parameters: UnsafeMutablePointer<AVCodecParameters>) -> Int64? {
    guard let data = unsafe parameters.pointee.extradata else { return nil }
    let start = unsafe data[0] == UInt8(ascii: "f") ? 8 : 0
    guard unsafe parameters.pointee.extradata_size >= start + 34 else { return nil }
    return unsafe Int64(data[start]) << 8 | Int64(data[start + 1])
  }

  /// From the codec's description; 0 without one.
  private static func appleBlockFrameCount(_ parameters: UnsafeMutablePointer<AVCodecParameters>) -> Int64 {
    guard let data = unsafe parameters.pointee.extradata, unsafe parameters.pointee.extradata_size >= 36 else {
      return 0
    }
    var count: Int64 = 0
    for index in 12..<16 { count = unsafe count << 8 | Int64(data[index]) }
    return count
  }

  /// The packet's first frame; nil when it cannot be known.
  /// - Parameters:
  ///   - roundedFrames: the packet's time since the first one, in frames.
  ///   - tolerance: how far it may be off by rounding.
  func position(
    of packet: UnsafeMutablePointer<AVPacket>, roundedFrames: Double, tolerance: Double
  ) -> Int64? {
    switch self {
    case .unknown: return nil
    case .flac(let blockFrameCount): return unsafe Self.flacPosition(of: packet, blockFrameCount)
    case .aligned(let step):
      guard roundedFrames >= -tolerance, roundedFrames < 1e12 else { return nil }
      let position = Int64(roundedFrames / Double(step) + 0.5) * step
      return abs(Double(position) - roundedFrames) <= tolerance ? position : nil
    }
  }

  private static func flacPosition(of packet: UnsafeMutablePointer<AVPacket>, _ blockFrameCount: Int64) -> Int64? {
    guard let data = unsafe packet.pointee.data, unsafe packet.pointee.size >= 12 else { return nil }
    // Fourteen bits of synchronisation, a zero, and whether samples are numbered instead of blocks.
    guard unsafe data[0] == 0xFF, unsafe data[1] & 0xFE == 0xF8 else { return nil }
    guard let number = unsafe codedNumber(data + 4) else { return nil }
    return unsafe data[1] & 1 == 1 ? number : number * blockFrameCount
  }

  /// A number of up to 36 bits, coded like a character of UTF-8. Reads up to seven bytes.
  private static func codedNumber(_ bytes: UnsafePointer<UInt8>) -> Int64? {
    let first = unsafe bytes[0]
    let length = (~first).leadingZeroBitCount
    guard length != 0 else { return Int64(first) }
    guard length >= 2, length <= 7 else { return nil }
    var number = Int64(first & (0x7F >> UInt8(length)))
    for index in 1..<length {
      guard unsafe bytes[index] & 0xC0 == 0x80 else { return nil }
      number = unsafe number << 6 | Int64(bytes[index] & 0x3F)
    }
    return number
  }
}
