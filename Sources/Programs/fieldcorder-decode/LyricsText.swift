import Base
import CFFmpeg
import Wire

/// Lyrics as text: plain lines, or the LRC format, with one or more instants in front of each line:
/// `[01:02.50][02:03.75]la la`, perhaps with `<01:03.00>` before a word, and tags such as `[ar:…]` and `[offset:500]`.
struct LyricsText: ~Escapable {
  private let text: Span<UInt8>
  /// How much earlier lines are sung than their instants say; nil if nothing was said yet.
  private var offsetMilliseconds: Int64?
  private let isTimed: Bool

  @_lifetime(copy text)
  init(_ text: Span<UInt8>) {
    self.text = text
    isTimed = Self.hasInstant(text)
  }

  /// Appends all lines of a C text.
  static func read(_ text: UnsafePointer<UInt8>, _ count: Int, into lines: inout LyricsLines) {
    // Safe: the bytes live for the call.
    var text = LyricsText(unsafe Span(_unsafeStart: text, count: count))
    text.read(into: &lines)
  }

  private mutating func read(into lines: inout LyricsLines) {
    var start = 0
    while start < text.count {
      var end = start
      while end < text.count, !text[end].endsLine { end += 1 }
      read(text.extracting(start..<end), into: &lines)
      start = end + 1
      // CR LF is one line end.
      if start < text.count, text[end] == 0x0D, text[start] == 0x0A { start += 1 }
    }
  }

  private mutating func read(_ whole: Span<UInt8>, into lines: inout LyricsLines) {
    guard isTimed else { return Self.add(whole, from: 0, at: nil, to: &lines) }
    let line = whole.trimmed
    if take(fact: line, of: &lines) { return }
    var start = 0
    while let instant = Self.instant(line, from: start) { start = instant.end }
    if start == 0, line.isEmpty { return }
    guard start > 0 else { return Self.add(line, from: 0, at: nil, to: &lines) }
    var place = 0
    while let instant = Self.instant(line, from: place) {
      let milliseconds = max(0, Int64(instant.milliseconds) - (offsetMilliseconds ?? 0))
      Self.add(line, from: start, at: UInt32(clamping: min(milliseconds, Int64(UInt32.max) - 1)), to: &lines)
      place = instant.end
    }
  }

  /// The instant at an index, after optional spaces.
  private static func instant(_ line: Span<UInt8>, from start: Int) -> LyricsInstant? {
    var place = start
    while place < line.count, line[place] == UInt8(ascii: " ") { place += 1 }
    return LyricsInstant(line, at: place, brackets: "[]")
  }

  /// - Returns: whether the line is an LRC tag, which is not sung.
  private mutating func take(fact line: Span<UInt8>, of lines: inout LyricsLines) -> Bool {
    guard line.count > 2, line[0] == UInt8(ascii: "["), line[line.count - 1] == UInt8(ascii: "]") else { return false }
    var colon = 1
    while colon < line.count, line[colon] != UInt8(ascii: ":") { colon += 1 }
    guard colon < line.count - 1 else { return false }
    let name = line.extracting(1..<colon).trimmed
    let isOffset = name.equals(ignoringCase: ("offset" as StaticString).utf8Bytes)
    // A tag that begins with a capital may be sung, unless its name has two letters, such as that of the artist.
    guard isOffset || line[1].isLetter && name.count == 2 || line[1].isSmallLetter || line[1] == UInt8(ascii: "#")
    else {
      return false
    }
    if isOffset {
      var value = line.extracting(colon + 1..<line.count - 1)
      while !value.isEmpty, value[0] == UInt8(ascii: " ") || value[0] == UInt8(ascii: "+") {
        value = value.extracting(droppingFirst: 1)
      }
      let isNegative = !value.isEmpty && value[0] == UInt8(ascii: "-")
      let digits = isNegative ? value.extracting(droppingFirst: 1) : value
      if let number = digits.parseInteger(as: UInt32.self) {
        let offset = isNegative ? -Int64(number) : Int64(number)
        // Some programs write it last.
        if offsetMilliseconds == nil { lines.shift(byMilliseconds: -offset) }
        offsetMilliseconds = offset
      }
    }
    return true
  }

  private static func add(_ line: Span<UInt8>, from start: Int, at milliseconds: UInt32?, to lines: inout LyricsLines) {
    lines.begin(at: milliseconds)
    var index = start
    while milliseconds != nil, index < line.count, line[index] <= UInt8(ascii: " ") { index += 1 }
    while index < line.count {
      if milliseconds != nil, let word = Self.word(line, at: index) {
        index = word.end
      } else {
        lines.append(line[index])
        index += 1
      }
    }
  }

