import Base

/// One encoding of what is recorded, made once for all who listen to it: a header, and the newest bytes behind it. It
/// is used by one thread.
@safe package struct StreamRing: ~Copyable {
  // Sound: pieces of boot memory with no other user; every index is taken modulo the size.
  private let bytes: UnsafeMutableRawBufferPointer
  private let header: UnsafeMutableRawBufferPointer
  private var headerByteCount = 0
  /// Bytes appended since ``restart()``.
  private var end: UInt64 = 0
  /// Where the newest frame or page begins.
  private var entry: UInt64 = 0
  /// Counts the restarts.
  private var generation: UInt32 = 0

  /// - Parameter headerByteCount: of the longest header.
  /// - Returns: nil when `memory` is used up.
  package init?(in memory: inout BootMemory, headerByteCount: Int = StreamLimits.headerByteCount) {
    guard let bytes = unsafe memory.cut(byteCount: StreamLimits.behindByteCount),
      let header = unsafe memory.cut(byteCount: headerByteCount)
    else { return nil }
    unsafe self.bytes = bytes
    unsafe self.header = header
  }

  /// Begins another stream. Who listens to the one before has heard its end.
  package mutating func restart() {
    generation &+= 1
    headerByteCount = 0
    end = 0
    entry = 0
  }

  /// Appends to the header, with which everybody's stream begins.
  /// - Returns: false when it has become longer than the longest.
  package mutating func appendHeader(_ piece: RawSpan) -> Bool {
    guard unsafe piece.byteCount <= header.count - headerByteCount else { return false }
    for index in 0..<piece.byteCount { unsafe header[headerByteCount + index] = piece.byte(at: index) }
    headerByteCount += piece.byteCount
    return true
  }

  /// A frame or a page begins here: a listener may begin here too.
  package mutating func markEntry() { entry = end }

  /// Appends bytes, of which the ring keeps the newest.
  package mutating func append(_ piece: RawSpan) {
    unsafe piece.withUnsafeBytes { piece in
      var done = unsafe max(0, piece.count - bytes.count)
      end += UInt64(done)
      while done < piece.count {
        let place = unsafe Int(end % UInt64(bytes.count))
        let count = unsafe min(piece.count - done, bytes.count - place)
        unsafe (bytes.baseAddress! + place).copyMemory(from: piece.baseAddress! + done, byteCount: count)
        done += count
        end += UInt64(count)
      }
    }
  }

  /// A listener who begins now: with the header, and then with the newest frame or page.
  package func join() -> StreamCursor { StreamCursor(generation: generation, position: entry) }

  package func place(of cursor: StreamCursor) -> StreamPlace {
    guard cursor.generation == generation else { return .over }
    guard end - cursor.position <= UInt64(StreamLimits.behindByteCount) else { return .tooSlow }
    return .behind(byteCount: Int(end - cursor.position) + headerByteCount - cursor.headerOffset)
  }

  /// Copies the next bytes for a listener to the start of `buffer`.
  package func read(_ cursor: inout StreamCursor, into buffer: inout MutableRawSpan) -> StreamReading {
    switch place(of: cursor) {
    case .over: return .end
    case .tooSlow: return .tooSlow
    case .behind: break
    }
    if cursor.headerOffset < headerByteCount {
      let count = min(headerByteCount - cursor.headerOffset, buffer.byteCount)
      unsafe copy(header, from: cursor.headerOffset, count, into: &buffer)
      cursor.headerOffset += count
      return .bytes(count)
    }
    let place = unsafe Int(cursor.position % UInt64(bytes.count))
    let count = unsafe min(min(Int(end - cursor.position), bytes.count - place), buffer.byteCount)
    guard count > 0 else { return .nothing }
    unsafe copy(bytes, from: place, count, into: &buffer)
    cursor.position += UInt64(count)
    return .bytes(count)
  }

  private func copy(
    _ source: UnsafeMutableRawBufferPointer, from start: Int, _ count: Int, into buffer: inout MutableRawSpan
  ) {
    let piece = unsafe UnsafeRawBufferPointer(rebasing: source[start..<start + count])
    unsafe buffer.withUnsafeMutableBytes { unsafe $0.copyMemory(from: piece) }
  }
}

/// Where a listener is in a ``StreamRing``: all that there is of it.
package struct StreamCursor: BitwiseCopyable, Equatable, Sendable {
  fileprivate let generation: UInt32
  fileprivate var headerOffset = 0
  fileprivate var position: UInt64
}

/// Where a listener is in a ``StreamRing``.
package enum StreamPlace: BitwiseCopyable, Equatable, Sendable {
  /// So many bytes are there that it has not read.
  case behind(byteCount: Int)
  /// It has fallen so far behind that what comes next is lost.
  case tooSlow
  case over
}

