import Base
import CLinux
import Wire

/// Bytes that the pipe has not taken yet, or those of a playlist.
@safe struct SoundBuffer: ~Copyable {
  /// More than libcurl hands over at once (CURL_MAX_WRITE_SIZE), and than a playlist of a station has.
  static var capacity: Int { 0x10000 }

  // Sound: belongs to no other value, and outlives this one; indices stay within the capacity.
  private let bytes: UnsafeMutablePointer<UInt8>
  private var start = 0
  private var end = 0

  /// - Parameter memory: of ``capacity`` bytes.
  init(_ memory: UnsafeMutableRawPointer) {
    unsafe bytes = memory.bindMemory(to: UInt8.self, capacity: Self.capacity)
  }

  var isEmpty: Bool { start == end }

  mutating func removeAll() {
    start = 0
    end = 0
  }

  /// - Returns: false when they do not fit.
  mutating func append(_ span: Span<UInt8>) -> Bool {
    guard span.count <= Self.capacity - end else { return false }
    unsafe span.withUnsafeBufferPointer { source in
      guard let first = source.baseAddress else { return }
      unsafe (bytes + end).update(from: first, count: source.count)
    }
    end += span.count
    return true
  }

  /// Writes as much as the pipe takes now.
  /// - Returns: whether anything was written.
  mutating func write(to pipe: Int32) -> Bool {
    guard !isEmpty else { return false }
    let count = unsafe CLinux.write(pipe, bytes + start, end - start)
    guard count > 0 else { return false }
    start += count
    if isEmpty { removeAll() }
    return true
  }

  /// The address with a number in the playlist; nil after its end.
  func entry(_ index: Int) -> FixedText<256>? {
    // Sound: the span is used within the call.
    var reader = PlaylistReader(unsafe Span(_unsafeStart: UnsafePointer(bytes + start), count: end - start))
    for _ in 0..<index where reader.next() == nil { return nil }
    return reader.next()
  }
}
