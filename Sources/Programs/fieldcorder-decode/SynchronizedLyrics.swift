import CFFmpeg
import Decoding
import Text

/// The frame SYLT of an ID3v2 tag at a file's start (SLT before version 3), which FFmpeg does not read.
enum SynchronizedLyrics {
  /// Frames that are looked at.
  private static let frameLimit = 1000

  /// - Returns: whether there are any whose instants are milliseconds.
  static func read(from input: UnsafeMutablePointer<FileInput>, into lines: inout LyricsLines) -> Bool {
    unsafe input.pointee.rewind()
    var tag = unsafe TagBytes(input)
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
      if frame.isLyrics {
        tag.dropsZeros = tag.dropsZeros || (version == 4 && (flags & 0x80 != 0 || frame.isUnsynchronised))
        return readFrame(&tag, byteCount: frame.byteCount, into: &lines)
      }
      tag.skip(frame.byteCount)
    }
    return false
  }

  private static func skipExtendedHeader(_ version: UInt8, _ tag: inout TagBytes) {
    guard let byteCount = tag.number(bytes: 4, isSafe: version == 4) else { return }
    tag.skip(version == 4 ? max(0, byteCount - 4) : byteCount)
  }

  private static func readFrame(_ tag: inout TagBytes, byteCount: Int, into lines: inout LyricsLines) -> Bool {
    tag.limit(to: byteCount)
    guard let encoding = tag.next(), encoding < 4 else { return false }
    for _ in 0..<3 { _ = tag.next() }
    // 1 would be frames of MPEG sound.
    guard tag.next() == 2, tag.next() != nil else { return false }
    var text = TagText(encoding)
    while let scalar = text.next(&tag), scalar.value != 0 {}
    readEntries(&tag, TagText(encoding), into: &lines)
    return lines.hasInstants
  }

  /// Texts, each with its instant after it. A line feed begins a line; where there is none, each text is one.
  private static func readEntries(_ tag: inout TagBytes, _ fresh: TagText, into lines: inout LyricsLines) {
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
      guard isWhole, let milliseconds = tag.number(bytes: 4, isSafe: false) else { return }
      if !hasLineFeeds || entry.beginsLine || !lines.hasInstants { lines.begin(at: UInt32(milliseconds)) }
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

/// The header of a frame.
private struct TagFrame {
  let isLyrics: Bool
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
    let isNamed = first == 0x53 && second == (isShort ? 0x4C : 0x59)
    let isPlain = version == 4 ? flags & 0x0C == 0 : flags & 0xC0 == 0
    isLyrics = isNamed && (isShort ? third == 0x54 : third == 0x4C && fourth == 0x54) && isPlain
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
private struct TagText {
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
@safe private struct TagBytes {
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
