/// Walks over the frames of a file that consists only of frames, and finds where its streams begin and end: at each
/// variable bit rate table, and at tags between frames.
struct FrameWalk {
  /// This many frames in a row tell frames from other bytes.
  private static let chainLength = 4
  /// How far to search for the first frame.
  private static let longestSearch: Int64 = 0x40000

  private let end: Int64
  private let coding: FrameCoding
  private var place: Int64 = 0
  private var part = FilePart()
  private var header: VariableRateHeader?
  private var first: FrameHeader?
  /// The offset of the present part's table.
  private var headerPlace: Int64 = 0
  private var frameCount: Int64 = 0

  /// - Parameter end: where the tags after the last part begin.
  static func find(
    _ bytes: inout FileBytes, of input: UnsafeMutablePointer<FileInput>, upTo end: Int64, _ coding: FrameCoding,
    into parts: inout FileParts
  ) {
    var walk = FrameWalk(end: end, coding)
    unsafe walk.run(&bytes, input, into: &parts)
  }

  private init(end: Int64, _ coding: FrameCoding) {
    self.end = end
    self.coding = coding
  }

  private mutating func run(
    _ bytes: inout FileBytes, _ input: UnsafeMutablePointer<FileInput>, into parts: inout FileParts
  ) {
    // The last ID3v2 tag of those at the beginning.
    var tag: Range<Int64>?
    while let tagEnd = Self.tagEnd(&bytes, at: place, upTo: end) {
      if place == tag?.upperBound ?? 0, bytes.equals("ID3", at: place) { tag = place..<tagEnd }
      place = tagEnd
    }
    guard
      let start = hiddenFrame(&bytes, behind: tag?.lowerBound)
        ?? nextFrame(&bytes, from: place, upTo: min(end, place + Self.longestSearch))
    else { return }
    // Old programs wrote the size with eight bits a byte, which is not read.
    if tag == nil, bytes.equals("ID3", at: 0) { tag = 0..<10 }
    // After other bytes FFmpeg loses the first frames: a tag before those bytes is extended over them.
    if let tag {
      if tag.upperBound != start { unsafe Self.stretch(tag, upTo: start, &bytes, input) }
    } else {
      part.start = start
    }
    begin(&bytes, at: start)
    if isWhole(&bytes, start) {
      finish(&bytes, tailEnd: bytes.byteCount, frameCount: header?.frameCount ?? 0, into: &parts)
      return
    }
    while place < end,
      let frame = FrameHeader(&bytes, at: place, coding) ?? resume(&bytes, into: &parts)
    {
      if isNewPart(&bytes, frame) {
        finish(&bytes, tailEnd: place, frameCount: frameCount, into: &parts)
        part = FilePart(start: place)
        begin(&bytes, at: place)
        continue
      }
      frameCount += 1
      place = min(end, place + frame.byteCount)
      part.end = place
    }
    unsafe correctCount(input)
    finish(&bytes, tailEnd: bytes.byteCount, frameCount: frameCount, into: &parts)
  }

  /// The first frame, if a tag is said to end within it.
  private func hiddenFrame(_ bytes: inout FileBytes, behind tag: Int64?) -> Int64? {
    guard let tag, bytes.byte(at: place) != coding.firstByte || !isChain(&bytes, from: place) else { return nil }
    for start in stride(from: place - 1, through: max(tag + 10, place - Self.longestFrame), by: -1)
    where bytes.byte(at: start) == coding.firstByte && isChain(&bytes, from: start) {
      let frame = FrameHeader(&bytes, at: start, coding)
      return start + (frame?.byteCount ?? 0) > place ? start : nil
    }
    return nil
  }

  private static let longestFrame: Int64 = 2881

  private static func stretch(
    _ tag: Range<Int64>, upTo end: Int64, _ bytes: inout FileBytes, _ input: UnsafeMutablePointer<FileInput>
  ) {
    let size = UInt64(end - tag.lowerBound - (hasFooter(&bytes, at: tag.lowerBound) ? 20 : 10))
    // Seven bits a byte, the highest first.
    let safe = size >> 21 & 0x7F | (size >> 14 & 0x7F) << 8 | (size >> 7 & 0x7F) << 16 | (size & 0x7F) << 24
    unsafe input.pointee.correct(HeaderCorrection(place: tag.lowerBound + 6, value: safe, byteCount: 4))
  }

  private static func hasFooter(_ bytes: inout FileBytes, at tag: Int64) -> Bool {
    (bytes.byte(at: tag + 5) ?? 0) & 0x10 != 0
  }

  /// Notes what the part's first frame states.
  private mutating func begin(_ bytes: inout FileBytes, at start: Int64) {
    frameCount = 0
    first = FrameHeader(&bytes, at: start, coding)
    header = coding != .mpeg ? nil : first.flatMap { VariableRateHeader(&bytes, in: $0, at: start) }
    headerPlace = start
    place = header == nil ? start : min(end, start + (first?.byteCount ?? 0))
    part.end = place
  }

  /// Whether the table says that the part has all the sound of the file, so that no walk is needed.
  private mutating func isWhole(_ bytes: inout FileBytes, _ start: Int64) -> Bool {
    guard let header, let first, header.frameCount > 0, header.byteCount > 0 else { return false }
    let counted = start + header.byteCount
    // A short file may follow, or the table's own frame, which some programs do not count.
    guard abs(counted - end) <= first.byteCount, counted >= end || !isChain(&bytes, from: counted) else { return false }
    guard isPossible(&bytes, header, first) else { return false }
    // A tag without a footer may be shorter than a frame.
    part.end = Self.tagEnd(&bytes, at: counted, upTo: end) == nil ? end : counted
    return true
  }

