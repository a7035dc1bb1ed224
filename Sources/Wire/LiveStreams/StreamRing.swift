import Base

/// One encoding of what is recorded, shared by all its listeners: a header, and the newest bytes after it. Used by one
/// thread.
@safe package struct StreamRing: ~Copyable {
  // Safe: pieces of boot memory with no other user; every index is taken modulo the size.
  private let bytes: UnsafeMutableRawBufferPointer
  private let header: UnsafeMutableRawBufferPointer
  private var headerByteCount = 0
  /// Bytes appended since ``restart()``.
  private var end: UInt64 = 0
  /// The position of the newest frame or page.
  private var entry: UInt64 = 0
  /// The number of restarts.
  private var generation: UInt32 = 0

  /// - Parameter headerByteCount: the size of the longest header.
  /// - Returns: nil if `memory` is used up.
  package init?(in memory: inout BootMemory, headerByteCount: Int = StreamLimits.headerByteCount) {
    guard let bytes = unsafe memory.cut(byteCount: StreamLimits.behindByteCount),
      let header = unsafe memory.cut(byteCount: headerByteCount)
    else { return nil }
    unsafe self.bytes = bytes
    unsafe self.header = header
  }

  /// Begins another stream. For listeners of the previous one, the stream has ended.
  package mutating func restart() {
    generation &+= 1
    headerByteCount = 0
    end = 0
    entry = 0
  }

  /// Appends to the header, with which every listener's stream begins.
  /// - Returns: false if the header would exceed its limit.
  package mutating func appendHeader(_ piece: RawSpan) -> Bool {
    guard unsafe piece.byteCount <= header.count - headerByteCount else { return false }
    for index in 0..<piece.byteCount { unsafe header[headerByteCount + index] = piece.byte(at: index) }
    headerByteCount += piece.byteCount
    return true
  }

  /// Marks the beginning of a frame or page, where a listener may begin too.
  package mutating func markEntry() { entry = end }

  /// Appends bytes; the ring keeps only the newest.
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

  /// The cursor of a new listener: the header first, then the newest frame or page.
  package func join() -> StreamCursor { StreamCursor(generation: generation, position: entry) }

  package func place(of cursor: StreamCursor) -> StreamPlace {
    guard cursor.generation == generation else { return .over }
    guard end - cursor.position <= UInt64(StreamLimits.behindByteCount) else { return .tooSlow }
    return .behind(byteCount: Int(end - cursor.position) + headerByteCount - cursor.headerOffset)
  }

  /// Copies a listener's next bytes to the start of `buffer`.
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

/// A listener's position in a ``StreamRing``, its only state.
package struct StreamCursor: BitwiseCopyable, Equatable, Sendable {
  fileprivate let generation: UInt32
  fileprivate var headerOffset = 0
  fileprivate var position: UInt64
}

/// How far a listener is behind in a ``StreamRing``.
package enum StreamPlace: BitwiseCopyable, Equatable, Sendable {
  /// The number of bytes that it has not read.
  case behind(byteCount: Int)
  /// The listener is so far behind that its next bytes have been overwritten.
  case tooSlow
  case over
}

/// The result of ``StreamRing/read(_:into:)``.
package enum StreamReading: BitwiseCopyable, Equatable, Sendable {
  /// The number of bytes copied, 1 or more.
  case bytes(Int)
  case nothing
  /// The listener is so far behind that its next bytes have been overwritten.
  case tooSlow
  case end
}

/// The limits of streams for listeners.
package enum StreamLimits {
  /// How far a listener may fall behind: 1.3 s of CD-like sound (48 kHz, 16 bits, stereo: 192 kB/s), or a quarter of a
  /// minute of Opus at 128 kbit/s. It is also the size of a stream's ring, because nobody reads older bytes.
  package static var behindByteCount: Int { 262_144 }

  /// The longest header: two Ogg pages for Opus with a comment of up to a kilobyte; WAV takes 68 bytes, FLAC 42.
  package static var headerByteCount: Int { 4_096 }

  /// The longest token: 256 bits as hexadecimal digits.
  package static var tokenByteCount: Int { 64 }
}

/// A listener's position in the recorder's pictures, read straight from their ring: one whole picture after another,
/// each the newest when the previous one is finished. Pictures that arrive meanwhile are skipped.
package struct PictureCursor: BitwiseCopyable, Sendable {
  package enum Framing: BitwiseCopyable, Sendable {
    /// A single picture.
    case single
    /// Each picture as a part of `multipart/x-mixed-replace` (RFC 2046, section 5.1).
    case multipart
  }

  /// The media type for pictures in parts.
  package static var multipartType: StaticString { "multipart/x-mixed-replace; boundary=picture" }

  private let framing: Framing
  private var head = FixedText<96>()
  private var picture: PictureNumber?
  private var byteCount = 0
  /// Bytes already read of the header, the picture and the line ending after it.
  private var offset = 0
  /// The newest picture that was started.
  private var last: PictureNumber?
  package private(set) var skippedCount: UInt64 = 0

  package init(_ framing: Framing) { self.framing = framing }
  private var tail: StaticString { framing == .single ? "" : "\r\n" }
  private var wholeByteCount: Int { head.byteCount + byteCount + tail.utf8CodeUnitCount }

  /// How many bytes of the current picture are left.
  package var bytesBehind: Int { picture == nil ? 0 : wholeByteCount - offset }

  package func hasEvents(of pictures: PacketRingTap<PictureHeader>) -> Bool {
    picture != nil || pictures.newest != last
  }

  /// Starts the newest picture.
  /// - Returns: its size in bytes; nil if none is newer than the last one.
  package mutating func begin(_ pictures: PacketRingTap<PictureHeader>) -> Int? {
    guard let newest = pictures.newest, newest != last, let size = pictures.byteCount(of: newest) else { return nil }
    if let last, newest > last { skippedCount += newest - last - 1 }
    (picture, last, byteCount, offset) = (newest, newest, size, 0)
    if framing == .multipart {
      head = "--picture\r\nContent-Type: image/jpeg\r\nContent-Length: \(size)\r\n\r\n"
    }
    return size
  }

  /// Copies the next bytes to the start of `buffer`, from one contiguous piece, so there may be more.
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

  /// - Returns: nil if the picture has been overwritten.
  private func copy(
    _ picture: PictureNumber, _ pictures: PacketRingTap<PictureHeader>, into buffer: inout MutableRawSpan
  ) -> Int? {
    if offset < head.byteCount { return Self.copy(head.bytes, from: offset, into: &buffer) }
    let pictureOffset = offset - head.byteCount
    guard pictureOffset < byteCount else {
      return Self.copy(tail.utf8Bytes, from: pictureOffset - byteCount, into: &buffer)
    }
    // A different size belongs to another packet; only corrupted memory can show it here.
    guard pictures.byteCount(of: picture) == byteCount else { return nil }
    return pictures.copyPart(of: picture, from: pictureOffset, into: &buffer)
  }

  private static func copy(_ text: Span<UInt8>, from offset: Int, into buffer: inout MutableRawSpan) -> Int {
    let count = min(text.count - offset, buffer.byteCount)
    for index in 0..<count { buffer.storeBytes(of: text[offset + index], toByteOffset: index, as: UInt8.self) }
    return count
  }
}
