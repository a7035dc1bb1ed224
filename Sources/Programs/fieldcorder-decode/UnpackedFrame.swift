import CFFmpeg

/// The content of the compressed frame of an ID3v2 tag that was unpacked last.
@safe struct UnpackedFrame: ~Copyable {
  /// The longest compressed and plain contents that are read: lyrics.
  static let mostPackedBytes = 0x10000
  private static let mostBytes = 0x40000

  // Safe: owned by the value until it ends; no byte from `count` on is read.
  private var bytes: UnsafeMutablePointer<UInt8>?
  private var count = 0

  deinit {
    if let bytes = unsafe bytes { unsafe Heap.removeBytes(bytes) }
  }

  /// Decompresses a content. Some programs do not write its length before it though they say so, and others write it
  /// without saying so.
  /// - Returns: the bytes of the content, which may be cut; 0 if it cannot be decompressed.
  mutating func fill(from packed: UnsafePointer<UInt8>, byteCount: Int, hasLength: Bool) -> Int {
    let said = hasLength ? 4 : 0
    unsafe unpack(packed, byteCount, from: said)
    if count == 0 { unsafe unpack(packed, byteCount, from: 4 - said) }
    return count
  }

  private mutating func unpack(_ packed: UnsafePointer<UInt8>, _ byteCount: Int, from start: Int) {
    count = 0
    guard byteCount > start else { return }
    if unsafe bytes == nil { unsafe bytes = Heap.bytes(Self.mostBytes) }
    var length = UInt(Self.mostBytes)
    let result = unsafe uncompress(bytes, &length, packed + start, UInt(byteCount - start))
    // A content that is too long, or cut off, is read as far as it goes.
    if result == Z_OK || result == Z_BUF_ERROR { count = Int(length) }
  }

  /// Reads bytes from an offset on.
  func peek(_ buffer: UnsafeMutablePointer<UInt8>, byteCount: Int, at place: Int64) -> Int {
    guard let bytes = unsafe bytes, place >= 0, place < Int64(count) else { return 0 }
    let length = min(byteCount, count - Int(place))
    unsafe UnsafeMutableRawPointer(buffer).copyMemory(from: bytes + Int(place), byteCount: length)
    return length
  }
}
