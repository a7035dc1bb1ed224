import Base
import CFFmpeg
import Wire

/// The header of a frame of ID3v2.
struct TagFrame {
  /// Its four letters, or three and a zero in version 2.
  let name: UInt32
  /// Whether its content is neither compressed nor encrypted.
  let isPlain: Bool
  let byteCount: Int
  let isUnsynchronised: Bool

  init?(_ version: UInt8, _ tag: inout TagBytes) {
    let isShort = version == 2
    guard let first = tag.next(), first != 0, let second = tag.next(), let third = tag.next() else { return nil }
    let fourth = isShort ? 0 : tag.next()
    guard let size = tag.number(bytes: isShort ? 3 : 4, isSafe: version == 4) else { return nil }
    var flags: UInt8 = 0
    if !isShort {
      guard tag.next() != nil, let second = tag.next() else { return nil }
      flags = second
    }
    name = UInt32(first) << 24 | UInt32(second) << 16 | UInt32(third) << 8 | UInt32(fourth ?? 0)
    isPlain = version == 4 ? flags & 0x0C == 0 : flags & 0xC0 == 0
    isUnsynchronised = version == 4 && flags & 0x02 != 0
    // A length before the content.
    if version == 4, flags & 0x01 != 0, size >= 4 {
      tag.skip(4)
      byteCount = size - 4
    } else {
      byteCount = size
    }
  }
}

/// Decodes a text of ID3v2 by its encoding: Latin-1, UTF-16 with its mark, UTF-16 big-endian, UTF-8.
struct TagText {
  private let encoding: UInt8
  private var utf8 = UTF8Decoder()
  private var utf16: UTF16Decoder?

  init(_ encoding: UInt8) {
    self.encoding = encoding
    utf16 = encoding == 2 ? UTF16Decoder(isBigEndian: true) : nil
  }

  /// - Returns: nil at the end.
  mutating func next(_ tag: inout TagBytes) -> Unicode.Scalar? {
    while let byte = tag.next() {
      switch encoding {
      case 0: return Unicode.Scalar(byte)
      case 3: if let scalar = utf8.next(byte) { return scalar }
      default:
        if var decoder = utf16 {
          let scalar = decoder.next(byte)
          utf16 = decoder
          if let scalar { return scalar }
        } else {
          guard let second = tag.next() else { return nil }
          utf16 = UTF16Decoder(isBigEndian: byte == 0xFE && second == 0xFF)
          // Without a mark it is a character already: of the byte order that most write.
          if byte ^ second != 1 || byte < 0xFE {
            guard byte | second != 0 else { return "\u{0}" }
            _ = utf16?.next(byte)
            if let scalar = utf16?.next(second) { return scalar }
          }
        }
      }
    }
    return nil
  }
}

/// The bytes of a tag, one after the other.
@safe struct TagBytes {
  // Sound: the input outlives the value.
  private let input: UnsafeMutablePointer<FileInput>
  private var buffer = InlineArray<512, UInt8>(repeating: 0)
  private var filled = 0
  private var index = 0
  /// The place in the file of what is read next.
  private var offset: Int64 = 0
  /// How many bytes are left of what is read.
  private var left = Int.max
  /// Whether a zero after 0xFF is not part of the tag.
  var dropsZeros = false
  private var lastByte: UInt8 = 0

  init(_ input: UnsafeMutablePointer<FileInput>) { unsafe self.input = input }

  /// From the ID3v2 tag on: at the file's start, or in a chunk of its own in WAV and AIFF.
  init(ofTagIn input: UnsafeMutablePointer<FileInput>) {
    unsafe self.init(input)
    guard let form = number(bytes: 4, isSafe: false), let isLittleEndian = Self.isLittleEndian(form: form) else {
      unsafe self.init(input)
      return
    }
    skip(8)
    for _ in 0..<Self.chunkLimit {
      guard let name = number(bytes: 4, isSafe: false), let size = number(bytes: 4, isSafe: false) else { return }
      // "id3 " in WAV, "ID3 " in AIFF.
      if name | 0x2020_0020 == 0x6964_3320 { return }
      let byteCount = isLittleEndian ? Int(UInt32(truncatingIfNeeded: size).byteSwapped) : size
      skip(byteCount + byteCount % 2)
    }
  }

  private static let chunkLimit = 1000

  /// Whether lengths are little-endian in a file that begins so: "RIFF" and "RF64", but not "FORM"; nil for others.
  private static func isLittleEndian(form: Int) -> Bool? {
    switch form {
    case 0x5249_4646, 0x5246_3634: true
    case 0x464F_524D: false
    default: nil
    }
  }

  mutating func limit(to byteCount: Int) { left = min(left, byteCount) }

