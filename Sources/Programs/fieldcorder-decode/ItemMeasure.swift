import CFFmpeg
import Decoding
import Text

/// What is known of an item before it is decoded: how long it is, and what its packets are like.
struct ItemMeasure {
  /// A file without times of its own is read for so long, to learn its duration.
  private static var longestScanNanoseconds: UInt64 { 900_000_000 }
  private static var hurriedScanNanoseconds: UInt64 { 80_000_000 }
  /// Others only to learn about their packets, and only when they are small.
  private static var packetScanNanoseconds: UInt64 { 300_000_000 }
  private static var packetScanByteLimit: Int64 { 16 << 20 }

  /// Others are mistakes, or not for ears.
  static var sampleRatesHz: ClosedRange<Int32> { 1000...768_000 }

  private(set) var durationSeconds = 0.0
  /// Frames without padding, in the rate that the container tells.
  private(set) var frameCount: Int64 = 0
  /// Whether not one frame more or less is there.
  private(set) var isExact = false
  private(set) var scan = PacketScan()
  private(set) var frameByteCount = 0
  private let coding: AVCodecID
  private let sampleRateHz: Int32
  private let channelCount: Int32
  /// Bytes of a block, and frames of a packet, where the coding has one number for all; 0 where not.
  private let blockByteCount: Int32
  private let codedFrameCount: Int32
  private let timeBase: AVRational
  /// Whether the container tells no times at all.
  private let hasNoTimes: Bool

  /// How closely a file is looked at.
  enum Care {
    /// Its duration matters alone.
    case duration
    /// Somebody listens to another one meanwhile, so it must be short.
    case hurry
    /// All that can be known within a listener's patience.
    case full
  }

  /// The file is somewhere in the middle then, and to be opened once more when ``hasMoved``.
  init(_ file: inout SoundFile, _ input: borrowing FileInput, _ care: Care) throws(DecoderRefusal) {
    let parameters = unsafe file.parameters
    coding = unsafe parameters.pointee.codec_id
    sampleRateHz = unsafe parameters.pointee.sample_rate
    channelCount = unsafe parameters.pointee.ch_layout.nb_channels
    blockByteCount = unsafe parameters.pointee.block_align
    codedFrameCount = unsafe parameters.pointee.frame_size
    timeBase = file.timeBase
    hasNoTimes = file.isKind("mp3") || file.isKind("aac")
    try check()
    frameByteCount = PacketLayout.frameByteCount(coding, channelCount: channelCount)
    let told = unsafe file.stream.pointee.duration
    let isTold = told > 0 && !file.hasEstimatedDuration
    if frameByteCount == 0 {
      if !isTold && file.fileDurationMicroseconds == 0 || file.hasEstimatedDuration {
        let limit = care == .hurry ? Self.hurriedScanNanoseconds : Self.longestScanNanoseconds
        scan.run(&file, forNanoseconds: limit)
      } else if care == .hurry, coding == AV_CODEC_ID_AAC, file.isMovie {
        scan.run(&file, forNanoseconds: Self.hurriedScanNanoseconds)
      } else if care == .full, input.byteCount <= Self.packetScanByteLimit {
        scan.run(&file, forNanoseconds: Self.packetScanNanoseconds)
      }
    }
    settle(told: isTold ? told : 0, file, input)
  }

  /// Whether packets were read.
  var hasMoved: Bool { scan.packetCount > 0 }

  private func check() throws(DecoderRefusal) {
    guard coding != AV_CODEC_ID_NONE else { throw .unknownCodec }
    guard channelCount >= 1, sampleRateHz > 0 else { throw .damaged }
    guard channelCount <= 8, Self.sampleRatesHz.contains(sampleRateHz) else { throw .unknownCodec }
  }

  private var frameTime: AVRational { AVRational(num: 1, den: sampleRateHz) }

  private func frames(_ time: Int64) -> Int64 { av_rescale_q(time, timeBase, frameTime) }

  private mutating func settle(told: Int64, _ file: borrowing SoundFile, _ input: borrowing FileInput) {
    if scan.isComplete, scan.duration > 0, hasNoTimes {
      frameCount = max(0, frames(scan.duration) - scan.paddingFrameCount)
      isExact = true
    } else if told > 0, coding == AV_CODEC_ID_AAC, file.isMovie {
      // The container's own duration is often told in milliseconds. Packets of fragments tell none.
      let counted = scan.isComplete && scan.duration > 0 ? frames(scan.duration) - scan.paddingFrameCount : nil
      frameCount = file.gaplessFrameCount ?? counted ?? frames(told)
      isExact = file.gaplessFrameCount != nil || counted != nil
    } else if told > 0 {
      frameCount = frames(told)
      if frameByteCount > 0, file.isContiguous { frameCount = min(frameCount, input.byteCount / Int64(frameByteCount)) }
      heedPackets(file)
    } else if file.fileDurationMicroseconds > 0, !file.hasEstimatedDuration {
      frameCount = av_rescale(file.fileDurationMicroseconds, Int64(sampleRateHz), 1_000_000)
    } else if scan.isComplete {
      frameCount = max(0, frames(scan.duration) - scan.paddingFrameCount)
    } else if scan.duration > 0, scan.byteCount > 0 {
      let scanned = Double(frames(scan.duration))
      frameCount = Int64(min(1e12, scanned * Double(input.byteCount) / Double(scan.byteCount)))
    } else {
      frameCount = av_rescale(file.fileDurationMicroseconds, Int64(sampleRateHz), 1_000_000)
    }
    frameCount = min(1 << 40, max(0, frameCount))
    durationSeconds = min(1e7, Double(frameCount) / Double(sampleRateHz))
  }

