import Base
import CFFmpeg
import CLinux
import Wire

/// What is known about an item before it is decoded: its duration, and the sizes of its packets.
struct ItemMeasure {
  /// Limits for files whose duration is known: these are scanned only for their packets, and only if they are small.
  private static var packetScanNanoseconds: UInt64 { 300_000_000 }
  private static var packetScanByteLimit: Int64 { 16 << 20 }
  private static var musepackFrames: Int64 { 1152 }

  /// A file with another rate is damaged, or not audio.
  static var sampleRatesHz: ClosedRange<Int32> { 1000...768_000 }

  private(set) var durationSeconds = 0.0
  /// Frames without padding, at the container's rate.
  private(set) var frameCount: Int64 = 0
  /// Whether the frame count is exact.
  private(set) var isExact = false
  /// Frames of a stream that the encoder added after the sound, and that FFmpeg does not drop.
  private(set) var padding: Range<Int64>?
  private(set) var scan = PacketScan()
  private(set) var frameByteCount = 0
  private let coding: AVCodecID
  private let sampleRateHz: Int32
  private let channelCount: Int32
  /// Bytes of a block, and frames of a packet, if the codec fixes them; otherwise 0.
  private let blockByteCount: Int32
  private let codedFrameCount: Int32
  /// Frames that the Opus decoder drops at the beginning.
  private let preSkip: Int64
  /// Frames of a packet of Apple Lossless; 0 for other codecs.
  private let appleBlockFrameCount: Int64
  /// The delay of the Speex decoder in frames, which the container's times do not include.
  private let speexLookahead: Int64
  private let timeBase: AVRational
  private let hasNoTimes: Bool
  private let isStream: Bool
  private let isSynced: Bool
  /// What is known about the open part of the file.
  private let part: FilePart?

  /// How much of a file is examined.
  enum ProbeEffort {
    /// Only what the duration needs.
    case duration
    /// Nothing: each byte comes only once.
    case none
    /// Little: another item is playing meanwhile.
    case quick
    /// Everything that can be learned within the time limit.
    case full

    /// How long a file that does not state its duration may be scanned for it.
    var scanNanoseconds: UInt64 { self == .quick ? 80_000_000 : 900_000_000 }
  }

  /// The file must be opened again if ``hasMoved``.
  init(_ file: inout SoundFile, _ input: borrowing FileInput, _ effort: ProbeEffort) throws(DecoderRefusal) {
    let parameters = unsafe file.parameters
    coding = unsafe parameters.pointee.codec_id
    isStream = input.isStream
    isSynced = input.isSynced
    sampleRateHz = unsafe parameters.pointee.sample_rate
    channelCount = unsafe parameters.pointee.ch_layout.nb_channels
    blockByteCount = unsafe parameters.pointee.block_align
    codedFrameCount = unsafe parameters.pointee.frame_size
    preSkip = unsafe Self.preSkip(parameters)
    let isApple = coding == AV_CODEC_ID_ALAC
    appleBlockFrameCount = isApple ? unsafe PacketNumbering.appleBlockFrameCount(parameters) : 0
    speexLookahead = unsafe Self.speexLookahead(parameters)
    timeBase = file.timeBase
    hasNoTimes = file.isKind("mp3") || file.isKind("aac")
    part = input.parts.current
    try check()
    let stated = unsafe file.stream.pointee.duration
    let isStated = stated > 0 && !file.hasEstimatedDuration
    guard effort != .none else {
      durationSeconds = statedSeconds(file, isStated ? stated : 0)
      padding = file.table?.padding
      return
    }
    frameByteCount = PacketLayout.frameByteCount(coding, channelCount: channelCount)
    if frameByteCount == 0 {
      if !isStated && file.fileDurationMicroseconds == 0 || file.hasEstimatedDuration {
        if part?.frameCount == nil { scan.run(&file, forNanoseconds: effort.scanNanoseconds) }
      } else if effort == .quick, isTrimmed(file) {
        scan.run(&file, forNanoseconds: effort.scanNanoseconds)
      } else if effort == .full || needsPackets(file), input.byteCount <= Self.packetScanByteLimit {
        scan.run(&file, forNanoseconds: Self.packetScanNanoseconds)
      }
    } else if effort != .quick, file.isKind("matroska,webm"), input.byteCount <= Self.packetScanByteLimit {
      // The end may be missing.
      scan.run(&file, forNanoseconds: Self.packetScanNanoseconds)
    }
    settle(stated: isStated ? stated : 0, file, input)
  }

