/// The STREAMINFO block of a FLAC stream (RFC 9639, 8.2).
struct FLACDescription {
  /// Sample frames in every block; unused if the stream numbers samples instead of blocks.
  let blockFrameCount: Int64
  let sampleRateHz: Int32
  /// 0 if unknown.
  let frameCount: Int64
  /// The offset after the block, where frames may begin.
  let end: Int64

  /// - Returns: nil if no stream begins there.
  init?(_ bytes: inout FileBytes, at start: Int64) {
    guard bytes.equals("fLaC", at: start), let kind = bytes.bigEndian(at: start + 4, bytes: 4),
      kind & 0x7FFF_FFFF == Self.byteCount, let blocks = bytes.bigEndian(at: start + 8, bytes: 2), blocks >= 16,
      let facts = bytes.bigEndian(at: start + 18, bytes: 8), facts >> 44 > 0
    else { return nil }
    blockFrameCount = Int64(blocks)
    sampleRateHz = Int32(facts >> 44)
    frameCount = Int64(facts & 0xF_FFFF_FFFF)
    end = start + 8 + Int64(Self.byteCount)
  }

  private static let byteCount: UInt64 = 34
}

/// The header of a FLAC frame, with its checksum (RFC 9639, 9.1).
private struct FLACFrame {
  let place: Int64
  let firstFrame: Int64
  let frameCount: Int64

  /// - Returns: nil if no frame begins there.
  init?(_ bytes: inout FileBytes, at start: Int64, _ description: FLACDescription) {
    guard bytes.byte(at: start) == 0xFF, let kind = bytes.byte(at: start + 1), kind & 0xFE == 0xF8,
      let sizes = bytes.byte(at: start + 2), let form = bytes.byte(at: start + 3), form & 1 == 0, form >> 4 < 11,
      sizes >> 4 > 0, sizes & 15 != 15
    else { return nil }
    var next = start + 4
    guard let number = Self.number(&bytes, &next) else { return nil }
    let code = Int64(sizes >> 4)
    switch code {
    case 1: frameCount = 192
    case 2...5: frameCount = 576 << (code - 2)
    case 6, 7:
      let length = Int(code - 5)
      guard let count = bytes.bigEndian(at: next, bytes: length) else { return nil }
      frameCount = Int64(count) + 1
      next += Int64(length)
    default: frameCount = 256 << (code - 8)
    }
    next += sizes & 15 == 12 ? 1 : sizes & 15 > 12 ? 2 : 0
    guard let sum = bytes.byte(at: next), Self.checksum(&bytes, start..<next) == sum else { return nil }
    firstFrame = kind & 1 == 1 ? number : number * description.blockFrameCount
    place = start
  }

  /// Whether it ends there, by the checksum at its end (RFC 9639, 9.3): the polynomial is x¹⁶ + x¹⁵ + x² + 1. If it is
  /// the last frame that the description counts, other bytes may follow.
  func ends(at end: Int64, _ bytes: inout FileBytes, _ description: FLACDescription) -> Bool {
    let isLast = firstFrame + frameCount == description.frameCount
    var sum: UInt16 = 0
    for byte in place..<max(place, end) {
      sum ^= UInt16(bytes.byte(at: byte) ?? 0) << 8
      for _ in 0..<8 { sum = sum & 0x8000 != 0 ? sum << 1 ^ 0x8005 : sum << 1 }
      if isLast, sum == 0, byte > place + Self.shortest { return true }
    }
    return sum == 0
  }

  private static let shortest: Int64 = 10

  /// A number of up to 36 bits, coded like a UTF-8 character.
  private static func number(_ bytes: inout FileBytes, _ place: inout Int64) -> Int64? {
    guard let first = bytes.byte(at: place) else { return nil }
    let length = (~first).leadingZeroBitCount
    place += 1
    guard length != 0 else { return Int64(first) }
    guard length >= 2, length <= 7 else { return nil }
    var number = Int64(first & (0x7F >> UInt8(length)))
    for _ in 1..<length {
      guard let byte = bytes.byte(at: place), byte & 0xC0 == 0x80 else { return nil }
      number = number << 6 | Int64(byte & 0x3F)
      place += 1
    }
    return number
  }

