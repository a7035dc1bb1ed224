import Base
import CFFmpeg

/// The header of an ID3v2 frame.
struct TagFrame {
  /// Four letters, or three and a zero in version 2.
  let name: UInt32
  let isEncrypted: Bool
  let isCompressed: Bool
  /// Whether the content is said to follow its length, in four bytes.
  let hasLength: Bool
  let byteCount: Int
  let isUnsynchronised: Bool

  init?(_ version: UInt8, _ tag: inout TagBytes) {
    let isShort = version == 2
    guard let first = tag.next(), first != 0, let second = tag.next(), let third = tag.next() else { return nil }
    let fourth = isShort ? 0 : tag.next()
    guard var size = tag.number(bytes: isShort ? 3 : 4, isSafe: false) else { return nil }
    if version == 4 { size = Self.size(size, &tag) }
    var flags: UInt8 = 0
    if !isShort {
      guard tag.next() != nil, let second = tag.next() else { return nil }
      flags = second
    }
    // Some programs write the names of version 2 into later ones, padded in either way.
    let last = fourth == 0x20 ? 0 : fourth ?? 0
    name = UInt32(first) << 24 | UInt32(second) << 16 | UInt32(third) << 8 | UInt32(last)
    isEncrypted = flags & (version == 4 ? 0x04 : 0x40) != 0
    isCompressed = flags & (version == 4 ? 0x08 : 0x80) != 0
    hasLength = version == 4 ? flags & 0x01 != 0 : isCompressed
    isUnsynchronised = version == 4 && flags & 0x02 != 0
    // The group byte and the length precede the content. Decompressing skips the length.
    let isGrouped = version == 4 ? flags & 0x40 != 0 : flags & 0x20 != 0
    let extra = min(size, (isGrouped ? 1 : 0) + (hasLength && !isCompressed ? 4 : 0))
    tag.skip(extra)
    byteCount = size - extra
  }

  /// Version 4 has seven bits in each byte of a size (ID3v2.4.0 structure, 6.2), but old iTunes and others wrote all
  /// eight: that reading is used if only it leads to another frame.
  private static func size(_ plain: Int, _ tag: inout TagBytes) -> Int {
    let safe = plain & 0x7F | (plain & 0x7F00) >> 1 | (plain & 0x7F_0000) >> 2 | (plain & 0x7F00_0000) >> 3
    guard plain > 0x7F else { return plain }
    if plain & 0x8080_8080 != 0 { return plain }
    return !leads(tag, over: safe) && leads(tag, over: plain) ? plain : safe
  }

  /// Whether a frame, padding or the end of the tag follows after two bytes of flags and this many of content.
  private static func leads(_ given: TagBytes, over byteCount: Int) -> Bool {
    var tag = given
    guard tag.left >= byteCount + 2 else { return false }
    tag.skip(byteCount + 2)
    for _ in 0..<4 {
      guard let byte = tag.next() else { return tag.left == 0 }
      if byte == 0 { return true }
      guard (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) else { return false }
    }
    return true
  }
}

/// The frames of the ID3v2 tag at the beginning of the part being read, or in a chunk of its own.
struct ID3Frames {
  private static let limit = 1000

  private var tag: TagBytes
  private let version: UInt8
  private let flags: UInt8
  private var count = 0

  /// - Parameter place: where the tag begins, if not there.
  /// - Returns: nil if there is no such tag.
  init?(_ input: UnsafeMutablePointer<FileInput>, at place: Int64? = nil) {
    tag = unsafe place.map { unsafe TagBytes(input, at: $0) } ?? TagBytes(ofTagIn: input)
    guard tag.next() == 0x49, tag.next() == 0x44, tag.next() == 0x33, let version = tag.next(), version >= 2,
      version <= 4
    else { return nil }
    _ = tag.next()
    guard let flags = tag.next(), let byteCount = tag.number(bytes: 4, isSafe: true) else { return nil }
    self.version = version
    self.flags = flags
    tag.limit(to: byteCount)
    // Before version 4 the whole tag is unsynchronised, frame headers included.
    if flags & 0x80 != 0, version < 4 { tag.zeros = .uncounted }
    if flags & 0x40 != 0, version > 2 { skipExtendedHeader() }
  }

