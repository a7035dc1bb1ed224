import Base
import CFFmpeg
import Wire

/// Lyrics in a text file of their own: UTF-8, UTF-16 with its mark, or what a system writes that knows neither.
enum LyricsFile {
  /// More is not read.
  private static let longestByteCount = 0x40000

  static func extract(from input: UnsafeMutablePointer<FileInput>, to output: ExtractOutput) -> Extracted {
    // The last byte stays 0.
    let bytes = unsafe Heap.bytes(longestByteCount + 1)
    defer { unsafe Heap.removeBytes(bytes) }
    let count = unsafe input.pointee.peek(bytes, byteCount: longestByteCount)
    var lines = LyricsLines()
    if count >= 2, unsafe bytes[0] ^ bytes[1] == 1, unsafe bytes[0] >= 0xFE {
      unsafe readUTF16(bytes, count, into: &lines)
    } else {
      let start = unsafe count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF ? 3 : 0
      unsafe readBytes(bytes + start, count - start, into: &lines)
    }
    return lines.write(to: output)
  }

  private static func readUTF16(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, into lines: inout LyricsLines) {
    let capacity = 3 * count / 2
    let text = unsafe Heap.bytes(capacity)
    defer { unsafe Heap.removeBytes(text) }
    var decoder = unsafe UTF16Decoder(isBigEndian: bytes[0] == 0xFE)
    var length = 0
    for index in 2..<count {
      guard let scalar = unsafe decoder.next(bytes[index]) else { continue }
      let encoded = FixedText<4>(scalar)
      guard length + encoded.byteCount <= capacity else { break }
      for place in encoded.bytes.indices { unsafe text[length + place] = encoded.bytes[place] }
      length += encoded.byteCount
    }
    unsafe read(text, length, into: &lines)
  }

  private static func readBytes(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, into lines: inout LyricsLines) {
    let charset = unsafe charset(of: bytes, count)
    guard charset != .utf8 else { return unsafe read(bytes, count, into: &lines) }
    let text = unsafe Heap.bytes(3 * count + 1)
    defer { unsafe Heap.removeBytes(text) }
    let isConverted = unsafe bytes.withMemoryRebound(to: CChar.self, capacity: count + 1) { source in
      unsafe text.withMemoryRebound(to: CChar.self, capacity: 3 * count + 1) { target in
        unsafe charset.convert(source, into: target, capacity: 3 * count + 1)
      }
    }
    guard isConverted else { return unsafe read(bytes, count, into: &lines) }
    unsafe read(text, strnlen(text, 3 * count), into: &lines)
  }

  /// What is before the first letter that is not ASCII tells nothing.
  private static func charset(of bytes: UnsafeMutablePointer<UInt8>, _ count: Int) -> TagCharset {
    var start = 0
    while start < count, unsafe bytes[start] < 0x80 { start += 1 }
    guard start < count else { return .utf8 }
    start = max(0, start - 16)
    var survey = TagSurvey()
    unsafe (bytes + start).withMemoryRebound(to: CChar.self, capacity: count + 1 - start) { unsafe survey.add($0) }
    return TagCharset(of: survey)
  }

  private static func read(_ text: UnsafeMutablePointer<UInt8>, _ count: Int, into lines: inout LyricsLines) {
    // Sound: the bytes live for the call.
    let span = unsafe Span(_unsafeStart: UnsafePointer(text), count: count)
    var text = LyricsText(span)
    text.read(into: &lines)
  }

  private static func strnlen(_ text: UnsafeMutablePointer<UInt8>, _ longest: Int) -> Int {
    var count = 0
    while count < longest, unsafe text[count] != 0 { count += 1 }
    return count
  }
}

/// Decodes bytes of UTF-16 into Unicode scalars. What is no character gives U+FFFD.
struct UTF16Decoder {
  private let isBigEndian: Bool
  private var firstByte: UInt8?
  private var highSurrogate: UInt16?

  init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

  mutating func next(_ byte: UInt8) -> Unicode.Scalar? {
    guard let first = firstByte else {
      firstByte = byte
      return nil
    }
    firstByte = nil
    let unit = isBigEndian ? UInt16(first) << 8 | UInt16(byte) : UInt16(byte) << 8 | UInt16(first)
    if let high = highSurrogate, (0xDC00..<0xE000).contains(unit) {
      highSurrogate = nil
      return Unicode.Scalar(0x10000 + (UInt32(high) - 0xD800) << 10 + UInt32(unit) - 0xDC00)
    }
    let wasCut = highSurrogate != nil
    highSurrogate = (0xD800..<0xDC00).contains(unit) ? unit : nil
    if highSurrogate != nil { return wasCut ? UTF8Decoder.replacement : nil }
    return Unicode.Scalar(unit) ?? UTF8Decoder.replacement
  }
}
