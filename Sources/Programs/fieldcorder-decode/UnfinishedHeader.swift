import CFFmpeg

/// Header bytes that FFmpeg reads instead of those in the file.
struct HeaderCorrection {
  var place: Int64 = 0
  /// Little-endian.
  var value: UInt64 = 0
  var byteCount = 0

  func apply(to buffer: UnsafeMutablePointer<UInt8>, from first: Int64, byteCount count: Int) {
    for index in 0..<byteCount {
      let offset = place + Int64(index) - first
      if offset >= 0, offset < Int64(count) {
        unsafe buffer[Int(offset)] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index))
      }
    }
  }
}

/// Fills in the sizes that a program leaves out when it is killed or writes into a pipe: FFmpeg plays WAV and CAF
/// without them, but not AIFF, RF64 and Wave64. The sound of such a file extends to its end. So does that of a WAV
/// whose size was too large for its field.
enum UnfinishedHeader {
  fileprivate static var chunkLimit: Int { 100 }
  /// The time limit; a card answers in less.
  private static var nanoseconds: UInt64 { 400_000_000 }
  /// FFmpeg takes larger values for a negative size.
  private static var largestAIFF: Int64 { 0x7FFF_FFFE }
  /// "RIFF" and "JUNK".
  private static let riff: UInt64 = 0x4646_4952
  private static let junk: UInt64 = 0x4B4E_554A
  /// More than this after the sound of an RF64 that is no chunk is sound that its header does not count.
  private static var longestRest: UInt64 { 0x10000 }

  static func complete(_ input: UnsafeMutablePointer<FileInput>) {
    guard unsafe !input.pointee.isStream else { return }
    var bytes = unsafe FileBytes(input, forNanoseconds: nanoseconds)
    unsafe MissingPads.find(&bytes, input)
    if bytes.equals("RF64", at: 0) || bytes.equals("BW64", at: 0) {
      unsafe completeRF64(&bytes, input)
    } else if bytes.equals("FORM", at: 0), bytes.equals("AIF", at: 8) {
      unsafe completeAIFF(&bytes, input)
    } else if bytes.equals("RIFF", at: 0), bytes.equals("WAVE", at: 8) {
      unsafe completeWAV(&bytes, input)
    } else if bytes.equals("riff", at: 0), bytes.equals("wave", at: 24) {
      unsafe completeWave64(&bytes, input)
    } else if let start = FLACStreams.start(&bytes), bytes.equals("fLaC", at: start) {
      unsafe passOverCueSheet(&bytes, from: start + 4, input)
    }
  }

  /// Makes FLAC's table of a disc's tracks padding: FFmpeg refuses the file for any error in it.
  private static func passOverCueSheet(
    _ bytes: inout FileBytes, from start: Int64, _ input: UnsafeMutablePointer<FileInput>
  ) {
    var place = start
    for _ in 0..<chunkLimit {
      guard let header = bytes.bigEndian(at: place, bytes: 4) else { return }
      if header >> 24 & 0x7F == 5 {
        unsafe input.pointee.correct(HeaderCorrection(place: place, value: header >> 24 & 0x80 | 1, byteCount: 1))
      }
      guard header >> 31 == 0 else { return }
      place += 4 + Int64(header & 0xFF_FFFF)
    }
  }

  /// EBU Tech 3306, 3: the sizes of the file and of its sound, and the number of frames, are in the first chunk.
  private static func completeRF64(_ bytes: inout FileBytes, _ input: UnsafeMutablePointer<FileInput>) {
    guard bytes.equals("ds64", at: 12), let stated = bytes.littleEndian(at: 28, bytes: 8) else {
      // Without that chunk, which takes the place of another one, it is an ordinary WAV.
      unsafe input.pointee.correct(HeaderCorrection(place: 0, value: riff, byteCount: 4))
      return
    }
    var place: Int64 = 12
    for _ in 0..<chunkLimit {
      guard let size = bytes.littleEndian(at: place + 4, bytes: 4) else { return }
      guard bytes.equals("data", at: place) else {
        place = unsafe input.pointee.chunkEnd(place + 8 + Int64(size), byteCount: size)
        continue
      }
      let start = place + 8
      let left = UInt64(bytes.byteCount - start)
      let isShort = stated < left && left - stated > longestRest && !isChunk(&bytes, at: start + Int64(stated))
      guard stated == 0 || stated > left || isShort else {
        unsafe input.pointee.soundByteCount = Int64(stated)
        return
      }
      let end = unsafe soundEnd(&bytes, from: start, input)
      unsafe input.pointee.correct(HeaderCorrection(place: 20, value: UInt64(bytes.byteCount - 8), byteCount: 8))
      unsafe input.pointee.correct(HeaderCorrection(place: 28, value: UInt64(end - start), byteCount: 8))
      unsafe input.pointee.correct(HeaderCorrection(place: 36, value: 0, byteCount: 8))
      return
    }
  }

