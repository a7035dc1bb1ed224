import Base

/// How far a FLAC file has whole frames.
struct FLACReach {
  /// The end of the last whole frame.
  var end: UInt64
  /// Sample frames before it; nil if that is not known.
  var sampleFrames: UInt64?
}

/// The header of a frame with ``FLACFormat/blockFrames``, or of the last one: RFC 9639, 9.1.
struct FLACFrameHeader {
  let number: UInt64
  let sampleFrames: UInt64

  /// The longest header.
  static var byteCount: Int { 16 }

  /// - Parameter format: of the file; nil if there is no such header at `offset`, or it is cut off.
  @_optimize(size)
  init?(_ bytes: RawSpan, at offset: Int, _ format: FLACFrameFormat) {
    guard format.begins(bytes, at: offset, upTo: bytes.byteCount), offset + 6 <= bytes.byteCount else { return nil }
    let isWhole = UInt64(bytes.byte(at: offset + 2)) >> 4 == FLACFormat.blockCode
    var place = offset + 4
    let first = bytes.byte(at: place)
    let following = max((~first).leadingZeroBitCount, 1) - 1
    guard following != 0 || first < 0x80, following < 7 else { return nil }
    var number = UInt64(first) & (following == 0 ? 0x7F : 0x3F >> UInt64(following))
    place += 1
    let end = place + following + (isWhole ? 0 : 2) + format.rateByteCount
    guard end < bytes.byteCount else { return nil }
    for _ in 0..<following {
      number = number << 6 | UInt64(bytes.byte(at: place) & 0x3F)
      place += 1
    }
    sampleFrames = isWhole ? UInt64(FLACFormat.blockFrames) : UInt64(bytes.big16(at: place) ?? 0) + 1
    self.number = number
    var crc = UInt8(0)
    for index in offset..<end { crc = FLACChecksum.crc8(crc, bytes.byte(at: index)) }
    guard crc == bytes.byte(at: end) else { return nil }
  }
}

/// What the headers of a file's frames have in common.
struct FLACFrameFormat {
  private let rateCode: UInt8
  fileprivate let rateByteCount: Int
  private let sizeCode: UInt8

  /// - Parameter header: the file's; nil if it is none.
  init?(header: RawSpan) {
    guard let format = FLACInformation.format(in: header) else { return nil }
    let rate = FLACRate(format.sampleRateHz)
    rateCode = UInt8(rate.code)
    rateByteCount = rate.byteCount
    sizeCode = format.bitsPerSample == 16 ? 8 : 12
  }

  /// Whether what there is of a header begins as one.
  @_optimize(size)
  func begins(_ bytes: RawSpan, at offset: Int, upTo end: Int) -> Bool {
    for place in 0..<min(4, end - offset) {
      let byte = bytes.byte(at: offset + place)
      let isExpected =
        switch place {
        case 0: byte == 0xFF
        case 1: byte == 0xF8
        case 2: byte & 15 == rateCode && (byte >> 4 == 12 || byte >> 4 == 7)
        default: byte & 15 == sizeCode
        }
      if !isExpected { return false }
    }
    return true
  }
}

/// Looks through frames, from one that is confirmed to the end.
struct FLACScan {
  private let format: FLACFrameFormat
  private let confirmed: UInt64
  private var frame: (start: UInt64, header: FLACFrameHeader)?
  private var crc: UInt16 = 0
  /// The zeros just read, which have left a checksum of 0 as it was.
  private var zeroCount = 0
  private var reach: FLACReach?
  /// Where the frame ends, if its checksum and what follows say so.
  private var candidate: UInt64?
  private var isTorn = false

  /// - Parameters:
  ///   - confirmed: the end of a frame, up to which nothing is cut off.
  ///   - end: of the file, or of what was written of it.
  /// - Returns: nil without a whole frame.
  @_optimize(size)
  static func reach<File: MediaFile & ~Copyable>(
    _ file: inout File, _ scratch: inout MutableRawSpan, _ format: FLACFrameFormat, confirmed: UInt64, end: UInt64
  ) throws(File.Failure) -> FLACReach? {
    let start = AudioContainer.flac.dataStart
    let longest = UInt64(FLACFormat.bufferByteCount)
    var scan = FLACScan(format: format, confirmed: confirmed)
    var offset = max(start, min(confirmed, end) - min(min(confirmed, end), 2 * longest))
    while offset < end, !scan.isTorn {
      var room = scratch._mutatingExtracting(first: Int(min(UInt64(scratch.byteCount), end - offset)))
      let count = try file.read(at: offset, into: &room)
      let isLast = offset + UInt64(count) >= end
      guard count > FLACFrameHeader.byteCount || isLast, count > 0 else { break }
      let piece = room.bytes.extracting(first: count)
      scan.look(at: piece, upTo: isLast ? count : count - FLACFrameHeader.byteCount, from: offset)
      offset += UInt64(isLast ? count : count - FLACFrameHeader.byteCount)
    }
    if let frame = scan.frame, !scan.isTorn, let whole = scan.candidate { scan.note(frame.header, end: whole) }
    return scan.reach
  }

  private init(format: FLACFrameFormat, confirmed: UInt64) {
    self.format = format
    self.confirmed = confirmed
  }

