import Base
import CFFmpeg

/// The header of an Ogg page (RFC 3533, 6).
struct OggPage {
  let isFirst: Bool
  let serial: UInt64
  /// The granule position after the page; nil if no packet ends on it.
  let granule: Int64?
  let contentStart: Int64
  let end: Int64

  init?(_ bytes: inout FileBytes, at start: Int64) {
    guard bytes.equals("OggS", at: start), let flags = bytes.byte(at: start + 5),
      let granule = bytes.littleEndian(at: start + 6, bytes: 8),
      let serial = bytes.littleEndian(at: start + 14, bytes: 4),
      let count = bytes.byte(at: start + 26)
    else { return nil }
    isFirst = flags & 2 != 0
    self.serial = serial
    self.granule = granule == .max ? nil : Int64(truncatingIfNeeded: granule)
    contentStart = start + 27 + Int64(count)
    var end = contentStart
    for index in 0..<Int64(count) { end += Int64(bytes.byte(at: start + 27 + index) ?? 0) }
    self.end = end
  }
}

/// What the first page of an Ogg stream says about its sound.
private struct OggSound {
  let sampleRateHz: Int32
  /// The part of a granule position that is decoded and not played (RFC 7845, 4.2).
  let skip: Int64

  /// - Returns: nil for pictures, and for codecs whose granule positions do not count samples.
  init?(_ bytes: inout FileBytes, _ page: OggPage) {
    let start = page.contentStart
    var rate: UInt64?
    var skip: Int64 = 0
    if bytes.equals("OpusHead", at: start) {
      rate = 48_000
      skip = Int64(bytes.littleEndian(at: start + 10, bytes: 2) ?? 0)
    } else if bytes.equals("\u{01}vorbis", at: start) {
      rate = bytes.littleEndian(at: start + 12, bytes: 4)
    } else if bytes.equals("\u{7F}FLAC", at: start) {
      rate = bytes.bigEndian(at: start + 27, bytes: 3).map { $0 >> 4 }
    } else if bytes.equals("Speex   ", at: start) {
      rate = bytes.littleEndian(at: start + 36, bytes: 4)
    }
    guard let rate, rate >= 1000, rate <= 768_000 else { return nil }
    sampleRateHz = Int32(rate)
    self.skip = skip
  }
}

/// Finds the links of a chained Ogg file by its pages: each link begins with the first pages of its streams.
struct OggLinks {
  /// The largest page, so one begins within this many bytes of any offset.
  private static let longestPage: Int64 = 65_307

  /// When the first link's sound begins.
  private let startSeconds: Double
  private var place: Int64 = 0
  private var part = FilePart()
  private var sound: OggSound?
  private var serial: UInt64 = 0
  private var isAmongFirst = false
  private var firstGranule: Int64?
  private var lastGranule: Int64 = 0

  static func find(_ bytes: inout FileBytes, of file: borrowing SoundFile, into parts: inout FileParts) {
    var links = OggLinks(startSeconds: file.startSeconds)
    links.run(&bytes, into: &parts)
  }

  private init(startSeconds: Double) { self.startSeconds = startSeconds }

  private mutating func run(_ bytes: inout FileBytes, into parts: inout FileParts) {
    guard let first = nextPage(&bytes, from: 0, upTo: Self.longestPage) else { return }
    place = first
    while let page = OggPage(&bytes, at: place) ?? resume(&bytes) {
      note(&bytes, page, into: &parts)
      place = page.end
      part.end = min(page.end, bytes.byteCount)
    }
    finish(tailEnd: bytes.byteCount, into: &parts)
  }

  private mutating func note(_ bytes: inout FileBytes, _ page: OggPage, into parts: inout FileParts) {
    if page.isFirst, !isAmongFirst {
      if part.end > 0 {
        finish(tailEnd: place, into: &parts)
        part = FilePart(start: place)
      }
      sound = nil
      firstGranule = nil
      lastGranule = 0
    }
    isAmongFirst = page.isFirst
    if page.isFirst, sound == nil {
      sound = OggSound(&bytes, page)
      serial = page.serial
    }
    // Packets that end on a truncated page are not played.
    guard !page.isFirst, page.serial == serial, page.end <= bytes.byteCount, let granule = page.granule, granule > 0
    else { return }
    if firstGranule == nil { firstGranule = granule }
    lastGranule = max(lastGranule, granule)
  }

