import Base
import CFFmpeg
import Wire

/// Lines of lyrics, gathered from a file, then written for the recorder in the order in which they are sung.
@safe struct LyricsLines: ~Copyable {
  private struct Line: BitwiseCopyable {
    var milliseconds: UInt32
    var offset: UInt32
    var byteCount: UInt16
  }

  /// An hour of lines of one second each.
  private static let lineCapacity = 3600
  /// From this length on a line is broken at the next space.
  private static let wrappedByteCount = 200

  // Safe: owned by the value until it ends; lines below `count` and text below `textByteCount` are initialised.
  private let lines = unsafe Heap.array(Line.self, count: Self.lineCapacity)
  private let text = unsafe Heap.bytes(ExtractMemory.byteCount)
  private var count = 0
  private var textByteCount = 0
  private(set) var isCut = false
  /// Whether any line has a known instant.
  private(set) var hasInstants = false
  private var hasText = false

  deinit {
    unsafe av_free(lines)
    unsafe Heap.removeBytes(text)
  }

  /// Begins a line, to which text is then appended.
  /// - Parameter milliseconds: when it is sung; nil if unknown.
  mutating func begin(at milliseconds: UInt32?) {
    guard count < Self.lineCapacity else {
      isCut = true
      return
    }
    if milliseconds != nil { hasInstants = true }
    unsafe lines[count] = Line(
      milliseconds: milliseconds ?? LyricsReader.untimed, offset: UInt32(textByteCount), byteCount: 0)
    count += 1
  }

  /// Appends a byte of UTF-8 to the current line.
  mutating func append(_ byte: UInt8) {
    guard count > 0, !isCut else { return }
    let byteCount = unsafe Int(lines[count - 1].byteCount)
    let isSpace = byte == UInt8(ascii: " ")
    let isFull = byteCount >= LyricsReader.longestTextByteCount
    let isNearlyFull = byteCount > LyricsReader.longestTextByteCount - 4 && !byte.isUTF8Continuation
    if isFull || isNearlyFull || (isSpace && byteCount >= Self.wrappedByteCount) {
      let milliseconds = unsafe lines[count - 1].milliseconds
      begin(at: milliseconds == LyricsReader.untimed ? nil : milliseconds)
      if isSpace || isCut { return }
    }
    let lineByteCount = (count + 1) * LyricsReader.headerByteCount
    guard textByteCount + lineByteCount < ExtractMemory.byteCount else {
      isCut = true
      return
    }
    unsafe text[textByteCount] = byte
    textByteCount += 1
    unsafe lines[count - 1].byteCount += 1
    if byte > UInt8(ascii: " ") { hasText = true }
  }

  mutating func append(_ scalar: Unicode.Scalar) {
    let encoded = FixedText<4>(scalar)
    for index in encoded.bytes.indices { append(encoded.bytes[index]) }
  }

  /// Moves the instants of all lines.
  func shift(byMilliseconds offset: Int64) {
    for index in 0..<count where unsafe lines[index].milliseconds != LyricsReader.untimed {
      let instant = unsafe Int64(lines[index].milliseconds) + offset
      unsafe lines[index].milliseconds = UInt32(min(max(0, instant), Int64(LyricsReader.untimed) - 1))
    }
  }

  mutating func removeAll() {
    count = 0
    textByteCount = 0
    isCut = false
    hasInstants = false
    hasText = false
  }

  func write(to output: ExtractOutput) -> Extracted {
    guard hasText else { return .nothing }
    if hasInstants {
      inheritInstants()
      sort()
    }
    var offset = 0
    for index in 0..<count {
      let line = unsafe lines[index]
      let next = offset + LyricsReader.headerByteCount + Int(line.byteCount)
      guard unsafe next <= output.memory.count else { break }
      unsafe output.memory.storeBytes(of: line.milliseconds.littleEndian, toByteOffset: offset, as: UInt32.self)
      unsafe output.memory.storeBytes(of: line.byteCount.littleEndian, toByteOffset: offset + 4, as: UInt16.self)
      let target = unsafe output.memory.baseAddress! + offset + LyricsReader.headerByteCount
      unsafe target.copyMemory(from: text + Int(line.offset), byteCount: Int(line.byteCount))
      offset = next
    }
    return .lyrics(byteCount: UInt32(offset), isCut: isCut)
  }

