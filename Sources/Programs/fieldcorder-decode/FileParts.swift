import CFFmpeg

/// A byte range of a file that is a stream of its own: a link of a chained Ogg file, one of several concatenated MP3 or
/// FLAC files, or just the sound without the tags after it.
struct FilePart: BitwiseCopyable {
  /// The offset of its first byte; includes tags before its sound.
  var start: Int64 = 0
  /// The offset after the last byte of its sound.
  var end: Int64 = 0
  /// The offset after the tags that follow its sound.
  var tailEnd: Int64 = 0
  /// Frames to play; nil if only its packets tell.
  var frameCount: Int64?
  var sampleRateHz: Int32 = 0
  /// Frames to decode and drop before those, if FFmpeg does not skip them itself.
  var primingFrameCount: Int64 = 0

  var seconds: Double? { frameCount.map { Double($0) / Double(max(1, sampleRateHz)) } }
}

/// The parts of a file, in order.
struct FileParts: ~Copyable {
  /// A day of radio with a part for each song has about 400; any more are not told apart.
  private static var capacity: Int { 512 }

  private var parts = InlineArray<512, FilePart>(repeating: FilePart())
  private(set) var count = 0
  /// The index of the open part.
  private(set) var index = 0

  subscript(index: Int) -> FilePart { parts[index] }
  var current: FilePart? { index < count ? parts[index] : nil }
  var hasFollowing: Bool { index + 1 < count }
  var hasSeveral: Bool { count > 1 }

  /// - Returns: false if the table is full: the previous part then extends over all that follows.
  mutating func append(_ part: FilePart) -> Bool {
    guard count < Self.capacity else { return false }
    parts[count] = part
    count += 1
    return true
  }

  /// Empties the table, so that ``append(_:)`` can fill it anew.
  mutating func removeAll() {
    count = 0
    index = 0
  }

  mutating func select(_ index: Int) { self.index = index }

  /// Leaves out what the tag of iTunes says that its encoder has added, if no table has said so: then the only part
  /// consists of whole frames.
  private mutating func trim(by file: borrowing SoundFile) {
    guard count == 1, let frameCount = parts[0].frameCount, frameCount % 576 == 0, let told = file.gapless else {
      return
    }
    let priming = told.delay + VariableRateHeader.decoderDelay
    guard told.frameCount <= frameCount - priming, told.frameCount > frameCount / 2 else { return }
    parts[0].primingFrameCount = priming
    parts[0].frameCount = told.frameCount
  }

  /// Where the open part begins.
  var startSeconds: Double { seconds(before: index) }
  var wholeSeconds: Double { seconds(before: count) }

  private func seconds(before end: Int) -> Double {
    var sum = 0.0
    for index in 0..<end { sum += parts[index].seconds ?? 0 }
    return sum
  }

  /// The part at a time; the last one after the end.
  func index(atSeconds seconds: Double) -> Int {
    var end = 0.0
    for index in 0..<max(0, count - 1) {
      end += parts[index].seconds ?? 0
      if seconds < end { return index }
    }
    return max(0, count - 1)
  }

  /// Looks for a file's parts if FFmpeg would take it for one stream, and shows the first.
  /// - Parameters:
  ///   - file: the whole file.
  ///   - nanoseconds: how long this may take; after it, only the tags at the end are cut off.
  /// - Returns: whether the file must be opened again because less of it is shown.
  static func find(
    in file: borrowing SoundFile, _ input: UnsafeMutablePointer<FileInput>, forNanoseconds nanoseconds: UInt64
  ) -> Bool {
    guard unsafe !input.pointee.isStream else { return false }
    if file.isKind("matroska,webm") { return unsafe MatroskaParts.find(input, forNanoseconds: nanoseconds) }
    guard file.isBare || file.isKind("caf") || file.isKind("au") else { return false }
    var bytes = unsafe FileBytes(input, forNanoseconds: nanoseconds)
    if file.isKind("au") { return unsafe cutAU(&bytes, input) }
    guard file.isBare else {
      if let part = unsafe CAFPackets(&bytes)?.part(of: input.pointee.wholeByteCount, file.parameters) {
        _ = unsafe input.pointee.parts.append(part)
      }
      return false
    }
    let soundEnd = TailTags(&bytes, upTo: bytes.byteCount).soundEnd
    var parts = FileParts()
    if file.isKind("ogg") {
      OggLinks.find(&bytes, of: file, into: &parts)
    } else if let coding = FrameCoding(file) {
      unsafe FrameWalk.find(&bytes, of: input, upTo: soundEnd, coding, into: &parts)
      if coding == .mpeg { parts.trim(by: file) }
    } else if file.isKind("flac") {
      FLACStreams.find(&bytes, upTo: soundEnd, into: &parts)
    }
    if parts.count == 0 || bytes.isLate {
      parts.removeAll()
      guard soundEnd < bytes.byteCount else { return false }
      _ = parts.append(FilePart(end: soundEnd, tailEnd: bytes.byteCount))
    }
    let first = parts[0]
    let isCut = parts.hasSeveral || first.start > 0 || first.end < bytes.byteCount
    unsafe input.pointee.parts = parts
    if isCut { unsafe input.pointee.show(first) }
    return unsafe isCut || input.pointee.isCorrected
  }

