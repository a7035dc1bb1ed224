import Base
import CFFmpeg
import Machine

/// Statistics of a file's packets: of all of them, or of as many as the time limit allows.
struct PacketScan {
  private(set) var packetCount: Int64 = 0
  private(set) var largestByteCount: Int32 = 0
  private(set) var smallestByteCount = Int32.max
  private(set) var longest: Int64 = 0
  private(set) var shortest = Int64.max
  /// The shortest packet except the last, which may be cut, in the file's time.
  private var earlierShortest = Int64.max
  /// In the file's time, including padding.
  private(set) var duration: Int64 = 0
  /// The same by the packets' times: if these are rounded, so is each duration. 0 without times.
  private(set) var span: Int64 = 0
  private var firstTime: Int64?
  private(set) var paddingFrameCount: Int64 = 0
  private(set) var byteCount: Int64 = 0
  /// Frames of the last packet, if it is Apple Lossless and its header states them.
  private(set) var lastAppleFrameCount: UInt32?
  /// Frames stated by the packets themselves; nil if one does not state them.
  private(set) var codedFrameCount: Int64? = 0
  /// Whether the scan reached the file's end.
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
      unsafe note(packet, file.parameters)
      unsafe av_packet_unref(packet)
    }
  }

  /// The frame count of an Apple Lossless packet that is shorter than the others: the twentieth of 23 header bits says
  /// that the number of frames follows, in 32 bits.
  private static func appleFrameCount(_ packet: UnsafeMutablePointer<AVPacket>) -> UInt32? {
    guard unsafe packet.pointee.size >= 8, let data = unsafe packet.pointee.data, unsafe data[2] & 0x10 != 0 else {
      return nil
    }
    var bits: UInt64 = 0
    for index in 2..<7 { bits = unsafe bits << 8 | UInt64(data[index]) }
    return UInt32(truncatingIfNeeded: bits >> 1)
  }

  /// 0 if neither the packet nor its codec tells.
  private static func codedFrameCount(
    _ packet: UnsafeMutablePointer<AVPacket>, _ parameters: UnsafeMutablePointer<AVCodecParameters>
  ) -> Int64 {
    let byteCount = unsafe packet.pointee.size
    guard let data = unsafe packet.pointee.data, byteCount > 4 else { return 0 }
    switch unsafe parameters.pointee.codec_id {
    case AV_CODEC_ID_OPUS: return unsafe opusFrameCount(data)
    case AV_CODEC_ID_FLAC: return byteCount > 12 ? unsafe flacFrameCount(data) : 0
    case AV_CODEC_ID_EAC3:
      // ETSI TS 102 366, E.1.3.1: blocks of 256 samples, six if the rate is half of another one.
      let blocks = unsafe data[4] >> 4
      return blocks >= 12 || blocks & 3 == 3 ? 1536 : 256 * Int64(blocks & 3 + 1)
    default: return unsafe Int64(av_get_audio_frame_duration2(parameters, byteCount))
    }
  }

  /// RFC 6716, 3.1: five bits for mode and duration, two for the number of frames.
  private static func opusFrameCount(_ data: UnsafePointer<UInt8>) -> Int64 {
    let mode = unsafe Int64(data[0] >> 3)
    let count = unsafe data[0] & 3 == 0 ? 1 : data[0] & 3 < 3 ? 2 : Int64(data[1] & 63)
    if mode < 12 { return count * (mode & 3 == 3 ? 2880 : 480 << (mode & 3)) }
    return count * (mode < 16 ? 480 << (mode & 1) : 120 << (mode & 3))
  }

  /// RFC 9639, 9.1.1 and 9.1.6: a code, or a number of one or two bytes after that of the frame.
  private static func flacFrameCount(_ data: UnsafePointer<UInt8>) -> Int64 {
    let code = unsafe Int64(data[2] >> 4)
    let place = unsafe 4 + max(1, (~data[4]).leadingZeroBitCount)
    switch code {
    case 0: return 0
    case 1: return 192
    case 2...5: return 576 << (code - 2)
    case 6: return unsafe Int64(data[place]) + 1
    case 7: return unsafe (Int64(data[place]) << 8 | Int64(data[place + 1])) + 1
    default: return 256 << (code - 8)
    }
  }

  private mutating func note(
    _ packet: UnsafeMutablePointer<AVPacket>, _ parameters: UnsafeMutablePointer<AVCodecParameters>
  ) {
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
    // Packets that are decoded but never played do not count.
    if unsafe packet.pointee.flags & AV_PKT_FLAG_DISCARD == 0 {
      duration &+= length
      let coded = unsafe Self.codedFrameCount(packet, parameters)
      codedFrameCount = coded > 0 ? codedFrameCount.map { $0 &+ coded } : nil
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

/// The byte offsets of packets in a file whose container has no index, as far as it has been read. When it is full,
/// every second entry is dropped.
@safe struct PacketIndex: ~Copyable {
  struct Place {
    var packet: Int64 = 0
    var time: Int64 = 0
    var byte: Int64 = 0
  }

  private static let capacity = 2048
  // Safe: owned by the value until it ends; no index beyond `count` is read.
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

  /// The last entry at or before a time; nil if there is none.
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

/// How a file's sound is divided into packets, and how these are read.
struct PacketLayout {
  /// Bytes of one sample frame of PCM, whose packets are single frames; 0 for other codecs.
  var frameByteCount = 0
  var packetsPerRead = 1
  var bufferByteCount = 0
  /// The unit of packet times.
  var timeBase = AVRational(num: 1, den: 1)
  /// Mean frames of a packet, to number packets after a seek; 0 if unknown.
  var framesPerPacket = 0.0
  var sampleRateHz = 1
  /// Whether packets are found by their byte offset, because the container has no times.
  var needsIndex = false
  /// Whether the packets' times are exact to the frame.
  var hasExactTimes = false
  /// Derives exact packet positions that the container does not give.
  var numbering = PacketNumbering.unknown
  /// Whether packets come from a server: they are read as they arrive, and only once.
  var isStream = false
  /// Whether another program keeps such a stream in sync: each of its buffers holds one packet.
  var isSynced = false
  /// Frames that the Opus decoder drops at the beginning.
  var preSkip: Int64 = 0

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

/// The frames of a packet that are padding and must not be played.
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

  /// Has the decoder drop the first frames of a packet, and the last ones.
  static func set(_ startFrameCount: UInt32, end endFrameCount: UInt32 = 0, of packet: UnsafeMutablePointer<AVPacket>) {
    guard let data = unsafe av_packet_new_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, 10) else { return }
    let both = UInt64(endFrameCount) << 32 | UInt64(startFrameCount)
    for index in 0..<10 { unsafe data[index] = index < 8 ? UInt8(truncatingIfNeeded: both >> UInt64(8 * index)) : 0 }
  }

  private static func number(_ bytes: UnsafePointer<UInt8>) -> UInt32 {
    unsafe UInt32(
      littleEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt32.self))
  }
}

/// How a packet's position is found if its container gives it no time that is exact to the frame.
enum PacketNumbering {
  /// No exact position is known.
  case unknown
  /// The header of a FLAC frame has the number of the block or of the sample; blocks hold this many samples.
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

  /// The minimum block size in STREAMINFO, which follows a signature in some containers.
  private static func flacBlockFrameCount(_ parameters: UnsafeMutablePointer<AVCodecParameters>) -> Int64? {
    guard let data = unsafe parameters.pointee.extradata else { return nil }
    let start = unsafe data[0] == UInt8(ascii: "f") ? 8 : 0
    guard unsafe parameters.pointee.extradata_size >= start + 34 else { return nil }
    return unsafe Int64(data[start]) << 8 | Int64(data[start + 1])
  }

  /// From the codec's configuration; 0 if there is none.
  static func appleBlockFrameCount(_ parameters: UnsafeMutablePointer<AVCodecParameters>) -> Int64 {
    guard let data = unsafe parameters.pointee.extradata, unsafe parameters.pointee.extradata_size >= 36 else {
      return 0
    }
    var count: Int64 = 0
    for index in 12..<16 { count = unsafe count << 8 | Int64(data[index]) }
    return count
  }

  /// The packet's first frame; nil if it cannot be known.
  /// - Parameters:
  ///   - roundedFrames: the packet's time since the first one, in frames.
  ///   - tolerance: the largest rounding error of that time, in frames.
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
    // Fourteen sync bits, a zero, and whether samples are numbered instead of blocks.
    guard unsafe data[0] == 0xFF, unsafe data[1] & 0xFE == 0xF8 else { return nil }
    guard let number = unsafe codedNumber(data + 4) else { return nil }
    return unsafe data[1] & 1 == 1 ? number : number * blockFrameCount
  }

  /// A number of up to 36 bits, coded like a UTF-8 character. Reads up to seven bytes.
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