/// The result of ``StreamRing/read(_:into:)``.
package enum StreamReading: BitwiseCopyable, Equatable, Sendable {
  /// So many bytes are in the buffer, 1 or more.
  case bytes(Int)
  case nothing
  /// The listener has fallen so far behind that what comes next is lost.
  case tooSlow
  case end
}

/// The limits of what is sent to listeners.
package enum StreamLimits {
  /// How far a listener may fall behind: 1.3 s of CD-like sound (48 kHz, 16 bits, stereo: 192 kB/s) and a quarter of a
  /// minute of Opus at 128 kbit/s. Also what one stream keeps, because nobody reads anything older.
  package static var behindByteCount: Int { 262_144 }

  /// The longest header: two Ogg pages for Opus, with a comment of at most a kilobyte; 68 bytes for WAV, 42 for FLAC.
  package static var headerByteCount: Int { 4_096 }

  /// The longest token: 256 bits in hexadecimal digits.
  package static var tokenByteCount: Int { 64 }
}

/// Where a listener is in the recorder's pictures: it gets them straight from their ring, one whole picture after the
/// other, each the newest when the one before is finished. Pictures that come meanwhile are skipped for it.
package struct PictureCursor: BitwiseCopyable, Sendable {
  package enum Framing: BitwiseCopyable, Sendable {
    /// One picture and no more.
    case single
    /// A part of `multipart/x-mixed-replace` for each (RFC 2046, section 5.1).
    case multipart
  }

  /// The media type of the pictures in parts.
  package static var multipartType: StaticString { "multipart/x-mixed-replace; boundary=picture" }

  private let framing: Framing
  private var head = FixedText<96>()
  private var picture: PictureNumber?
  private var byteCount = 0
  /// Bytes read of the head, the picture and the line end behind it.
  private var offset = 0
  /// The newest picture that was begun.
  private var last: PictureNumber?
  package private(set) var skippedCount: UInt64 = 0

  package init(_ framing: Framing) { self.framing = framing }
  private var tail: StaticString { framing == .single ? "" : "\r\n" }
  private var wholeByteCount: Int { head.byteCount + byteCount + tail.utf8CodeUnitCount }

  /// How many bytes of the picture that is being read are left.
  package var bytesBehind: Int { picture == nil ? 0 : wholeByteCount - offset }

  package func hasEvents(of pictures: PacketRingTap<PictureHeader>) -> Bool {
    picture != nil || pictures.newest != last
  }

  /// Begins the newest picture.
  /// - Returns: its size in bytes; nil when there is none that is newer than the last one.
  package mutating func begin(_ pictures: PacketRingTap<PictureHeader>) -> Int? {
    guard let newest = pictures.newest, newest != last, let size = pictures.byteCount(of: newest) else { return nil }
    if let last, newest > last { skippedCount += newest - last - 1 }
    (picture, last, byteCount, offset) = (newest, newest, size, 0)
    if framing == .multipart {
      head = "--picture\r\nContent-Type: image/jpeg\r\nContent-Length: \(size)\r\n\r\n"
    }
    return size
  }

  /// Copies the next bytes to the start of `buffer`: of one piece, so that there may be more.
  package mutating func read(
    _ pictures: PacketRingTap<PictureHeader>, into buffer: inout MutableRawSpan
  ) -> StreamReading {
    if picture == nil, framing == .single && last != nil || begin(pictures) == nil {
      return framing == .single && last != nil ? .end : .nothing
    }
    guard let picture else { return .nothing }
    guard let count = copy(picture, pictures, into: &buffer) else { return .tooSlow }
    offset += count
    if offset == wholeByteCount { self.picture = nil }
    return count > 0 ? .bytes(count) : .nothing
  }

  /// - Returns: nil when the picture has been overwritten.
  private func copy(
    _ picture: PictureNumber, _ pictures: PacketRingTap<PictureHeader>, into buffer: inout MutableRawSpan
  ) -> Int? {
    if offset < head.byteCount { return Self.copy(head.bytes, from: offset, into: &buffer) }
    let pictureOffset = offset - head.byteCount
    guard pictureOffset < byteCount else {
      return Self.copy(tail.utf8Bytes, from: pictureOffset - byteCount, into: &buffer)
    }
    // A size that has changed is another packet's: only memory that lies says so.
    guard pictures.byteCount(of: picture) == byteCount else { return nil }
    return pictures.copyPart(of: picture, from: pictureOffset, into: &buffer)
  }

  private static func copy(_ text: Span<UInt8>, from offset: Int, into buffer: inout MutableRawSpan) -> Int {
    let count = min(text.count - offset, buffer.byteCount)
    for index in 0..<count { buffer.storeBytes(of: text[offset + index], toByteOffset: index, as: UInt8.self) }
    return count
  }
}
