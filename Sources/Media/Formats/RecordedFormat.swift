import Base

/// The formats of a file's sound and pictures, as the file states them.
package struct RecordedFormat: BitwiseCopyable, Sendable {
  package private(set) var sampleRateHz: UInt32 = 0
  /// 0 without sound.
  package private(set) var channelCount: UInt16 = 0
  private var bitsPerSample: UInt32 = 0
  private var picture: (codec: FourCharacterCode, widthPixels: UInt16, heightPixels: UInt16)?

  package init() {}

  /// Reads the header of a file with sound alone.
  /// - Parameter front: the beginning of the file.
  package mutating func readSound(front: RawSpan) {
    if let format = FLACInformation.format(in: front) {
      sampleRateHz = format.sampleRateHz
      return take(format.channelCount, format.bitsPerSample)
    }
    guard let chunks = AudioChunks(front) else { return }
    switch chunks.container {
    case .aiff:
      guard let start = chunks.first("COMM")?.contentStart, let exponent = front.big16(at: start + 8),
        let mantissa = front.big64(at: start + 10)
      else { return }
      // Extended precision: the mantissa has its leading one.
      sampleRateHz = UInt32(truncatingIfNeeded: mantissa >> UInt64(63 - (Int(exponent) - 16_383)))
      take(front.big16(at: start), UInt32(front.big16(at: start + 6) ?? 0))
    case .caf:
      guard let start = chunks.first("desc")?.contentStart, let rate = front.big64(at: start) else { return }
      sampleRateHz = UInt32(exactly: Double(bitPattern: rate)) ?? 0
      take(UInt16(truncatingIfNeeded: front.big32(at: start + 24) ?? 0), front.big32(at: start + 28))
    case .flac: return
    case .wav:
      guard let start = chunks.first("fmt ")?.contentStart else { return }
      sampleRateHz = front.big32(at: start + 4)?.byteSwapped ?? 0
      take(front.big16(at: start + 2)?.byteSwapped, UInt32(front.big16(at: start + 14)?.byteSwapped ?? 0))
    }
  }

  private mutating func take(_ channelCount: UInt16?, _ bitsPerSample: UInt32?) {
    self.channelCount = channelCount ?? 0
    self.bitsPerSample = bitsPerSample ?? 0
  }

  /// Where a movie's first track begins in its tables.
  /// - Parameter tables: start with the `moov`. Nil if fieldcorder did not write them.
  package static func firstTrack(tables: RawSpan) -> UInt64? {
    guard tables.code(at: 4) == "moov", tables.code(at: 12) == "mvhd", let byteCount = tables.big32(at: 8)
    else { return nil }
    return 8 + UInt64(byteCount)
  }

  /// Reads a movie's track.
  /// - Parameter bytes: start with the track, and have at least ``trackByteCount`` bytes if it has as many.
  /// - Returns: its size; nil if it is none.
  package mutating func readTrack(_ bytes: RawSpan) -> UInt64? {
    guard bytes.code(at: 4) == "trak", let byteCount = bytes.big32(at: 0) else { return nil }
    var place = 0
    while place < Self.trackByteCount, bytes.code(at: place) != "stsd" { place += 1 }
    guard let entry = bytes.code(at: place + 16) else { return UInt64(byteCount) }
    readEntry(entry, bytes, at: place + 28)
    return UInt64(byteCount)
  }

  /// The description of a track's samples begins within this many bytes.
  package static var trackByteCount: Int { 1_024 }

  /// The inverse of ``MovieDescription/encodePCMSampleEntry(_:into:)`` and of that for pictures.
  private mutating func readEntry(_ type: FourCharacterCode, _ bytes: RawSpan, at start: Int) {
    switch type {
    case "sowt", "in24", "fl32":
      sampleRateHz = UInt32(bytes.big16(at: start + 16) ?? 0)
      take(bytes.big16(at: start + 8), type == "sowt" ? 16 : type == "in24" ? 24 : 32)
    case "lpcm":
      sampleRateHz = UInt32(exactly: Double(bitPattern: bytes.big64(at: start + 24) ?? 0)) ?? 0
      take(UInt16(truncatingIfNeeded: bytes.big32(at: start + 32) ?? 0), bytes.big32(at: start + 40))
    default:
      guard let width = bytes.big16(at: start + 16), let height = bytes.big16(at: start + 18) else { return }
      picture = (type, width, height)
    }
  }

  /// `48000 Hz, 24 bit, 2 channels; jpeg, 1280 x 720`.
  package var text: FixedText<64> {
    var text = FixedText<64>()
    if channelCount > 0 {
      text.append("\(sampleRateHz) Hz, \(bitsPerSample) bit, \(channelCount) " as FixedText<48>)
      text.append(channelCount == 1 ? "channel" : "channels")
    }
    guard let picture else { return text }
    if channelCount > 0 { text.append("; ") }
    for place in (0..<4).reversed() {
      text.append(byte: UInt8(truncatingIfNeeded: picture.codec.bigEndianValue >> UInt32(8 * place)))
    }
    text.append(", \(picture.widthPixels) x \(picture.heightPixels)" as FixedText<24>)
    return text
  }
}
