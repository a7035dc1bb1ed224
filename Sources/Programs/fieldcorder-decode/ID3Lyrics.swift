import Base
import CFFmpeg
import Wire

/// Lyrics in an ID3v2 tag that FFmpeg does not report: synchronised ones, and any in a WAV or AIFF file that has other
/// tags.
enum ID3Lyrics {
  enum Kind {
    /// The frame SYLT, or SLT before version 3.
    case synchronised
    /// USLT, or ULT.
    case plain

    func isNamed(_ name: UInt32) -> Bool {
      switch self {
      case .synchronised: name == 0x5359_4C54 || name == 0x534C_5400
      case .plain: name == 0x5553_4C54 || name == 0x554C_5400
      }
    }
  }

  /// The longest text that is read.
  private static let longestByteCount = 0x40000

  /// - Returns: whether there are any lyrics.
  static func read(
    _ kind: Kind, from input: UnsafeMutablePointer<FileInput>, of file: borrowing SoundFile,
    into lines: inout LyricsLines
  ) -> Bool {
    guard var frames = unsafe ID3Frames(input) else { return false }
    while let frame = frames.next() {
      guard kind.isNamed(frame.name) else { continue }
      var content = frame.content
      return switch kind {
      case .synchronised: readSynchronised(&content, file, into: &lines)
      case .plain: readPlain(&content, into: &lines)
      }
    }
    return false
  }

  private static func readPlain(_ tag: inout TagBytes, into lines: inout LyricsLines) -> Bool {
    guard let encoding = tag.next(), encoding < 4 else { return false }
    for _ in 0..<3 { _ = tag.next() }
    var description = TagText(encoding, of: tag)
    while let scalar = description.next(&tag), scalar.value != 0 {}
    var words = EncodedText(capacity: longestByteCount)
    var text = TagText(encoding, of: tag)
    while let scalar = text.next(&tag), scalar.value != 0, words.append(scalar) {}
    words.read(into: &lines)
    return words.byteCount > 0
  }

  private static func readSynchronised(
    _ tag: inout TagBytes, _ file: borrowing SoundFile, into lines: inout LyricsLines
  ) -> Bool {
    guard let encoding = tag.next(), encoding < 4 else { return false }
    for _ in 0..<3 { _ = tag.next() }
    guard let unit = tag.next().flatMap({ TimestampUnit($0, of: file) }), tag.next() != nil else { return false }
    var text = TagText(encoding, of: tag)
    while let scalar = text.next(&tag), scalar.value != 0 {}
    readEntries(&tag, TagText(encoding, of: tag), unit, into: &lines)
    return lines.hasInstants
  }

  /// Texts, each followed by its instant. A line feed begins a line; if there are none, each text is a line.
  private static func readEntries(
    _ tag: inout TagBytes, _ fresh: TagText, _ unit: TimestampUnit, into lines: inout LyricsLines
  ) {
    var scan = tag
    let hasLineFeeds = Self.hasLineFeeds(&scan, fresh)
    var entry = SyllableText()
    while true {
      var text = fresh
      entry.removeAll()
      var isWhole = false
      while let scalar = text.next(&tag) {
        isWhole = scalar.value == 0
        if isWhole { break }
        entry.append(scalar)
      }
      guard isWhole, let timestamp = tag.number(bytes: 4, isSafe: false) else { return }
      if !hasLineFeeds || entry.beginsLine || !lines.hasInstants { lines.begin(at: unit.milliseconds(timestamp)) }
      for index in 0..<entry.count { lines.append(entry[index]) }
    }
  }

  private static func hasLineFeeds(_ tag: inout TagBytes, _ fresh: TagText) -> Bool {
    while true {
      var text = fresh
      var isFirst = true
      var isWhole = false
      while let scalar = text.next(&tag) {
        if isFirst, scalar.value == 0x0A || scalar.value == 0x0D { return true }
        isFirst = false
        isWhole = scalar.value == 0
        if isWhole { break }
      }
      guard isWhole, tag.number(bytes: 4, isSafe: false) != nil else { return false }
    }
  }
}

/// The unit of a SYLT frame's timestamps: milliseconds, or MPEG audio frames (ID3v2.4.0 native frames, 4.9).
private struct TimestampUnit {
  private var sampleCount = 1
  private var sampleRateHz = 1000

  /// - Returns: nil for an undefined unit, and for frames if the sound's frames have no fixed length.
  init?(_ number: UInt8, of file: borrowing SoundFile) {
    switch number {
    case 1:
      sampleRateHz = unsafe Int(file.parameters.pointee.sample_rate)
      guard sampleRateHz > 0, let count = unsafe Self.samplesPerFrame(file.parameters.pointee.codec_id, sampleRateHz)
      else { return nil }
      sampleCount = count
    case 2: break
    default: return nil
    }
  }

  /// ISO/IEC 11172-3, 2.4.2.1; ISO/IEC 13818-3 halves that of Layer III at its lower rates.
  private static func samplesPerFrame(_ codec: AVCodecID, _ sampleRateHz: Int) -> Int? {
    switch codec {
    case AV_CODEC_ID_MP1: 384
    case AV_CODEC_ID_MP2: 1152
    case AV_CODEC_ID_MP3: sampleRateHz < 32_000 ? 576 : 1152
    default: nil
    }
  }

  func milliseconds(_ timestamp: Int) -> UInt32 {
    UInt32(clamping: min(timestamp * sampleCount * 1000 / sampleRateHz, Int(LyricsReader.untimed) - 1))
  }
}

/// A text of a SYLT frame, without the line feed that begins it.
private struct SyllableText {
  private var scalars = InlineArray<256, Unicode.Scalar>(repeating: " ")
  private(set) var count = 0
  private(set) var beginsLine = false

  subscript(index: Int) -> Unicode.Scalar { scalars[index] }

  mutating func removeAll() {
    count = 0
    beginsLine = false
  }

  mutating func append(_ scalar: Unicode.Scalar) {
    if count == 0, scalar.value == 0x0A || scalar.value == 0x0D {
      beginsLine = true
    } else if count < scalars.count {
      scalars[count] = scalar
      count += 1
    }
  }
}