  private mutating func note(_ header: FLACFrameHeader, end: UInt64) {
    reach = FLACReach(
      end: end, sampleFrames: header.number * UInt64(FLACFormat.blockFrames) + header.sampleFrames)
  }

  private mutating func look(at piece: RawSpan, upTo end: Int, from offset: UInt64) {
    for index in 0..<end {
      let byte = piece.byte(at: index)
      if byte == 0xFF, !begin(piece, index, at: offset + UInt64(index)) { return isTorn = true }
      guard frame != nil else { continue }
      crc = FLACChecksum.crc16(crc, byte)
      zeroCount = crc == 0 && byte == 0 ? zeroCount + 1 : 0
      guard crc == 0 else { continue }
      let place = offset + UInt64(index + 1)
      if let frame, place == confirmed { note(frame.header, end: place) }
      // A checksum can end with a zero. More are the rest of a sector that a disk kept without its bytes, and where the
      // frame ends before them cannot be told.
      if zeroCount < 2, format.begins(piece, at: index + 1, upTo: piece.byteCount) { candidate = place }
    }
  }

  /// Begins the next frame if there is one.
  /// - Returns: false if the one before is torn.
  @_optimize(size)
  private mutating func begin(_ piece: RawSpan, _ index: Int, at place: UInt64) -> Bool {
    guard let header = FLACFrameHeader(piece, at: index, format) else { return true }
    if let before = frame {
      guard header.number > before.header.number else { return true }
      guard crc == 0 || before.start < confirmed else { return false }
      note(before.header, end: place)
    }
    frame = (place, header)
    (crc, zeroCount) = (0, 0)
    candidate = nil
    return true
  }
}

/// The seek table of RFC 9639, 8.5.
enum FLACSeekTable {
  static var mostPoints: Int { 200 }
  private static var pointByteCount: Int { 18 }

  /// Writes the table, and padding up to the sound.
  /// - Parameters:
  ///   - offset: after the other blocks.
  ///   - dataEnd: the end of the sound.
  @_optimize(size)
  static func write<File: MediaFile & ~Copyable>(
    to file: inout File, at offset: UInt64, dataEnd: UInt64, scratch: inout MutableRawSpan
  ) throws(File.Failure) {
    let header = AudioFileDescription.headerByteCount
    let start = AudioContainer.flac.dataStart
    let room = Int(start - offset) - 8
    let byteCount = 4 + mostPoints * pointByteCount + 4
    guard let format = FLACFrameFormat(header: scratch.bytes), room >= byteCount else {
      return try pad(&file, from: offset, &scratch)
    }
    var (place, count) = (offset + 4, 0)
    var lastNumber: UInt64?
    let step = max((dataEnd - start) / UInt64(mostPoints), 1)
    var target = start
    while target < dataEnd, count < mostPoints {
      guard let (frame, found) = try frame(in: &file, from: target, upTo: dataEnd, format, &scratch) else { break }
      if lastNumber.map({ frame.number > $0 }) ?? true {
        var point = scratch._mutatingExtracting(header..<header + pointByteCount)
        point.storeBig64(frame.number * UInt64(FLACFormat.blockFrames), at: 0)
        point.storeBig64(found - start, at: 8)
        point.storeBytes(of: UInt16(frame.sampleFrames).bigEndian, toByteOffset: 16, as: UInt16.self)
        try file.write(point.bytes, at: place)
        place += UInt64(pointByteCount)
        count += 1
        lastNumber = frame.number
      }
      target = max(target + step, found + 1)
    }
    var head = scratch._mutatingExtracting(header..<header + 4)
    head.storeBig32(FLACHeader.seekTable | UInt32(count * pointByteCount), at: 0)
    try file.write(head.bytes, at: offset)
    try pad(&file, from: place, &scratch)
  }

  /// The first frame at or after `target`.
  @_optimize(size)
  private static func frame<File: MediaFile & ~Copyable>(
    in file: inout File, from target: UInt64, upTo end: UInt64, _ format: FLACFrameFormat,
    _ scratch: inout MutableRawSpan
  ) throws(File.Failure) -> (FLACFrameHeader, UInt64)? {
    var offset = target
    while offset < end {
      let room = AudioFileDescription.headerByteCount..<scratch.byteCount
      var buffer = scratch._mutatingExtracting(room)
      let count = try file.read(at: offset, into: &buffer)
      let piece = buffer.bytes.extracting(first: min(count, Int(clamping: end - offset)))
      for index in 0..<piece.byteCount where piece.byte(at: index) == 0xFF {
        if let header = FLACFrameHeader(piece, at: index, format) { return (header, offset + UInt64(index)) }
      }
      guard count > FLACFrameHeader.byteCount else { return nil }
      offset += UInt64(count - FLACFrameHeader.byteCount)
    }
    return nil
  }

  /// Makes what remains of the room the last block.
  @_optimize(size)
  private static func pad<File: MediaFile & ~Copyable>(
    _ file: inout File, from offset: UInt64, _ scratch: inout MutableRawSpan
  ) throws(File.Failure) {
    let header = AudioFileDescription.headerByteCount
    let rest = AudioContainer.flac.dataStart - offset - 4
    var head = scratch._mutatingExtracting(header..<header + 4)
    head.storeBig32(FLACHeader.last | FLACHeader.padding | UInt32(rest), at: 0)
    try file.write(head.bytes, at: offset)
  }
}