  /// Some programs say that there is one, and write none.
  private mutating func skipExtendedHeader() {
    var rest = tag
    guard let byteCount = rest.number(bytes: 4, isSafe: version == 4), byteCount <= rest.left else { return }
    rest.skip(version == 4 ? max(0, byteCount - 4) : byteCount)
    tag = rest
  }

  /// The next frame that is not encrypted, and its content, which is valid until the next call.
  /// - Returns: nil after the last.
  mutating func next() -> (name: UInt32, content: TagBytes)? {
    while count < Self.limit, let frame = TagFrame(version, &tag) {
      count += 1
      var content = tag
      tag.skip(frame.byteCount)
      guard !frame.isEncrypted else { continue }
      if version == 4, flags & 0x80 != 0 || frame.isUnsynchronised { content.zeros = .counted }
      content.limit(to: frame.byteCount)
      if frame.isCompressed, !content.unpack(hasLength: frame.hasLength) { continue }
      return (frame.name, content)
    }
    return nil
  }
}

/// Decodes an ID3v2 text by its encoding: Latin-1, UTF-16 with a byte order mark, UTF-16 big-endian, UTF-8.
struct TagText {
  private let encoding: UInt8
  private var utf8 = UTF8Decoder()
  private var utf16: UTF16Decoder

  /// - Parameter content: the texts that follow, from which the byte order is guessed if there is no mark.
  init(_ encoding: UInt8, of content: TagBytes) {
    self.encoding = encoding
    utf16 = UTF16Decoder(isBigEndian: encoding == 2 || (encoding == 1 && Self.isBigEndian(content)))
  }

  /// - Returns: nil at the end.
  mutating func next(_ tag: inout TagBytes) -> Unicode.Scalar? {
    while let byte = tag.next() {
      switch encoding {
      case 0: return Unicode.Scalar(byte)
      case 3: if let scalar = utf8.next(byte) { return scalar }
      default:
        guard let scalar = utf16.next(byte) else { continue }
        // A byte order mark, of this byte order or of the other.
        if scalar == "\u{FEFF}" { continue }
        guard scalar == "\u{FFFE}" else { return scalar }
        utf16 = UTF16Decoder(isBigEndian: !utf16.isBigEndian)
      }
    }
    return nil
  }

  /// By the byte order mark, or by which order gives more common letters.
  private static func isBigEndian(_ content: TagBytes) -> Bool {
    var tag = content
    var balance = 0
    for index in 0..<64 {
      guard let first = tag.next(), let second = tag.next() else { break }
      if index == 0, first ^ second == 1, first >= 0xFE { return first == 0xFE }
      balance += usualness(of: first, second) - usualness(of: second, first)
    }
    return balance > 0
  }

  /// How common the character with these two bytes is: letters of Europe and Thailand, then syllables of Korea and
  /// kana, then ideographs.
  private static func usualness(of high: UInt8, _ low: UInt8) -> Int {
    switch high {
    case 0x00: low >= 0x20 ? 4 : 0
    case 0x0E: low > 0 && low <= 0x5B ? 3 : 0
    case 0x01, 0x03...0x06, 0x30: 3
    case 0xAC...0xD7: 2
    case 0x20, 0x4E...0x9F, 0xFF: 1
    default: 0
    }
  }
}

/// How the chunks of a file are written that may have a tag in one of them.
private struct ChunkForm {
  let isLittleEndian: Bool
  let sizeByteCount: Int