  /// The duration stated by the header of a stream; 0 if unknown.
  private func statedSeconds(_ file: borrowing SoundFile, _ stated: Int64) -> Double {
    if let table = file.table { return table.seconds }
    var frameCount = stated > 0 ? frames(stated) : 0
    if frameCount == 0, blockByteCount > 0, codedFrameCount <= 1, let counted = file.countedFrames {
      frameCount = counted
    } else if frameCount == 0, !file.hasEstimatedDuration {
      frameCount = av_rescale(file.fileDurationMicroseconds, Int64(sampleRateHz), 1_000_000)
    }
    if file.isKind("matroska,webm") { frameCount -= preSkip }
    return min(1e7, max(0, Double(decodedFrameCount(frameCount, file)) / Double(sampleRateHz)))
  }

  /// Whether packets were read, so that the file is no longer at its start.
  var hasMoved: Bool { scan.packetCount > 0 }

  private func check() throws(DecoderRefusal) {
    guard coding != AV_CODEC_ID_NONE else { throw .unknownCodec }
    guard channelCount >= 1, sampleRateHz > 0 else { throw .damaged }
    guard channelCount <= 8, Self.sampleRatesHz.contains(sampleRateHz) else { throw .unknownCodec }
  }

  /// From the Opus identification header (RFC 7845, 5.1).
  private static func preSkip(_ parameters: UnsafeMutablePointer<AVCodecParameters>) -> Int64 {
    guard unsafe parameters.pointee.codec_id == AV_CODEC_ID_OPUS, unsafe parameters.pointee.extradata_size >= 19,
      let head = unsafe parameters.pointee.extradata
    else { return 0 }
    return unsafe Int64(head[10]) | Int64(head[11]) << 8
  }

  /// The decoder's lookahead, by the mode in the Speex header: narrowband, wideband or ultra-wideband.
  private static func speexLookahead(_ parameters: UnsafeMutablePointer<AVCodecParameters>) -> Int64 {
    guard unsafe parameters.pointee.codec_id == AV_CODEC_ID_SPEEX, unsafe parameters.pointee.extradata_size > 40,
      let head = unsafe parameters.pointee.extradata
    else { return 0 }
    return unsafe 40 << Int64(min(2, head[40]))
  }

  /// Whether it is a movie that says how much of its first and last packets is played.
  private func isTrimmed(_ file: borrowing SoundFile) -> Bool {
    guard file.isMovie else { return false }
    switch coding {
    case AV_CODEC_ID_AAC, AV_CODEC_ID_OPUS, AV_CODEC_ID_MP3, AV_CODEC_ID_VORBIS, AV_CODEC_ID_AC3, AV_CODEC_ID_EAC3:
      return true
    default: return false
    }
  }

  /// Whether the container's length counts whole packets, or only the first of several concatenated files.
  private func needsPackets(_ file: borrowing SoundFile) -> Bool {
    file.isKind("matroska,webm") || file.isKind("mpegts") || file.isKind("mpeg") || file.isKind("avi")
      || coding == AV_CODEC_ID_ALAC && file.isKind("caf")
      || isFrames(file)
  }

  /// Whether it is MPEG audio in a WAV: all of its frames are played, whatever the file says of their number.
  private func isFrames(_ file: borrowing SoundFile) -> Bool {
    (file.isKind("wav") || file.isKind("w64")) && (coding == AV_CODEC_ID_MP3 || coding == AV_CODEC_ID_MP2)
  }