  /// Some headers tell blocks instead of frames, what was promised before the file was cut off, or how long the pictures
  /// are. What the packets say is taken when it is something else by more than a listener would forgive.
  private mutating func heedPackets(_ file: borrowing SoundFile) {
    guard scan.isComplete else { return }
    if coding == AV_CODEC_ID_ALAC, let last = scan.lastAppleFrameCount {
      let longest = scan.longest > 0 ? frames(scan.longest) : (frameCount + scan.packetCount - 1) / scan.packetCount
      frameCount = (scan.packetCount - 1) * longest + min(Int64(last), longest)
    } else if scan.duration > 0 {
      let scanned = max(0, frames(scan.duration) - scan.paddingFrameCount)
      let excess = scanned - frameCount
      // The times of Windows Media are those of the whole film.
      let tolerance = Int64(sampleRateHz) / (excess > 0 ? 25 : 5)
      if abs(excess) > tolerance || file.isKind("asf") { frameCount = scanned }
    }
  }

  /// Frames of each packet; 0 when they differ, or nobody knows.
  var framesPerPacket: Int64 {
    if frameByteCount > 0 { return 1 }
    if scan.hasOneLength { return frames(scan.longest) }
    if scan.isComplete { return 0 }
    switch coding {
    case AV_CODEC_ID_MP3: return sampleRateHz >= 32_000 ? 1152 : 576
    case AV_CODEC_ID_AAC: return 1024
    default: return Int64(max(0, codedFrameCount))
    }
  }

  /// On average.
  var meanFramesPerPacket: Double {
    guard framesPerPacket == 0, scan.packetCount > 0 else { return Double(framesPerPacket) }
    return Double(frames(scan.duration)) / Double(scan.packetCount)
  }

  /// Whether packets differ in bytes or frames; what is coded does as a rule.
  var packetsVary: Bool {
    guard frameByteCount == 0 else { return false }
    return scan.packetCount > 0 ? scan.varies : blockByteCount == 0
  }

  /// Of all packets when all were seen, else what bounds them.
  func largestPacketByteCount(_ file: borrowing SoundFile) -> UInt32 {
    if frameByteCount > 0 { return UInt32(frameByteCount) }
    if scan.isComplete { return UInt32(max(1, scan.largestByteCount)) }
    if let largest = file.largestIndexedPacket { return UInt32(largest) }
    return max(UInt32(max(1, scan.largestByteCount)), bound)
  }

  private var bound: UInt32 {
    let channels = UInt32(channelCount)
    return switch coding {
    case AV_CODEC_ID_MP3, AV_CODEC_ID_MP2, AV_CODEC_ID_MP1: 1441 + 287
    case AV_CODEC_ID_AAC: 768 * channels
    case AV_CODEC_ID_OPUS: 1275 * 3 + 7
    case AV_CODEC_ID_VORBIS: 4096 * channels
    case AV_CODEC_ID_FLAC: 4608 * 4 * channels
    case AV_CODEC_ID_ALAC: 4096 * 4 * channels + 64
    case AV_CODEC_ID_WAVPACK: 24_000 * 4 * channels
    default: blockByteCount > 0 ? UInt32(min(blockByteCount, 0x50000)) : 0x4000
    }
  }

  /// How the file's packets are to be read.
  func layout(_ file: borrowing SoundFile) -> PacketLayout {
    let plan = BufferPlan(
      sampleRateHz: UInt32(sampleRateHz), framesPerPacket: UInt32(clamping: framesPerPacket),
      largestPacketByteCount: largestPacketByteCount(file))
    var layout = PacketLayout()
    layout.frameByteCount = frameByteCount
    layout.packetsPerRead = Int(plan.packetsPerRead)
    layout.bufferByteCount = Int(plan.byteCount)
    layout.timeBase = frameByteCount > 0 ? frameTime : timeBase
    layout.framesPerPacket = meanFramesPerPacket
    layout.sampleRateHz = Int(sampleRateHz)
    // Of what is coded, the times in a WAV are reckoned from its bit rate.
    layout.needsIndex = hasNoTimes || (frameByteCount == 0 && file.isKind("wav"))
    // After a leap, FLAC in Ogg has the times of another packet.
    let hasWrongTimes = coding == AV_CODEC_ID_FLAC && file.isKind("ogg")
    layout.hasExactTimes = timeBase.den / max(1, timeBase.num) >= sampleRateHz && !hasWrongTimes
    return layout
  }

  /// What the recorder is told.
  func properties(_ file: borrowing SoundFile) -> ItemProperties {
    let layout = layout(file)
    var properties = ItemProperties()
    properties.durationSeconds = durationSeconds
    properties.frameCount = UInt64(frameCount)
    properties.sampleRateHz = UInt32(layout.sampleRateHz)
    properties.channelCount = UInt16(channelCount)
    properties.codecName = unsafe FixedText(cString: avcodec_get_name(coding))
    properties.framesPerPacket = UInt32(clamping: framesPerPacket)
    properties.packetsVary = packetsVary
    properties.largestPacketByteCount = largestPacketByteCount(file)
    properties.bufferByteCount = UInt32(layout.bufferByteCount)
    properties.packetsPerRead = UInt32(layout.packetsPerRead)
    properties.title = unsafe Self.text(file.tag("title"))
    properties.artist = unsafe Self.text(file.tag("artist") ?? file.tag("author") ?? file.tag("album_artist"))
    return properties
  }

  /// What is no UTF-8 is replaced when the message is written.
  private static func text(_ tag: UnsafePointer<CChar>?) -> FixedText<128> {
    unsafe FixedText(cString: tag)
  }
}