  /// Whether that many frames could be in so many bytes.
  private func isPossible(_ bytes: inout FileBytes, _ header: VariableRateHeader, _ first: FrameHeader) -> Bool {
    let mean = header.byteCount / header.frameCount
    guard header.isConstant else { return mean >= (first.sampleCount == 1152 ? 96 : 24) && mean <= 1441 }
    guard let frame = FrameHeader(&bytes, at: place, coding) else { return false }
    return abs(mean - frame.byteCount) <= frame.byteCount / 8
  }

  /// Replaces a count that the frames of a whole file contradict, also for FFmpeg.
  private mutating func correctCount(_ input: UnsafeMutablePointer<FileInput>) {
    guard let header, let first, header.byteCount > 0, frameCount > 0, abs(frameCount - header.frameCount) > 1,
      headerPlace + header.byteCount <= place + first.byteCount
    else { return }
    self.header?.frameCount = frameCount
    if let place = header.countPlace { unsafe input.pointee.correct(bigEndian: frameCount, at: place) }
  }

  private func isNewPart(_ bytes: inout FileBytes, _ frame: FrameHeader) -> Bool {
    guard let first, place > headerPlace, frameCount > 0 else { return false }
    if frame.kind != first.kind { return isChain(&bytes, from: place) }
    if coding == .mpeg, VariableRateHeader(&bytes, in: frame, at: place) != nil { return true }
    // All frames that the table counts are past: the sound of another file, without a table, follows.
    guard let header, header.frameCount == frameCount, header.byteCount > 0 else { return false }
    return abs(headerPlace + header.byteCount - place) <= 2 * first.byteCount && isChain(&bytes, from: place)
  }

  /// There is no frame where one is expected: tags end the part, other bytes are damage.
  private mutating func resume(_ bytes: inout FileBytes, into parts: inout FileParts) -> FrameHeader? {
    var tail = place
    var next = place
    while let tagEnd = Self.tagEnd(&bytes, at: next, upTo: end) {
      if !bytes.equals("ID3", at: next) { tail = tagEnd }
      next = tagEnd
    }
    guard let start = nextFrame(&bytes, from: next, upTo: end) else { return nil }
    if next > place {
      finish(&bytes, tailEnd: tail, frameCount: frameCount, into: &parts)
      part = FilePart(start: tail)
      begin(&bytes, at: start)
    } else {
      place = start
    }
    return FrameHeader(&bytes, at: place, coding)
  }

  private func finish(_ bytes: inout FileBytes, tailEnd: Int64, frameCount: Int64, into parts: inout FileParts) {
    guard let first, !bytes.isLate else { return }
    var part = part
    part.tailEnd = tailEnd
    part.sampleRateHz = first.sampleRateHz
    let samples = first.sampleCount
    // The packets of a single stream tell more than its frames; those of E-AC-3 vary.
    if coding != .dolby || parts.count > 0 || tailEnd < bytes.byteCount, samples > 0 {
      part.frameCount = header?.heardFrameCount(frameCount, samplesPerFrame: samples) ?? frameCount * samples
    }
    _ = parts.append(part)
  }

  private func nextFrame(_ bytes: inout FileBytes, from start: Int64, upTo last: Int64) -> Int64? {
    var place = start
    while place < last, !bytes.isLate {
      if bytes.byte(at: place) == coding.firstByte, isChain(&bytes, from: place) { return place }
      place += 1
    }
    return nil
  }

  /// Whether frames of one kind follow each other from there, or up to the end.
  private func isChain(_ bytes: inout FileBytes, from start: Int64) -> Bool {
    var place = start
    var kind: UInt32?
    for _ in 0..<Self.chainLength {
      if place == end, kind != nil { return true }
      guard let frame = FrameHeader(&bytes, at: place, coding), kind == nil || frame.kind == kind else {
        return false
      }
      kind = frame.kind
      place += frame.byteCount
    }
    return true
  }

  /// - Returns: the end of the tag at an offset; nil if there is none.
  static func tagEnd(_ bytes: inout FileBytes, at place: Int64, upTo end: Int64) -> Int64? {
    guard place < end else { return nil }
    var next: Int64?
    if bytes.equals("ID3", at: place), let size = bytes.safeNumber(at: place + 6) {
      next = place + (hasFooter(&bytes, at: place) ? 20 : 10) + size
    } else if bytes.equals("TAG+", at: place) {
      next = place + 227
    } else if bytes.equals("TAG", at: place) {
      next = place + 128
    } else if bytes.equals("APETAGEX", at: place), let size = bytes.littleEndian(at: place + 12, bytes: 4) {
      next = place + 32 + Int64(size)
    } else if bytes.equals("LYRICSBEGIN", at: place) {
      next = lyricsEnd(&bytes, from: place + 11, upTo: end)
    }
    return next.map { min($0, end) }
  }

  private static let longestLyrics: Int64 = 1_000_000

  private static func lyricsEnd(_ bytes: inout FileBytes, from start: Int64, upTo end: Int64) -> Int64? {
    var place = start
    while place < min(end, start + longestLyrics) {
      if bytes.equals("LYRICS200", at: place) || bytes.equals("LYRICSEND", at: place) { return place + 9 }
      place += 1
    }
    return nil
  }
}