  /// Whether a chunk begins there, or after a byte of padding.
  private static func isChunk(_ bytes: inout FileBytes, at place: Int64) -> Bool {
    let chunks = Chunks(isBigEndian: false)
    return chunks.byteCount(&bytes, at: place) != nil || chunks.byteCount(&bytes, at: place + 1) != nil
  }

  /// Where sound of unknown size ends, which is noted: before the chunks at the end of the file, if there are any.
  private static func soundEnd(
    _ bytes: inout FileBytes, from start: Int64, isBigEndian: Bool = false, _ input: UnsafeMutablePointer<FileInput>
  ) -> Int64 {
    let end = Chunks(isBigEndian: isBigEndian).tail(&bytes, after: start) ?? bytes.byteCount
    unsafe input.pointee.soundByteCount = end - start
    return end
  }

  /// A WAV has one chunk of sound. Of several FFmpeg plays the last, and all other programs the first. Some programs
  /// write more than 4 GiB and state the size modulo 2^32.
  private static func completeWAV(_ bytes: inout FileBytes, _ input: UnsafeMutablePointer<FileInput>) {
    var place: Int64 = 12
    var hasSound = false
    for _ in 0..<chunkLimit {
      guard let size = bytes.littleEndian(at: place + 4, bytes: 4) else { return }
      if bytes.equals("fmt ", at: place), isPaddedPCM(&bytes, place + 8) {
        unsafe input.pointee.correct(HeaderCorrection(place: place + 26, value: 32, byteCount: 2))
      }
      if bytes.equals("data", at: place) {
        // An empty one may be first.
        let isOther = hasSound || size == 0 && bytes.equals("data", at: place + 8)
        if !isOther, unsafe completeSound(&bytes, from: place + 8, Int64(size), input) { return }
        if isOther { unsafe input.pointee.correct(HeaderCorrection(place: place, value: junk, byteCount: 4)) }
        hasSound = hasSound || !isOther
      }
      place = unsafe input.pointee.chunkEnd(place + 8 + Int64(size), byteCount: size)
    }
  }

  /// - Parameter size: of the sound, as the file tells it.
  /// - Returns: whether another size counts.
  private static func completeSound(
    _ bytes: inout FileBytes, from start: Int64, _ size: Int64, _ input: UnsafeMutablePointer<FileInput>
  ) -> Bool {
    let surplus = bytes.byteCount - start - size
    let isUnknown = size == 0 || size == 0xFFFF_FFFF
    guard isUnknown || surplus < 0 || surplus >= 1 << 32 else { return false }
    let end = unsafe soundEnd(&bytes, from: start, input)
    let byteCount = end - start
    // A size that has wrapped is right modulo 2^32. To the end of a file that may still grow FFmpeg plays by itself.
    let hasWrapped = surplus >= 1 << 32 && !isUnknown
    let isLeft = hasWrapped ? (byteCount - size) & 0xFFFF_FFFF > 0 : end == bytes.byteCount
    guard !isLeft else {
      unsafe input.pointee.soundByteCount = nil
      return false
    }
    let isLong = byteCount >= 0xFFFF_FFFF
    // FFmpeg takes either for an unknown size, and plays to the end.
    if isLong || byteCount == 0, end < bytes.byteCount { unsafe input.pointee.show(FilePart(end: end)) }
    let told = HeaderCorrection(place: start - 4, value: isLong ? 0xFFFF_FFFF : UInt64(byteCount), byteCount: 4)
    unsafe input.pointee.correct(told)
    return true
  }

  /// Whether the format is extensible, of integers with 24 valid bits of 32, which FFmpeg takes for an old format of
  /// floating-point numbers.
  private static func isPaddedPCM(_ bytes: inout FileBytes, _ format: Int64) -> Bool {
    bytes.littleEndian(at: format, bytes: 2) == 0xFFFE && bytes.littleEndian(at: format + 14, bytes: 2) == 32
      && bytes.littleEndian(at: format + 18, bytes: 2) == 24 && bytes.littleEndian(at: format + 24, bytes: 2) == 1
  }