  /// CRC-8 with the polynomial x⁸ + x² + x + 1.
  private static func checksum(_ bytes: inout FileBytes, _ range: Range<Int64>) -> UInt8 {
    var sum: UInt8 = 0
    for place in range {
      sum ^= bytes.byte(at: place) ?? 0
      for _ in 0..<8 { sum = sum & 0x80 != 0 ? sum << 1 ^ 7 : sum << 1 }
    }
    return sum
  }
}

/// Finds the streams in a concatenation of FLAC files. A file is read in full only if the numbers of a few of its
/// frames do not look like one stream.
enum FLACStreams {
  /// Holds several frames of most files, and the start of a frame of most others.
  private static let stretchByteCount: Int64 = 0x10000
  private static let stretchCount: Int64 = 8

  /// - Parameter end: where the tags after the sound begin.
  static func find(_ bytes: inout FileBytes, upTo end: Int64, into parts: inout FileParts) {
    guard let start = start(&bytes), let first = FLACDescription(&bytes, at: start) else { return }
    let reached = reached(&bytes, first, upTo: end)
    guard reached == nil || first.frameCount > 0 && reached != first.frameCount else { return }
    var (description, place) = (first, first.end)
    var part = FilePart(end: end, tailEnd: bytes.byteCount)
    while let next = nextStream(&bytes, from: place, upTo: end), let following = FLACDescription(&bytes, at: next) {
      finish(part, description, end: next, into: &parts)
      part = FilePart(start: next, end: end, tailEnd: bytes.byteCount)
      (description, place) = (following, following.end)
    }
    if parts.count > 0 {
      finish(part, description, end: end, into: &parts)
    } else if let reached {
      // The description lies, or the end is missing: what is there counts.
      part.frameCount = reached
      part.sampleRateHz = first.sampleRateHz
      _ = parts.append(part)
    }
  }

  private static func finish(
    _ part: FilePart, _ description: FLACDescription, end: Int64, into parts: inout FileParts
  ) {
    var part = part
    part.end = end
    part.tailEnd = max(end, part.tailEnd)
    part.frameCount = description.frameCount > 0 ? description.frameCount : nil
    part.sampleRateHz = description.sampleRateHz
    _ = parts.append(part)
  }

  /// An ID3 tag may come first.
  static func start(_ bytes: inout FileBytes) -> Int64? {
    guard bytes.equals("ID3", at: 0), let size = bytes.safeNumber(at: 6) else { return 0 }
    return 10 + size
  }

  /// How far the frames' numbers rise from the beginning; nil if they do not.
  private static func reached(_ bytes: inout FileBytes, _ description: FLACDescription, upTo end: Int64) -> Int64? {
    var reached: Int64 = 0
    for index in 1...stretchCount {
      let stretchEnd = description.end + (end - description.end) * index / stretchCount
      let stretchStart = max(description.end, stretchEnd - stretchByteCount)
      guard let frame = lastFrame(&bytes, in: stretchStart..<stretchEnd, description) else { continue }
      if frame.firstFrame < reached { return nil }
      // A frame that is cut off is not heard.
      let isHeard = index < stretchCount || frame.ends(at: end, &bytes, description)
      reached = frame.firstFrame + (isHeard ? frame.frameCount : 0)
    }
    return reached
  }

  private static func lastFrame(
    _ bytes: inout FileBytes, in stretch: Range<Int64>, _ description: FLACDescription
  ) -> FLACFrame? {
    var last: FLACFrame?
    for place in stretch where bytes.byte(at: place) == 0xFF {
      if let frame = FLACFrame(&bytes, at: place, description) { last = frame }
    }
    return last
  }

  private static func nextStream(_ bytes: inout FileBytes, from start: Int64, upTo end: Int64) -> Int64? {
    var place = start
    while place < end, !bytes.isLate {
      if bytes.byte(at: place) == UInt8(ascii: "f"), FLACDescription(&bytes, at: place) != nil { return place }
      place += 1
    }
    return nil
  }
}