  /// When a word is sung; some programs write it like that of a line.
  private static func word(_ line: Span<UInt8>, at index: Int) -> LyricsInstant? {
    LyricsInstant(line, at: index, brackets: "<>") ?? LyricsInstant(line, at: index, brackets: "[]")
  }

  private static func hasInstant(_ text: Span<UInt8>) -> Bool {
    var isBeginning = true
    for index in text.indices {
      if isBeginning, LyricsInstant(text, at: index, brackets: "[]") != nil { return true }
      isBeginning = text[index].endsLine || isBeginning && text[index] <= UInt8(ascii: " ")
    }
    return false
  }
}

/// `[1:02.5]`, `[1:02,5]`, `[01:02:50]` or `[01:02]`: minutes, seconds and a fraction. `[01:00:05.00]` has hours too.
/// Brackets and colons may be as wide as Chinese letters, and have spaces inside.
struct LyricsInstant {
  let milliseconds: UInt32
  /// The index after it.
  let end: Int

  init?(_ text: Span<UInt8>, at start: Int, brackets: StaticString) {
    var index = start
    guard Self.takes(brackets.utf8Bytes[0], text, &index) else { return nil }
    while index < text.count, text[index] == UInt8(ascii: " ") { index += 1 }
    guard var minutes = Self.number(text, &index, digits: 1...3), Self.takes(UInt8(ascii: ":"), text, &index),
      var seconds = Self.number(text, &index, digits: 1...2), index < text.count
    else { return nil }
    var last = index
    if Self.takes(UInt8(ascii: ":"), text, &last), let number = Self.number(text, &last, digits: 1...2),
      last < text.count, text[last] == UInt8(ascii: ".")
    {
      (minutes, seconds, index) = (minutes * 60 + seconds, number, last)
    }
    var fraction: UInt32 = 0
    let isFraction = text[index] == UInt8(ascii: ".") || text[index] == UInt8(ascii: ",")
    if isFraction || Self.takes(UInt8(ascii: ":"), text, &index) {
      if isFraction { index += 1 }
      let first = index
      guard let digits = Self.number(text, &index, digits: 1...3) else { return nil }
      fraction = digits
      for _ in index - first..<3 { fraction *= 10 }
      // Microseconds.
      while index < text.count, text[index].isDigit { index += 1 }
    }
    while index < text.count, text[index] == UInt8(ascii: " ") { index += 1 }
    guard Self.takes(brackets.utf8Bytes[1], text, &index) else { return nil }
    milliseconds = (minutes * 60 + seconds) * 1000 + fraction
    end = index
  }

  /// Passes over a character of ASCII, or the one of U+FF01 to U+FF5E that looks like it.
  private static func takes(_ character: UInt8, _ text: Span<UInt8>, _ index: inout Int) -> Bool {
    guard index < text.count else { return false }
    if text[index] == character {
      index += 1
      return true
    }
    let code = 0xFEE0 + UInt32(character)
    guard index + 2 < text.count, text[index] == 0xEF, text[index + 1] == UInt8(0x80 | code >> 6 & 0x3F),
      text[index + 2] == UInt8(0x80 | code & 0x3F)
    else { return false }
    index += 3
    return true
  }

  private static func number(_ text: Span<UInt8>, _ index: inout Int, digits: ClosedRange<Int>) -> UInt32? {
    let start = index
    var value: UInt32 = 0
    while index < text.count, index - start < digits.upperBound, text[index] >= 0x30, text[index] <= 0x39 {
      value = value * 10 + UInt32(text[index] - 0x30)
      index += 1
    }
    return index - start >= digits.lowerBound ? value : nil
  }
}

extension UInt8 {
  fileprivate var endsLine: Bool { self == 0x0A || self == 0x0D }
  fileprivate var isLetter: Bool { (self | 0x20).isSmallLetter }
  fileprivate var isSmallLetter: Bool { self >= UInt8(ascii: "a") && self <= UInt8(ascii: "z") }
}

/// Lyrics in a text file of their own: UTF-8, UTF-16, or a legacy charset.
enum LyricsFile {
  /// The rest of a longer file is not read.
  private static let longestByteCount = 0x40000

