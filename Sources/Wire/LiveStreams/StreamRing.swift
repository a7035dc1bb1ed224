import Base

/// One encoding of what is recorded, made once for all who listen to it: a header, and the newest bytes behind it. It is
/// used by one thread.
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

  /// Where a listener is.
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

  fileprivate init(generation: UInt32, position: UInt64) {
    self.generation = generation
    self.position = position
  }
}

/// Where a listener is in a ``StreamRing``.
package enum StreamPlace: BitwiseCopyable, Equatable, Sendable {
  /// So many bytes are there that it has not read.
  case behind(byteCount: Int)
  /// It has fallen so far behind that what comes next is lost.
  case tooSlow
  /// The stream is over.
  case over
}

/// The result of ``StreamRing/read(_:into:)``.
package enum StreamReading: BitwiseCopyable, Equatable, Sendable {
  /// So many bytes are in the buffer, 1 or more.
  case bytes(Int)
  /// There is nothing new yet.
  case nothing
  /// The listener has fallen so far behind that what comes next is lost.
  case tooSlow
  /// The stream is over.
  case end
}