  mutating func next() -> UInt8? {
    guard left > 0, var byte = take() else { return nil }
    if dropsZeros, lastByte == 0xFF, byte == 0 {
      guard let following = take() else { return nil }
      byte = following
    }
    lastByte = byte
    left -= 1
    return byte
  }

  private mutating func take() -> UInt8? {
    if index == filled {
      _ = unsafe input.pointee.seek(to: offset, from: SEEK_SET)
      var span = buffer.mutableSpan
      let count = unsafe span.withUnsafeMutableBufferPointer { bytes in
        unsafe input.pointee.read(into: bytes.baseAddress, byteCount: Int32(bytes.count))
      }
      guard count > 0 else { return nil }
      filled = Int(count)
      index = 0
      offset += Int64(count)
    }
    index += 1
    return buffer[index - 1]
  }

  mutating func skip(_ byteCount: Int) {
    guard dropsZeros || byteCount < 512 else {
      let count = min(byteCount, left)
      offset += Int64(count - (filled - index))
      filled = 0
      index = 0
      left -= count
      return
    }
    for _ in 0..<byteCount where next() == nil { return }
  }

  /// - Parameter isSafe: whether each byte has seven bits.
  mutating func number(bytes count: Int, isSafe: Bool) -> Int? {
    var value = 0
    for _ in 0..<count {
      guard let byte = next() else { return nil }
      value = isSafe ? value << 7 | Int(byte & 0x7F) : value << 8 | Int(byte)
    }
    return value
  }
}

/// Lyrics in an ID3v2 tag that FFmpeg does not tell: synchronised ones, and any in a WAV or AIFF file that has other tags.
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

  /// The longest text that is looked at.
  private static let longestByteCount = 0x40000

  private static let frameLimit = 1000

  /// - Returns: whether there are any.
  static func read(
    _ kind: Kind, from input: UnsafeMutablePointer<FileInput>, of file: borrowing SoundFile,
    into lines: inout LyricsLines
  ) -> Bool {
    unsafe input.pointee.rewind()
    var tag = unsafe TagBytes(ofTagIn: input)
    guard tag.next() == 0x49, tag.next() == 0x44, tag.next() == 0x33, let version = tag.next(), version >= 2,
      version <= 4
    else { return false }
    _ = tag.next()
    guard let flags = tag.next(), let byteCount = tag.number(bytes: 4, isSafe: true) else { return false }
    tag.limit(to: byteCount)
    // Before version 4 the whole tag is unsynchronised, frame headers included.
    tag.dropsZeros = flags & 0x80 != 0 && version < 4
    if flags & 0x40 != 0, version > 2 { skipExtendedHeader(version, &tag) }
    for _ in 0..<frameLimit {
      guard let frame = TagFrame(version, &tag) else { break }
      if kind.isNamed(frame.name), frame.isPlain {
        tag.dropsZeros = tag.dropsZeros || (version == 4 && (flags & 0x80 != 0 || frame.isUnsynchronised))
        tag.limit(to: frame.byteCount)
        return switch kind {
        case .synchronised: readSynchronised(&tag, file, into: &lines)
        case .plain: readPlain(&tag, into: &lines)
        }
      }
      tag.skip(frame.byteCount)
    }
    return false
  }

  private static func skipExtendedHeader(_ version: UInt8, _ tag: inout TagBytes) {
    guard let byteCount = tag.number(bytes: 4, isSafe: version == 4) else { return }
    tag.skip(version == 4 ? max(0, byteCount - 4) : byteCount)
  }

  private static func readPlain(_ tag: inout TagBytes, into lines: inout LyricsLines) -> Bool {
    guard let encoding = tag.next(), encoding < 4 else { return false }
    for _ in 0..<3 { _ = tag.next() }
    var description = TagText(encoding)
    while let scalar = description.next(&tag), scalar.value != 0 {}
    var words = EncodedText(capacity: longestByteCount)
    var text = TagText(encoding)
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
    var text = TagText(encoding)
    while let scalar = text.next(&tag), scalar.value != 0 {}
    readEntries(&tag, TagText(encoding), unit, into: &lines)
    return lines.hasInstants
  }

  /// Texts, each with its instant after it. A line feed begins a line; where there is none, each text is one.
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

/// What the timestamps of a SYLT frame count: milliseconds, or frames of MPEG sound (ID3v2.4.0 native frames, 4.9).
private struct TimestampUnit {
  private var sampleCount = 1
  private var sampleRateHz = 1000

  /// - Returns: nil for a number without meaning, and for frames where the sound has none of one length.
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

  /// ISO/IEC 11172-3, 2.4.2.1; ISO/IEC 13818-3 halves Layer III's at its lower rates.
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