  static func extract(from input: UnsafeMutablePointer<FileInput>, to output: ExtractOutput) -> Extracted {
    // The last byte stays 0, as a terminator.
    let bytes = unsafe Heap.bytes(longestByteCount + 1)
    defer { unsafe Heap.removeBytes(bytes) }
    let count = unsafe input.pointee.peek(bytes, byteCount: longestByteCount)
    var lines = LyricsLines()
    // Without a byte order mark, which zero belongs to a Latin letter tells.
    if count >= 2, unsafe bytes[0] ^ bytes[1] == 1 && bytes[0] >= 0xFE {
      unsafe readUTF16(bytes, 2..<count, isBigEndian: bytes[0] == 0xFE, into: &lines)
    } else if count >= 2, unsafe (bytes[0] == 0) != (bytes[1] == 0) {
      unsafe readUTF16(bytes, 0..<count, isBigEndian: bytes[0] == 0, into: &lines)
    } else {
      let start = unsafe count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF ? 3 : 0
      unsafe readBytes(bytes + start, count - start, into: &lines)
    }
    return lines.write(to: output)
  }

  /// Reads the text in a part of a file.
  static func read(
    _ input: UnsafeMutablePointer<FileInput>, _ range: Range<Int64>, into lines: inout LyricsLines
  ) {
    let bytes = unsafe Heap.bytes(longestByteCount + 1)
    defer { unsafe Heap.removeBytes(bytes) }
    let byteCount = min(range.count, longestByteCount)
    unsafe readBytes(bytes, input.pointee.peek(bytes, byteCount: byteCount, at: range.lowerBound), into: &lines)
  }

  private static func readUTF16(
    _ bytes: UnsafeMutablePointer<UInt8>, _ range: Range<Int>, isBigEndian: Bool, into lines: inout LyricsLines
  ) {
    var text = EncodedText(capacity: 3 * range.count / 2)
    var decoder = UTF16Decoder(isBigEndian: isBigEndian)
    for index in range {
      guard let scalar = unsafe decoder.next(bytes[index]) else { continue }
      guard text.append(scalar) else { break }
    }
    text.read(into: &lines)
  }

  private static func readBytes(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, into lines: inout LyricsLines) {
    let charset = unsafe charset(of: bytes, count)
    guard charset != .utf8 else { return unsafe LyricsText.read(bytes, count, into: &lines) }
    let text = unsafe Heap.bytes(3 * count + 1)
    defer { unsafe Heap.removeBytes(text) }
    let isConverted = unsafe bytes.withMemoryRebound(to: CChar.self, capacity: count + 1) { source in
      unsafe text.withMemoryRebound(to: CChar.self, capacity: 3 * count + 1) { target in
        unsafe charset.convert(source, into: target, capacity: 3 * count + 1) != nil
      }
    }
    guard isConverted else { return unsafe LyricsText.read(bytes, count, into: &lines) }
    let byteCount = unsafe text.withMemoryRebound(to: CChar.self, capacity: 3 * count) { unsafe strnlen($0, 3 * count) }
    unsafe LyricsText.read(text, byteCount, into: &lines)
  }

  /// The ASCII before the first non-ASCII letter says nothing about the charset.
  private static func charset(of bytes: UnsafeMutablePointer<UInt8>, _ count: Int) -> TagCharset {
    var start = 0
    while start < count, unsafe bytes[start] < 0x80 { start += 1 }
    guard start < count else { return .utf8 }
    start = max(0, start - 16)
    var survey = TagSurvey()
    // Safe: the bytes live for the call.
    survey.add(unsafe Span(_unsafeStart: bytes + start, count: min(longestSurvey, count - start)))
    return survey.charset
  }

  /// A song's first lines suffice; more would only take time.
  private static let longestSurvey = 4096
}

/// Text that is assembled as UTF-8.
@safe struct EncodedText: ~Copyable {
  private let capacity: Int
  // Safe: owned by the value until it ends, and written below the capacity only.
  private let bytes: UnsafeMutablePointer<UInt8>
  private(set) var byteCount = 0

  init(capacity: Int) {
    self.capacity = capacity
    unsafe bytes = Heap.bytes(capacity)
  }

  deinit { unsafe Heap.removeBytes(bytes) }

  /// - Returns: false if it does not fit.
  mutating func append(_ scalar: Unicode.Scalar) -> Bool {
    let encoded = FixedText<4>(scalar)
    guard byteCount + encoded.byteCount <= capacity else { return false }
    for index in encoded.bytes.indices { unsafe bytes[byteCount + index] = encoded.bytes[index] }
    byteCount += encoded.byteCount
    return true
  }

  func read(into lines: inout LyricsLines) { unsafe LyricsText.read(bytes, byteCount, into: &lines) }
}

/// Decodes bytes of UTF-16 into Unicode scalars. Invalid units give U+FFFD.
struct UTF16Decoder {
  let isBigEndian: Bool
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
