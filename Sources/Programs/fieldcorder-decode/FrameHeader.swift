import CFFmpeg
import Wire

/// What a file consists of that consists only of frames.
enum FrameCoding {
  case mpeg
  /// AAC in ADTS.
  case adts
  /// AC-3 and E-AC-3.
  case dolby

  /// Of the file that FFmpeg has opened; nil if it is of another kind.
  init?(_ file: borrowing SoundFile) {
    if file.isKind("mp3") {
      self = .mpeg
    } else if file.isKind("aac") {
      self = .adts
    } else if file.isKind("ac3") || file.isKind("eac3") {
      self = .dolby
    } else {
      return nil
    }
  }

  /// The first byte of every frame.
  var firstByte: UInt8 { self == .dolby ? 0x0B : 0xFF }
}

/// The header of a frame of MPEG audio (ISO/IEC 11172-3, 2.4.2.3; 13818-3), of AAC in ADTS (ISO/IEC 14496-3, 1.A.3.2),
/// or of AC-3 (ETSI TS 102 366, 4.3 and E.1.2).
struct FrameHeader {
  let byteCount: Int64
  let sampleCount: Int64
  let sampleRateHz: Int32
  /// What all frames of a stream have in common: version, layer and sample rate.
  let kind: UInt32
  /// Offset in the first frame of the variable bit rate table: after the side information of Layer III.
  let tableOffset: Int64

  /// - Returns: nil if no frame begins there, or if its bit rate is not in the tables.
  init?(_ bytes: inout FileBytes, at offset: Int64, _ coding: FrameCoding) {
    guard bytes.byte(at: offset) == coding.firstByte, let word = bytes.bigEndian(at: offset, bytes: 7) else {
      return nil
    }
    switch coding {
    case .mpeg: self.init(mpeg: UInt32(word >> 24))
    case .adts: self.init(adts: word)
    case .dolby: self.init(dolby: word)
    }
  }

  private init?(dolby word: UInt64) {
    let version = Int(word >> 11 & 31)
    var rate = Int(word >> 22 & 3)
    guard word >> 40 == 0x0B77, version <= 16 else { return nil }
    tableOffset = 0
    if version > 10 {
      let shift = rate == 3 ? 1 : 0
      if rate == 3 { rate = Int(word >> 20 & 3) }
      guard rate < 3 else { return nil }
      byteCount = Int64(word >> 24 & 0x7FF) * 2 + 2
      sampleRateHz = Self.dolbyRatesHz[rate] >> shift
      // Some frames only add channels to others.
      sampleCount = 0
      kind = UInt32(0x100 | shift << 4 | rate)
    } else {
      let size = Int(word >> 16 & 63)
      guard rate < 3, size < 38 else { return nil }
      let kilobits = Self.dolbyKilobits[size >> 1]
      byteCount = rate == 0 ? kilobits * 4 : rate == 2 ? kilobits * 6 : (kilobits * 320 / 147 + Int64(size & 1)) * 2
      sampleRateHz = Self.dolbyRatesHz[rate] >> Int32(max(0, version - 8))
      sampleCount = 1536
      kind = UInt32(rate)
    }
  }

  private init?(adts word: UInt64) {
    let rate = Int(word >> 34 & 15)
    guard word >> 44 == 0xFFF, word >> 41 & 3 == 0, rate < Self.adtsRatesHz.count else { return nil }
    byteCount = Int64(word >> 13 & 0x1FFF)
    guard byteCount >= 7 else { return nil }
    sampleCount = 1024 * Int64(word & 3 + 1)
    sampleRateHz = Self.adtsRatesHz[rate]
    kind = UInt32(rate)
    tableOffset = 0
  }

  private init?(mpeg word: UInt32) {
    let version = word >> 19 & 3
    let layer = 4 - Int(word >> 17 & 3)
    let bitRate = Int(word >> 12 & 15)
    let rate = Int(word >> 10 & 3)
    guard word >> 21 == 0x7FF, version != 1, layer < 4, bitRate > 0, bitRate < 15, rate < 3 else { return nil }
    let isFirst = version == 3
    sampleRateHz = Self.mpegRatesHz[rate] >> (isFirst ? 0 : version == 2 ? 1 : 2)
    sampleCount = layer == 1 ? 384 : layer == 3 && !isFirst ? 576 : 1152
    let bitsPerSecond = 1000 * Self.kilobits(isFirst: isFirst, layer: layer, bitRate)
    let padding = Int64(word >> 9 & 1)
    byteCount =
      layer == 1
      ? (12 * bitsPerSecond / Int64(sampleRateHz) + padding) * 4
      : sampleCount / 8 * bitsPerSecond / Int64(sampleRateHz) + padding
    kind = word & 0xFFFE_0C00
    let isMono = word >> 6 & 3 == 3
    tableOffset = isFirst ? (isMono ? 21 : 36) : (isMono ? 13 : 21)
  }

  private static let mpegRatesHz: InlineArray<3, Int32> = [44_100, 48_000, 32_000]
  private static let adtsRatesHz: InlineArray<13, Int32> = [
    96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
  ]

  private static let dolbyRatesHz: InlineArray<3, Int32> = [48_000, 44_100, 32_000]
  private static let dolbyKilobits: InlineArray<19, Int64> = [
    32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
  ]