  /// Among timed lines, an untimed one is sung with the line before it.
  private func inheritInstants() {
    var last: UInt32 = 0
    for index in 0..<count {
      if unsafe lines[index].milliseconds == LyricsReader.untimed { unsafe lines[index].milliseconds = last }
      last = unsafe lines[index].milliseconds
    }
  }

  /// A stable insertion sort, as the lines are nearly in order already.
  private func sort() {
    for index in 1..<max(count, 1) {
      let line = unsafe lines[index]
      var place = index
      while place > 0, unsafe lines[place - 1].milliseconds > line.milliseconds {
        unsafe lines[place] = lines[place - 1]
        place -= 1
      }
      unsafe lines[place] = line
    }
  }
}

extension FixedText {
  init(_ scalar: Unicode.Scalar) {
    self.init()
    append(scalar: scalar)
  }
}

/// Lyrics in the tags of a media file: timed ones are preferred to plain ones.
enum LyricsTags {
  /// The longest text that is read.
  private static let longestByteCount = 0x40000

  static func extract(
    from file: borrowing SoundFile, _ input: UnsafeMutablePointer<FileInput>, to output: ExtractOutput
  ) -> Extracted {
    var lines = LyricsLines()
    if unsafe ID3Lyrics.read(.synchronised, from: input, of: file, into: &lines) { return lines.write(to: output) }
    var plain: UnsafePointer<CChar>?
    var entry: UnsafePointer<CChar>?
    var index = 0
    repeat {
      unsafe entry = lyrics(in: file, at: index)
      if let entry = unsafe entry {
        lines.removeAll()
        unsafe read(entry, into: &lines)
        if lines.hasInstants { return lines.write(to: output) }
        if unsafe plain == nil { unsafe plain = entry }
      }
      index += 1
    } while unsafe entry != nil
    lines.removeAll()
    if let plain = unsafe plain {
      unsafe read(plain, into: &lines)
    } else if unsafe !ID3Lyrics.read(.plain, from: input, of: file, into: &lines), file.mayHaveTailTags {
      unsafe readTail(input, into: &lines)
    }
    return lines.write(to: output)
  }

  /// Reads an APE tag, or one of Lyrics3, which FFmpeg passes over.
  private static func readTail(_ input: UnsafeMutablePointer<FileInput>, into lines: inout LyricsLines) {
    var bytes = unsafe FileBytes(input, forNanoseconds: nanoseconds)
    let tail = TailTags(&bytes, upTo: bytes.byteCount)
    var found = tail.lyrics.map { $0.start..<$0.end }
    if var items = APEItems(&bytes, tail) {
      while let item = items.next(&bytes) {
        if item.isText, isLyrics(FixedText(item.key.bytes)) { found = item.content }
      }
    }
    if let found { unsafe LyricsFile.read(input, found, into: &lines) }
  }

  private static let nanoseconds: UInt64 = 500_000_000

  /// The `index`-th tag that holds lyrics.
  private static func lyrics(in file: borrowing SoundFile, at index: Int) -> UnsafePointer<CChar>? {
    var index = index
    var found: UnsafePointer<CChar>?
    unsafe file.forEachTag { key, value in
      guard unsafe isLyrics(FixedText(cString: key)) else { return true }
      index -= 1
      if index < 0 { unsafe found = value }
      return index >= 0
    }
    return unsafe found
  }

  /// FFmpeg's tag names: `lyrics-eng` in ID3v2, `lyrics` in MP4, and names of comments.
  private static func isLyrics(_ key: FixedText<64>) -> Bool {
    var small = FixedText<64>()
    for index in key.bytes.indices {
      let byte = key.bytes[index]
      small.append(byte: byte >= 0x41 && byte <= 0x5A ? byte + 0x20 : byte)
    }
    return small.bytes.removingPrefix("lyrics") != nil || small == "unsyncedlyrics" || small == "unsynced lyrics"
      || small == "syncedlyrics" || small == "uslt" || small == "wm/lyrics"
  }

  private static func read(_ value: UnsafePointer<CChar>, into lines: inout LyricsLines) {
    let count = unsafe strnlen(value, longestByteCount)
    unsafe value.withMemoryRebound(to: UInt8.self, capacity: count) { unsafe LyricsText.read($0, count, into: &lines) }
  }
}