  /// Whether FFmpeg outputs the priming frames: the first packet's time is negative, or the part states them.
  var hasPriming: Bool { coding == AV_CODEC_ID_SPEEX || primingFrameCount > 0 }
  var primingFrameCount: Int64 { max(part?.primingFrameCount ?? 0, speexLookahead) }

  /// Whether each packet states its exact frame count, which the packets' times round.
  private var isOfWholeFrames: Bool {
    coding == AV_CODEC_ID_AC3 || coding == AV_CODEC_ID_EAC3 || coding == AV_CODEC_ID_DTS
  }

  private var frameTime: AVRational { AVRational(num: 1, den: sampleRateHz) }
  private func frames(_ time: Int64) -> Int64 { av_rescale_q(time, timeBase, frameTime) }

  private mutating func settle(stated: Int64, _ file: borrowing SoundFile, _ input: borrowing FileInput) {
    if let part, let count = part.frameCount, part.sampleRateHz > 0 {
      frameCount = av_rescale(count, Int64(sampleRateHz), Int64(part.sampleRateHz))
      // FFmpeg trims a stream in Ogg by its own position, except Speex.
      isExact = hasNoTimes || hasPriming || file.isKind("caf")
    } else if file.isKind("mpc8"), let stated = MusepackHeader.frameCount(input) {
      // The decoder outputs all of the last packet.
      frameCount = (stated + Self.musepackFrames - 1) / Self.musepackFrames * Self.musepackFrames
    } else if scan.isComplete, scan.duration > 0, hasNoTimes || isFrames(file) {
      frameCount = max(0, frames(scan.duration) - scan.paddingFrameCount)
      isExact = hasNoTimes
    } else if let end = file.cutEnd(input.byteCount, frameByteCount: frameByteCount) {
      frameCount = frames(end.time) + end.frameCount
    } else if stated > 0, isTrimmed(file) {
      // The container's own duration is often in milliseconds. Packets of fragments have none.
      let counted = scan.isComplete && scan.duration > 0 ? frames(scan.duration) - scan.paddingFrameCount : nil
      // A tag that tells another length is of another file.
      let gapless = file.gapless.flatMap {
        abs($0.frameCount - frames(stated)) < Int64(sampleRateHz) ? $0.frameCount : nil
      }
      frameCount = gapless ?? counted ?? frames(stated)
      isExact = gapless != nil || counted != nil || timeBase.den == sampleRateHz
    } else if stated == 0 && isOfWholeFrames || file.isKind("mpegts"), scan.isComplete,
      let coded = scan.codedFrameCount
    {
      frameCount = max(0, coded - scan.paddingFrameCount)
    } else if frameByteCount > 0, file.isKind("matroska,webm"), scan.isComplete {
      frameCount = scan.byteCount / Int64(frameByteCount)
    } else if frameByteCount > 0, let counted = file.countedFrames {
      // The rest of the file is not sound.
      frameCount = min(counted, input.byteCount / Int64(frameByteCount))
    } else if frameByteCount > 0, let byteCount = file.indexedByteCount {
      frameCount = byteCount / Int64(frameByteCount)
    } else if stated > 0 {
      // A container's length includes Opus's pre-skip.
      frameCount = frames(stated) - preSkip
      if frameByteCount > 0, file.isContiguous { frameCount = min(frameCount, input.byteCount / Int64(frameByteCount)) }
      correctByPackets(file)
    } else if file.fileDurationMicroseconds > 0, !file.hasEstimatedDuration {
      frameCount = av_rescale(file.fileDurationMicroseconds, Int64(sampleRateHz), 1_000_000) - preSkip
      if preSkip > 0 || file.isKind("matroska,webm") { correctByPackets(file) }
    } else if scan.isComplete {
      frameCount = max(0, frames(scan.duration) - scan.paddingFrameCount)
    } else if scan.duration > 0, scan.byteCount > 0 {
      let scanned = Double(frames(scan.duration))
      frameCount = Int64(min(1e12, scanned * Double(input.byteCount) / Double(scan.byteCount)))
    } else {
      frameCount = av_rescale(file.fileDurationMicroseconds, Int64(sampleRateHz), 1_000_000)
    }
    frameCount = min(1 << 40, max(0, decodedFrameCount(frameCount, file)))
    durationSeconds = min(1e7, Double(frameCount) / Double(sampleRateHz))
  }