  /// - Parameter name: the first four bytes of the file.
  init?(name: Int) {
    switch name {
    // "RIFF", "RF64" and "BW64".
    case 0x5249_4646, 0x5246_3634, 0x4257_3634: (isLittleEndian, sizeByteCount) = (true, 4)
    // "FORM", of AIFF.
    case 0x464F_524D: (isLittleEndian, sizeByteCount) = (false, 4)
    // "FRM8", of one-bit sound.
    case 0x4652_4D38: (isLittleEndian, sizeByteCount) = (false, 8)
    default: return nil
    }
  }
}

/// Reads the bytes of a tag in sequence.
@safe struct TagBytes {
  // Safe: the input outlives the value.
  private let input: UnsafeMutablePointer<FileInput>
  /// Whether it reads the input's unpacked frame instead of the file.
  private var isUnpacked = false
  private var buffer = InlineArray<512, UInt8>(repeating: 0)
  private var filled = 0
  private var index = 0
  /// The file offset of the next read.
  private var offset: Int64 = 0
  /// How many bytes are left to read.
  private(set) var left = Int.max
  /// What a zero after 0xFF is.
  enum Zeros {
    case content
    /// Not part of the content, and not counted in its length.
    case uncounted
    /// Not part of the content, but counted.
    case counted
  }
  var zeros = Zeros.content
  private var lastByte: UInt8 = 0

  /// - Parameter place: in the whole file; nil: before the sound of the part being read.
  init(_ input: UnsafeMutablePointer<FileInput>, at place: Int64? = nil) {
    unsafe self.input = input
    offset = unsafe place ?? input.pointee.tagStart
  }

  /// From the ID3v2 tag on: at the file's start, in a chunk of its own, or where the file says.
  init(ofTagIn input: UnsafeMutablePointer<FileInput>) {
    unsafe self.init(input)
    let name = number(bytes: 4, isSafe: false)
    guard let name, let form = ChunkForm(name: name) else {
      // "DSD ", of one-bit sound: two sizes come before the tag's offset.
      if name == 0x4453_4420 { skip(16) }
      let place = name == 0x4453_4420 ? number(bytes: 8, isSafe: false).map { Int64($0.byteSwapped) } : nil
      unsafe self.init(input, at: place.map { max(0, min($0, 1 << 60)) })
      return
    }
    skip(form.sizeByteCount + 4)
    for _ in 0..<Self.chunkLimit {
      guard let name = number(bytes: 4, isSafe: false), let size = number(bytes: form.sizeByteCount, isSafe: false),
        size >= 0, size < 1 << 60
      else { return }
      // "id3 " in WAV, "ID3 " in the others.
      if name | 0x2020_0020 == 0x6964_3320 { return }
      var byteCount = form.isLittleEndian ? Int(UInt32(truncatingIfNeeded: size).byteSwapped) : size
      // "data" in WAV, "SSND" in AIFF.
      if name == 0x6461_7461 || name == 0x5353_4E44, let told = unsafe input.pointee.soundByteCount {
        byteCount = Int(told)
      }
      skip(byteCount)
      let contentEnd = offset - Int64(filled - index)
      skip(unsafe Int(input.pointee.chunkEnd(contentEnd, byteCount: byteCount) - contentEnd))
    }
  }

  /// Continues with what the rest decompresses to.
  /// - Parameter hasLength: whether its length is said to come first.
  /// - Returns: false if that is nothing, or more than any text has.
  mutating func unpack(hasLength: Bool) -> Bool {
    guard left <= UnpackedFrame.mostPackedBytes else { return false }
    let packed = unsafe Heap.bytes(left)
    defer { unsafe Heap.removeBytes(packed) }
    var packedCount = 0
    while let byte = next() {
      unsafe packed[packedCount] = byte
      packedCount += 1
    }
    let count = unsafe input.pointee.unpacked.fill(from: packed, byteCount: packedCount, hasLength: hasLength)
    guard count > 0 else { return false }
    isUnpacked = true
    zeros = .content
    filled = 0
    index = 0
    offset = 0
    left = count
    return true
  }