  private static func kilobits(isFirst: Bool, layer: Int, _ index: Int) -> Int64 {
    if isFirst { return layer == 1 ? 32 * Int64(index) : layer == 2 ? second[index - 1] : third[index - 1] }
    return layer == 1 ? lowFirst[index - 1] : low[index - 1]
  }

  private static let second: InlineArray<14, Int64> = [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
  private static let third: InlineArray<14, Int64> = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
  private static let lowFirst: InlineArray<14, Int64> = [
    32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256,
  ]
  private static let low: InlineArray<14, Int64> = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
}

/// The first frame of an MP3 file if it holds a table instead of sound: the Xing table, which LAME extended, or
/// Fraunhofer's.
struct VariableRateHeader {
  /// Frames of sound; 0 if unknown.
  var frameCount: Int64 = 0
  /// The offset of that number; nil if there is none.
  private(set) var countPlace: Int64?
  /// Whether all frames have one bit rate.
  private(set) var isConstant = false
  /// Counted from this frame; 0 if unknown.
  private(set) var byteCount: Int64 = 0
  /// Samples that the encoder put before and after the sound; nil if unknown.
  private(set) var delay: Int64?
  private(set) var padding: Int64 = 0

  /// The delay that every Layer III decoder adds to the encoder's.
  static let decoderDelay: Int64 = 529

  /// - Returns: nil if the frame holds sound.
  init?(_ bytes: inout FileBytes, in frame: FrameHeader, at offset: Int64) {
    let table = offset + frame.tableOffset
    isConstant = bytes.equals("Info", at: table)
    if isConstant || bytes.equals("Xing", at: table) {
      readXing(&bytes, table)
    } else if bytes.equals("VBRI", at: offset + 36) {
      byteCount = Int64(bytes.bigEndian(at: offset + 46, bytes: 4) ?? 0)
      frameCount = Int64(bytes.bigEndian(at: offset + 50, bytes: 4) ?? 0)
    } else {
      return nil
    }
  }

  private mutating func readXing(_ bytes: inout FileBytes, _ table: Int64) {
    let flags = bytes.bigEndian(at: table + 4, bytes: 4) ?? 0
    var place = table + 8
    if flags & 1 != 0 {
      frameCount = Int64(bytes.bigEndian(at: place, bytes: 4) ?? 0)
      countPlace = place
      place += 4
    }
    if flags & 2 != 0 {
      byteCount = Int64(bytes.bigEndian(at: place, bytes: 4) ?? 0)
      place += 4
    }
    if flags & 4 != 0 { place += 100 }
    if flags & 8 != 0 { place += 4 }
    guard bytes.equals("LAME", at: place) || bytes.equals("Lavf", at: place) || bytes.equals("Lavc", at: place),
      let both = bytes.bigEndian(at: place + 21, bytes: 3)
    else { return }
    delay = Int64(both >> 12)
    padding = Int64(both & 0xFFF)
  }

  /// The sample frames that FFmpeg decodes: without the delay, but with the padding.
  func decodedFrameCount(samplesPerFrame: Int64) -> Int64 {
    frameCount * samplesPerFrame - (delay.map { $0 + Self.decoderDelay } ?? 0)
  }

  /// The sample frames to play out of this many MPEG frames.
  func heardFrameCount(_ count: Int64, samplesPerFrame: Int64) -> Int64 {
    guard let delay else { return count * samplesPerFrame }
    var end = count * samplesPerFrame
    if frameCount > 0 { end = min(end, frameCount * samplesPerFrame - max(0, padding - Self.decoderDelay)) }
    return max(0, end - delay - Self.decoderDelay)
  }
}

/// The length of an MP3 stream, as its first frame states it.
struct StreamTable {
  private static var longestFrame: Int64 { 2881 }

  let seconds: Double
  /// The frames after the sound that the encoder added.
  let padding: Range<Int64>
  /// The offset of that frame, and the mean size of all frames.
  let scale: LengthScale

  /// - Parameter bytes: FFmpeg has just read the frame, and nothing after it.
  /// - Returns: nil if there is no table that counts frames and bytes.
  init?(_ input: UnsafeMutablePointer<FileInput>, _ bytes: UnsafeMutablePointer<AVIOContext>) {
    let end = unsafe bytes.pointee.pos - Int64(bytes.pointee.buf_end - bytes.pointee.buf_ptr)
    var read = unsafe FileBytes(input, in: bytes)
    for place in max(0, end - Self.longestFrame)..<end {
      guard let frame = FrameHeader(&read, at: place, .mpeg), place + frame.byteCount == end,
        let header = VariableRateHeader(&read, in: frame, at: place), header.frameCount > 0, header.byteCount > 0
      else { continue }
      let rate = Double(frame.sampleRateHz)
      let heard = header.heardFrameCount(header.frameCount, samplesPerFrame: frame.sampleCount)
      padding = heard..<max(heard, header.decodedFrameCount(samplesPerFrame: frame.sampleCount))
      seconds = Double(heard) / rate
      let perSecond = Double(header.byteCount) / max(seconds, 1 / rate)
      guard seconds < 1e7, perSecond < 1e7 else { return nil }
      scale = LengthScale(.bytes, start: UInt64(place), perSecond: perSecond)
      return
    }
    return nil
  }
}