  private func finish(tailEnd: Int64, into parts: inout FileParts) {
    var part = part
    part.tailEnd = tailEnd
    if let sound {
      part.sampleRateHz = sound.sampleRateHz
      part.frameCount = max(0, lastGranule - start(sound, isFirst: parts.count == 0) - sound.skip)
    }
    _ = parts.append(part)
  }

  /// A recording of a running stream does not begin at 0, nor does a piece cut from a file.
  private func start(_ sound: OggSound, isFirst: Bool) -> Int64 {
    if isFirst { return Int64(startSeconds * Double(sound.sampleRateHz) + 0.5) }
    guard let firstGranule, firstGranule > 10 * Int64(sound.sampleRateHz) else { return 0 }
    return firstGranule
  }

  /// Bytes between pages are skipped as damage.
  private mutating func resume(_ bytes: inout FileBytes) -> OggPage? {
    guard let next = nextPage(&bytes, from: place, upTo: place + 4 * Self.longestPage) else { return nil }
    place = next
    return OggPage(&bytes, at: next)
  }

  private func nextPage(_ bytes: inout FileBytes, from start: Int64, upTo end: Int64) -> Int64? {
    var place = start
    while place < min(end, bytes.byteCount), !bytes.isLate {
      if bytes.equals("OggS", at: place) { return place }
      place += 1
    }
    return nil
  }
}

/// A packet of an Ogg stream that describes the sound, if FFmpeg passed it on: of Opus (RFC 7845, 5) or FLAC. It drops
/// those of Vorbis.
struct OggHeaderPacket {
  /// Frames of Opus to drop after it.
  private(set) var preSkip: UInt16 = 0

  /// Where its comments begin; nil if it has none.
  private var commentStart: Int?
  private static let opus: StaticString = "Opus"

  /// - Returns: nil if it is sound.
  init?(_ packet: UnsafeMutablePointer<AVPacket>, _ coding: AVCodecID) {
    guard let data = unsafe packet.pointee.data, unsafe packet.pointee.size >= 4 else { return nil }
    switch coding {
    case AV_CODEC_ID_OPUS:
      // No packet of sound begins so: it would have 48 frames of 20 ms, and 120 ms are allowed.
      guard unsafe packet.pointee.size >= 16, unsafe memcmp(data, Self.opus.cString, 4) == 0 else { return nil }
      if unsafe data[4] == UInt8(ascii: "H") {
        preSkip = unsafe UInt16(data[10]) | UInt16(data[11]) << 8
      } else {
        commentStart = 8
      }
    // The packets of sound begin with the frame's mark.
    case AV_CODEC_ID_FLAC:
      if unsafe data[0] == 0xFF { return nil }
      if unsafe data[0] & 0x7F == 4 { commentStart = 4 }
    default: return nil
    }
  }

  /// Reads its comments, each a length and a text, after the name of the program that wrote them.
  func readTags(_ packet: UnsafeMutablePointer<AVPacket>, into file: borrowing SoundFile) {
    guard var place = commentStart, let data = unsafe packet.pointee.data else { return }
    let end = Int(unsafe packet.pointee.size)
    guard let name = unsafe Self.number(data, &place, upTo: end) else { return }
    place += name
    guard let count = unsafe Self.number(data, &place, upTo: end) else { return }
    for _ in 0..<min(count, Self.commentLimit) {
      guard let length = unsafe Self.number(data, &place, upTo: end), length <= end - place else { return }
      if let text = unsafe av_strndup(UnsafeRawPointer(data + place).assumingMemoryBound(to: CChar.self), length) {
        unsafe file.add(tag: text)
        unsafe av_free(text)
      }
      place += length
    }
  }

  private static let commentLimit = 1000

  private static func number(_ data: UnsafePointer<UInt8>, _ place: inout Int, upTo end: Int) -> Int? {
    guard place + 4 <= end else { return nil }
    defer { place += 4 }
    return unsafe Int(UInt32(littleEndian: UnsafeRawPointer(data + place).loadUnaligned(as: UInt32.self)))
  }
}