  private static func completeAIFF(_ bytes: inout FileBytes, _ input: UnsafeMutablePointer<FileInput>) {
    var place: Int64 = 12
    // The offset of the number of frames, that number, and the bytes of each. FFmpeg plays further sound if there is any.
    var common: (place: Int64, frameCount: Int64, frameByteCount: Int64)?
    for _ in 0..<chunkLimit {
      guard let size = bytes.bigEndian(at: place + 4, bytes: 4) else { return }
      let content = place + 8
      if bytes.equals("SSND", at: place) {
        let end = size == 0 ? unsafe soundEnd(&bytes, from: content, isBigEndian: true, input) : 0
        let left = min(largestAIFF, end - content)
        if size == 0 { unsafe input.pointee.correct(bigEndian: left, at: place + 4) }
        if bytes.bigEndian(at: 4, bytes: 4) == 0 {
          unsafe input.pointee.correct(bigEndian: min(largestAIFF, bytes.byteCount - 8), at: 4)
        }
        let soundByteCount = (size == 0 ? left : Int64(size)) - 8
        if let common, soundByteCount > 0, soundByteCount / common.frameByteCount > common.frameCount {
          unsafe input.pointee.correct(bigEndian: soundByteCount / common.frameByteCount, at: common.place)
        }
        return
      }
      if bytes.equals("COMM", at: place), isPCM(&bytes, content),
        let count = bytes.bigEndian(at: content + 2, bytes: 4),
        let channels = bytes.bigEndian(at: content, bytes: 2), let bits = bytes.bigEndian(at: content + 6, bytes: 2)
      {
        common = (content + 2, Int64(count), max(1, Int64(channels) * Int64((bits + 7) / 8)))
      }
      place = unsafe input.pointee.chunkEnd(content + Int64(size), byteCount: size)
    }
  }

  private static func isPCM(_ bytes: inout FileBytes, _ common: Int64) -> Bool {
    let coding = common + 18
    return bytes.equals("AIFF", at: 8) || bytes.equals("NONE", at: coding) || bytes.equals("sowt", at: coding)
      || bytes.equals("in24", at: coding) || bytes.equals("fl32", at: coding)
  }

  /// Chunks have a name of 16 bytes and a size of 8, which counts both; they begin at multiples of 8.
  private static func completeWave64(_ bytes: inout FileBytes, _ input: UnsafeMutablePointer<FileInput>) {
    var place: Int64 = 40
    for _ in 0..<chunkLimit {
      guard let size = bytes.littleEndian(at: place + 16, bytes: 8) else { return }
      let left = UInt64(bytes.byteCount - place)
      if bytes.equals("data", at: place) {
        guard size <= 24 || size > left else {
          unsafe cutWave64(&bytes, from: place + Int64(size + 7) & ~7, input)
          return
        }
        unsafe input.pointee.correct(HeaderCorrection(place: 16, value: UInt64(bytes.byteCount), byteCount: 8))
        unsafe input.pointee.correct(HeaderCorrection(place: place + 16, value: left, byteCount: 8))
        return
      }
      guard size >= 24, size < left else { return }
      place += Int64(size + 7) & ~7
    }
  }

  /// Hides what follows the last chunk, which FFmpeg would take for a damaged one.
  private static func cutWave64(_ bytes: inout FileBytes, from start: Int64, _ input: UnsafeMutablePointer<FileInput>) {
    var place = start
    for _ in 0..<chunkLimit where place < bytes.byteCount {
      guard !bytes.equals("riff", at: place), let size = bytes.littleEndian(at: place + 16, bytes: 8), size > 24,
        size <= bytes.byteCount - place
      else {
        unsafe input.pointee.show(FilePart(end: place))
        return
      }
      place += Int64(size + 7) & ~7
    }
  }
}

/// The places in a RIFF or AIFF file where a byte should make a chunk's length even, and the program that wrote the
/// file left it out. FFmpeg, which counts on that byte, would miss the next chunk: it is given a zero there.
struct MissingPads {
  private static var capacity: Int { 8 }
  private static var chunkLimit: Int { 100 }

  /// In ascending order.
  private var places = InlineArray<8, Int64>(repeating: 0)
  private(set) var count = 0