  /// The frames decoded from a container's count, which may be in the wrong unit or include frames that are not played.
  private func decodedFrameCount(_ count: Int64, _ file: borrowing SoundFile) -> Int64 {
    if coding == AV_CODEC_ID_AAC, scan.isComplete, file.isKind("matroska,webm") {
      // The count is in milliseconds; packets have 1024 frames, or 2048 with both halves of the spectrum.
      let step: Int64 = count > 1536 * scan.packetCount ? 2048 : 1024
      return scan.packetCount * step - scan.paddingFrameCount
    }
    guard file.isKind("asf"), coding == AV_CODEC_ID_WMAV1 || coding == AV_CODEC_ID_WMAV2 else { return count }
    // The first two blocks are the decoder's delay, and one comes after the last.
    let step: Int64 =
      sampleRateHz <= 16_000 ? 512 : sampleRateHz <= (coding == AV_CODEC_ID_WMAV1 ? 32_000 : 22_050) ? 1024 : 2048
    return max(0, (count + step / 2) / step - 1) * step
  }

  /// Some headers count blocks instead of frames, describe the file before it was cut off, or state the video's length.
  /// The packets' durations are used instead if they differ audibly.
  private mutating func correctByPackets(_ file: borrowing SoundFile) {
    guard scan.isComplete else { return }
    if coding == AV_CODEC_ID_ALAC, let last = scan.lastAppleFrameCount {
      let longest =
        appleBlockFrameCount > 0
        ? appleBlockFrameCount
        : scan.longest > 0 ? frames(scan.longest) : (frameCount + scan.packetCount - 1) / scan.packetCount
      frameCount = (scan.packetCount - 1) * longest + min(Int64(last), longest)
    } else if scan.duration > 0 {
      let coded = preSkip > 0 || file.isKind("matroska,webm") ? scan.codedFrameCount : nil
      let scanned = max(0, (coded ?? frames(scan.duration)) - scan.paddingFrameCount - preSkip)
      let excess = scanned - frameCount
      // Windows Media's times are those of the whole movie.
      let tolerance = Int64(sampleRateHz) / (excess > 0 ? 25 : 5)
      if file.isKind("asf") {
        frameCount = frames(max(scan.span, scan.longest))
      } else if abs(excess) > tolerance || preSkip > 0 || isOfCodedFrames && coded != nil {
        frameCount = scanned
      }
    }
  }

  /// Whether the frames that the packets state are all that is heard.
  private var isOfCodedFrames: Bool { coding == AV_CODEC_ID_MP3 || coding == AV_CODEC_ID_FLAC }

  /// Frames in each packet; 0 if they differ or are unknown.
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

  /// The mean over all packets.
  var meanFramesPerPacket: Double {
    guard framesPerPacket == 0, scan.packetCount > 0 else { return Double(framesPerPacket) }
    return Double(frames(scan.duration)) / Double(scan.packetCount)
  }

  /// Whether packets differ in bytes or frames; those of compressed sound usually do.
  var packetsVary: Bool {
    guard frameByteCount == 0 else { return false }
    return scan.packetCount > 0 ? scan.varies : blockByteCount == 0
  }

  /// The exact value if all packets were scanned, otherwise an upper bound.
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