  private static let chunkLimit = 1000

  mutating func limit(to byteCount: Int) { left = min(left, byteCount) }

  mutating func next() -> UInt8? {
    guard left > 0, var byte = take() else { return nil }
    left -= 1
    if zeros != .content, lastByte == 0xFF, byte == 0 {
      if zeros == .counted { left -= 1 }
      guard left >= 0, let following = take() else { return nil }
      byte = following
    }
    lastByte = byte
    return byte
  }

  private mutating func take() -> UInt8? {
    if index == filled {
      var span = buffer.mutableSpan
      let count = unsafe span.withUnsafeMutableBufferPointer { bytes in
        unsafe isUnpacked
          ? input.pointee.unpacked.peek(bytes.baseAddress!, byteCount: bytes.count, at: offset)
          : input.pointee.peek(bytes.baseAddress!, byteCount: bytes.count, at: offset)
      }
      guard count > 0 else { return nil }
      filled = count
      index = 0
      offset += Int64(count)
    }
    index += 1
    return buffer[index - 1]
  }

  mutating func skip(_ byteCount: Int) {
    guard zeros != .content || byteCount < 512 else {
      let count = min(byteCount, left)
      offset += Int64(count - (filled - index))
      filled = 0
      index = 0
      left -= count
      return
    }
    for _ in 0..<byteCount where next() == nil { return }
  }

  /// - Parameter isSafe: whether each byte holds only seven bits.
  mutating func number(bytes count: Int, isSafe: Bool) -> Int? {
    var value = 0
    for _ in 0..<count {
      guard let byte = next() else { return nil }
      value = isSafe ? value << 7 | Int(byte & 0x7F) : value << 8 | Int(byte)
    }
    return value
  }
}

/// The content of the compressed frame of an ID3v2 tag that was unpacked last.
@safe struct UnpackedFrame: ~Copyable {
  /// The longest compressed and plain contents that are read: lyrics.
  static let mostPackedBytes = 0x10000
  private static let mostBytes = 0x40000

  // Safe: owned by the value until it ends; no byte from `count` on is read.
  private var bytes: UnsafeMutablePointer<UInt8>?
  private var count = 0

  deinit {
    if let bytes = unsafe bytes { unsafe Heap.removeBytes(bytes) }
  }

  /// Decompresses a content. Some programs do not write its length before it though they say so, and others write it
  /// without saying so.
  /// - Returns: the bytes of the content, which may be cut; 0 if it cannot be decompressed.
  mutating func fill(from packed: UnsafePointer<UInt8>, byteCount: Int, hasLength: Bool) -> Int {
    let said = hasLength ? 4 : 0
    unsafe unpack(packed, byteCount, from: said)
    if count == 0 { unsafe unpack(packed, byteCount, from: 4 - said) }
    return count
  }

  private mutating func unpack(_ packed: UnsafePointer<UInt8>, _ byteCount: Int, from start: Int) {
    count = 0
    guard byteCount > start else { return }
    if unsafe bytes == nil { unsafe bytes = Heap.bytes(Self.mostBytes) }
    var length = UInt(Self.mostBytes)
    let result = unsafe uncompress(bytes, &length, packed + start, UInt(byteCount - start))
    // A content that is too long, or cut off, is read as far as it goes.
    if result == Z_OK || result == Z_BUF_ERROR { count = Int(length) }
  }

  /// Reads bytes from an offset on.
  func peek(_ buffer: UnsafeMutablePointer<UInt8>, byteCount: Int, at place: Int64) -> Int {
    guard let bytes = unsafe bytes, place >= 0, place < Int64(count) else { return 0 }
    let length = min(byteCount, count - Int(place))
    unsafe UnsafeMutableRawPointer(buffer).copyMemory(from: bytes + Int(place), byteCount: length)
    return length
  }
}