  /// FFmpeg plays all that follows the header, which tells where the sound begins and its size; all ones: unknown.
  private static func cutAU(_ bytes: inout FileBytes, _ input: UnsafeMutablePointer<FileInput>) -> Bool {
    guard let start = bytes.bigEndian(at: 4, bytes: 4), let size = bytes.bigEndian(at: 8, bytes: 4), size > 0 else {
      return false
    }
    let end = Int64(start + size)
    guard size != 0xFFFF_FFFF, end < bytes.byteCount else { return false }
    let part = FilePart(end: end, tailEnd: bytes.byteCount)
    _ = unsafe input.pointee.parts.append(part)
    unsafe input.pointee.show(part)
    return true
  }
}

/// Finds the files in a concatenation of Matroska or WebM files.
private enum MatroskaParts {
  private static let segment: UInt64 = 0x1853_8067

  /// - Returns: whether there are several. They are then noted, and the first is shown.
  static func find(_ input: UnsafeMutablePointer<FileInput>, forNanoseconds nanoseconds: UInt64) -> Bool {
    var bytes = unsafe FileBytes(input, forNanoseconds: nanoseconds / 2)
    var start: Int64 = 0
    var parts = FileParts()
    while let end = fileEnd(&bytes, from: start) {
      let isLast = !FileStart.isMatroska(&bytes, end) || bytes.isLate
      guard !isLast || parts.count > 0 else { return false }
      var part = FilePart(start: start, end: isLast ? bytes.byteCount : end)
      part.tailEnd = part.end
      unsafe measure(&part, input)
      guard parts.append(part), !isLast else { break }
      start = end
    }
    unsafe input.pointee.show(parts.hasSeveral ? parts[0] : FilePart(end: bytes.byteCount))
    if parts.hasSeveral { unsafe input.pointee.parts = parts }
    return true
  }

  /// The end of the file that begins there; nil if none does.
  private static func fileEnd(_ bytes: inout FileBytes, from start: Int64) -> Int64? {
    var place = start + 4
    guard FileStart.isMatroska(&bytes, start), let header = size(&bytes, &place) else { return nil }
    place += header
    guard bytes.bigEndian(at: place, bytes: 4) == segment else { return bytes.byteCount }
    place += 4
    if let content = size(&bytes, &place) { return min(place + content, bytes.byteCount) }
    // As of a program that wrote into a pipe.
    while place < bytes.byteCount, !FileStart.isMatroska(&bytes, place), !bytes.isLate { place += 1 }
    return place
  }

  /// The size of an element: the leading zeros of its first byte tell its length (RFC 8794, 4).
  /// - Returns: nil if it is unknown: all bits are one.
  private static func size(_ bytes: inout FileBytes, _ place: inout Int64) -> Int64? {
    guard let first = bytes.byte(at: place), first > 0 else { return nil }
    let length = first.leadingZeroBitCount + 1
    guard let coded = bytes.bigEndian(at: place, bytes: length) else { return nil }
    place += Int64(length)
    let mask = (1 as UInt64) << UInt64(7 * length) - 1
    return coded & mask == mask ? nil : Int64(coded & mask)
  }

  private static func measure(_ part: inout FilePart, _ input: UnsafeMutablePointer<FileInput>) {
    unsafe input.pointee.show(part)
    guard var file = try? unsafe SoundFile(input),
      let measure = try? unsafe ItemMeasure(&file, input.pointee, .duration)
    else { return }
    part.frameCount = measure.frameCount
    part.sampleRateHz = unsafe file.parameters.pointee.sample_rate
  }
}

extension SoundFile {
  /// Whether the format does not say where the sound ends, and FFmpeg reads no tags after it.
  var isBare: Bool {
    isKind("mp3") || isKind("aac") || isKind("ogg") || isKind("flac") || isKind("ac3") || isKind("eac3")
      || isKind("dts") || isKind("truehd") || isKind("mlp") || isKind("loas") || isKind("amr")
  }
}

/// What the packet table of a CAF file says about its sound.
struct CAFPackets {
  /// Frames to play.
  let frameCount: Int64
  /// Frames to decode and drop before them.
  let primingFrameCount: Int64
  /// Whether the table states padding; FFmpeg itself writes zero padding.
  let isTrimmed: Bool

  private static let chunkLimit = 100
  private static let mostFrames: UInt64 = 1 << 40

  /// - Returns: nil if the file has no packet table.
  init?(_ bytes: inout FileBytes) {
    var place: Int64 = 8
    for _ in 0..<Self.chunkLimit {
      guard let size = bytes.bigEndian(at: place + 4, bytes: 8), size < 1 << 62 else { return nil }
      guard bytes.equals("pakt", at: place) else {
        place += 12 + Int64(size)
        continue
      }
      guard let valid = bytes.bigEndian(at: place + 20, bytes: 8), valid < Self.mostFrames,
        let priming = bytes.bigEndian(at: place + 28, bytes: 4), priming < 1 << 20,
        let remainder = bytes.bigEndian(at: place + 32, bytes: 4)
      else { return nil }
      (frameCount, primingFrameCount) = (Int64(valid), Int64(priming))
      isTrimmed = priming > 0 || remainder > 0
      return
    }
    return nil
  }

  /// The whole file; nil if nothing is to be trimmed.
  func part(of byteCount: Int64, _ parameters: UnsafeMutablePointer<AVCodecParameters>) -> FilePart? {
    guard isTrimmed else { return nil }
    return unsafe FilePart(
      end: byteCount, tailEnd: byteCount, frameCount: frameCount, sampleRateHz: parameters.pointee.sample_rate,
      primingFrameCount: primingFrameCount)
  }
}