  /// How to read the file's packets.
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
    // In a WAV, the times of compressed sound are estimated from its bit rate.
    layout.needsIndex = hasNoTimes || (frameByteCount == 0 && file.isKind("wav"))
    // After a seek, FLAC in Ogg has the times of another packet.
    let hasWrongTimes = coding == AV_CODEC_ID_FLAC && file.isKind("ogg")
    let ticksPerSecond = Double(timeBase.den) / Double(max(1, timeBase.num))
    layout.hasExactTimes = ticksPerSecond >= Double(sampleRateHz) && !hasWrongTimes
    if isStream {
      layout.isStream = true
      layout.isSynced = isSynced
      layout.preSkip = preSkip
      layout.packetsPerRead = isSynced ? 1 : BufferPlan.streamPacketCount
      layout.bufferByteCount = isSynced ? BufferPlan.syncedByteCount : BufferPlan.streamByteCount
    }
    guard !layout.hasExactTimes, !layout.needsIndex, frameByteCount == 0 else { return layout }
    layout.numbering = unsafe PacketNumbering(file.parameters, ticksPerSecond: ticksPerSecond)
    guard layout.numbering.isKnown else { return layout }
    layout.timeBase = frameTime
    layout.hasExactTimes = true
    return layout
  }

  /// What is reported to the recorder; for a file with several parts, the total length.
  func properties(_ file: borrowing SoundFile, _ input: UnsafeMutablePointer<FileInput>) -> ItemProperties {
    let layout = layout(file)
    var properties = ItemProperties()
    let isWhole = unsafe !input.pointee.parts.hasSeveral
    properties.durationSeconds = unsafe isWhole ? durationSeconds : min(1e7, input.pointee.parts.wholeSeconds)
    properties.frameCount =
      isWhole ? UInt64(frameCount) : UInt64(properties.durationSeconds * Double(sampleRateHz) + 0.5)
    properties.sampleRateHz = UInt32(layout.sampleRateHz)
    properties.channelCount = UInt16(channelCount)
    properties.codecName = unsafe FixedText(cString: avcodec_get_name(coding))
    properties.framesPerPacket = UInt32(clamping: framesPerPacket)
    properties.packetsVary = packetsVary
    properties.largestPacketByteCount = largestPacketByteCount(file)
    properties.bufferByteCount = UInt32(layout.bufferByteCount)
    properties.packetsPerRead = UInt32(layout.packetsPerRead)
    let tags = unsafe ItemTags(file, input)
    properties.title = tags.title
    properties.artist = tags.artist
    properties.albumPlace = file.albumPlace
    return properties
  }
}

/// The stream header of Musepack SV8. FFmpeg counts in blocks of packets, which are up to 1.7 s long.
enum MusepackHeader {
  private static let byteCount = 64

  /// The number of frames that were encoded; nil if the header is not at the file's beginning.
  static func frameCount(_ input: borrowing FileInput) -> Int64? {
    var bytes = InlineArray<64, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    let count = unsafe span.withUnsafeMutableBufferPointer { unsafe input.peek($0.baseAddress!, byteCount: $0.count) }
    guard count == byteCount, bytes.span.extracting(first: 4).equals("MPCK") else { return nil }
    var offset = 4
    while offset + 2 < byteCount {
      let isStreamHeader = bytes.span.extracting(offset..<offset + 2).equals("SH")
      var next = offset + 2
      guard let size = number(bytes.span, &next), size > 2 else { return nil }
      guard isStreamHeader else {
        guard size < byteCount else { return nil }
        offset += Int(size)
        continue
      }
      // The count follows a checksum and the version.
      next += 5
      return number(bytes.span, &next)
    }
    return nil
  }

  /// Seven bits a byte, most significant first; all bytes but the last have their top bit set.
  private static func number(_ bytes: Span<UInt8>, _ offset: inout Int) -> Int64? {
    var value: Int64 = 0
    while offset < bytes.count, value < 1 << 33 {
      let byte = bytes[offset]
      offset += 1
      value = value << 7 | Int64(byte & 0x7F)
      if byte & 0x80 == 0 { return value }
    }
    return nil
  }
}