  mutating func append(_ place: Int64) {
    guard count < Self.capacity else { return }
    places[count] = place
    count += 1
  }

  func contains(_ place: Int64) -> Bool {
    for index in 0..<count where places[index] == place { return true }
    return false
  }

  /// Where FFmpeg's offset lies in the file, and how many bytes follow there before the next missing one; nil if it is
  /// the offset of a missing one.
  func stretch(at offset: Int64) -> (place: Int64, byteCount: Int64?) {
    for index in 0..<count {
      let pad = places[index] + Int64(index)
      if offset == pad { return (places[index], nil) }
      if offset < pad { return (offset - Int64(index), pad - offset) }
    }
    return (offset - Int64(count), .max)
  }

  /// Looks through the chunks of a file, if it consists of such.
  static func find(_ bytes: inout FileBytes, _ input: UnsafeMutablePointer<FileInput>) {
    let isAIFF = bytes.equals("FORM", at: 0) && bytes.equals("AIF", at: 8)
    guard isAIFF || bytes.equals("WAVE", at: 8) && bytes.isRIFF(at: 0) else { return }
    let chunks = Chunks(isBigEndian: isAIFF)
    var place: Int64 = 12
    for _ in 0..<chunkLimit {
      guard let size = chunks.byteCount(&bytes, at: place) else { return }
      let end = place + 8 + size
      if size & 1 == 1, end < bytes.byteCount, chunks.follow(&bytes, from: end), !chunks.follow(&bytes, from: end + 1) {
        unsafe input.pointee.insertPad(at: end)
      }
      place = unsafe input.pointee.chunkEnd(end, byteCount: size)
    }
  }
}

/// How the chunks of a file are written.
private struct Chunks {
  let isBigEndian: Bool

  /// The names of chunks that programs write after the sound.
  private static let names: InlineArray<22, StaticString> = [
    "LIST", "id3 ", "ID3 ", "bext", "iXML", "cue ", "cart", "smpl", "inst", "_PMX", "axml", "chna", "fact", "JUNK",
    "PAD ", "NAME", "AUTH", "(c) ", "ANNO", "COMT", "MARK", "APPL",
  ]
  private static let chunkLimit = 100
  private static let longestTail: Int64 = 0x10_0000

  /// Where the chunks begin that follow sound of unknown size, and end with the file; nil if there are none.
  func tail(_ bytes: inout FileBytes, after start: Int64) -> Int64? {
    for place in max(start, bytes.byteCount - Self.longestTail)..<max(start, bytes.byteCount)
    where isTail(&bytes, from: place) && isKnown(&bytes, place) {
      return place
    }
    return nil
  }

  private func isKnown(_ bytes: inout FileBytes, _ place: Int64) -> Bool {
    for index in Self.names.indices where bytes.equals(Self.names[index], at: place) { return true }
    return false
  }

  private func isTail(_ bytes: inout FileBytes, from start: Int64) -> Bool {
    var place = start
    for _ in 0..<Self.chunkLimit {
      guard let size = byteCount(&bytes, at: place) else { return false }
      place += 8 + size
      if place == bytes.byteCount || place + (size & 1) == bytes.byteCount { return true }
      place += size & 1
    }
    return false
  }

  /// Of the content of the chunk at an offset; nil if none begins there.
  func byteCount(_ bytes: inout FileBytes, at place: Int64) -> Int64? {
    guard isName(&bytes, at: place) else { return nil }
    let size = isBigEndian ? bytes.bigEndian(at: place + 4, bytes: 4) : bytes.littleEndian(at: place + 4, bytes: 4)
    return size.map { Int64($0) }
  }

  /// Whether a chunk begins there, and another one or nothing after it. That of the sound may be cut off or unfinished.
  func follow(_ bytes: inout FileBytes, from place: Int64) -> Bool {
    guard let size = byteCount(&bytes, at: place) else { return false }
    if bytes.equals("data", at: place) || bytes.equals("SSND", at: place) { return true }
    let end = place + 8 + size
    return end == bytes.byteCount || end + (size & 1) == bytes.byteCount || isName(&bytes, at: end)
      || isName(&bytes, at: end + 1)
  }

  private func isName(_ bytes: inout FileBytes, at place: Int64) -> Bool {
    for index in place..<place + 4 {
      guard let byte = bytes.byte(at: index), byte >= 0x20, byte < 0x7F else { return false }
    }
    return true
  }
}
