import Base
import CFFmpeg
import Machine

/// Random access to the bytes of a file, through a buffer.
@safe struct FileBytes: ~Copyable {
  /// As much as a card delivers in one go, which makes a walk over a whole file faster.
  private static let capacity = 0x10000

  // Safe: the input outlives the value; the value owns the buffer and reads no byte beyond `count`.
  private let input: UnsafeMutablePointer<FileInput>
  private let buffer = unsafe Heap.bytes(Self.capacity)
  private var first: Int64 = 0
  private var count = 0
  /// The deadline for reads; nil if only the bytes already buffered are used.
  private let end: Instant?
  /// Of the whole file.
  let byteCount: Int64
  /// Whether the deadline passed before everything was read; bytes requested after it are missing.
  private(set) var isLate = false

  /// - Parameter nanoseconds: the time limit for all reads together.
  init(_ input: UnsafeMutablePointer<FileInput>, forNanoseconds nanoseconds: UInt64) {
    unsafe self.input = input
    byteCount = unsafe input.pointee.wholeByteCount
    end = Instant.now + nanoseconds
  }

  /// Looks only at what FFmpeg read last, which may belong to a stream.
  init(_ input: UnsafeMutablePointer<FileInput>, in bytes: UnsafeMutablePointer<AVIOContext>) {
    unsafe self.input = input
    let read = unsafe bytes.pointee.buf_end - bytes.pointee.buffer
    count = min(Self.capacity, read)
    unsafe first = bytes.pointee.pos - Int64(read)
    byteCount = first + Int64(count)
    end = nil
    unsafe UnsafeMutableRawPointer(buffer).copyMemory(from: bytes.pointee.buffer, byteCount: count)
  }

  /// Looks only at a packet, from an offset on, which is then 0.
  init(
    _ input: UnsafeMutablePointer<FileInput>, of packet: UnsafeMutablePointer<AVPacket>, from offset: Int
  ) {
    unsafe self.input = input
    count = min(Self.capacity, max(0, Int(unsafe packet.pointee.size) - offset))
    byteCount = Int64(count)
    end = nil
    unsafe UnsafeMutableRawPointer(buffer).copyMemory(from: packet.pointee.data + offset, byteCount: count)
  }

  deinit { unsafe Heap.removeBytes(buffer) }

  /// Whether a RIFF file begins there, or one of the forms of it for more than 4 GiB.
  mutating func isRIFF(at offset: Int64) -> Bool {
    equals("RIFF", at: offset) || equals("RF64", at: offset) || equals("BW64", at: offset)
  }

  /// - Returns: nil outside the file.
  mutating func byte(at offset: Int64) -> UInt8? {
    guard offset >= first, offset < first + Int64(count) else { return load(offset) }
    return unsafe buffer[Int(offset - first)]
  }

  private mutating func load(_ offset: Int64) -> UInt8? {
    guard offset >= 0, offset < byteCount, let end else { return nil }
    guard Instant.now < end else {
      isLate = true
      return nil
    }
    // For a backward search, the preceding bytes are buffered too.
    first = offset < first ? max(0, offset - Int64(Self.capacity) / 2) : offset
    count = unsafe input.pointee.peek(buffer, byteCount: Self.capacity, at: first)
    return offset < first + Int64(count) ? unsafe buffer[Int(offset - first)] : nil
  }

  /// - Returns: nil if the file ends before it.
  mutating func bigEndian(at offset: Int64, bytes: Int) -> UInt64? {
    var value: UInt64 = 0
    for index in 0..<bytes {
      guard let byte = byte(at: offset + Int64(index)) else { return nil }
      value = value << 8 | UInt64(byte)
    }
    return value
  }

  mutating func littleEndian(at offset: Int64, bytes: Int) -> UInt64? {
    bigEndian(at: offset, bytes: bytes).map { $0.byteSwapped >> UInt64(64 - 8 * bytes) }
  }

  /// A number of four bytes with seven bits each (ID3v2.4.0 structure, 6.2).
  mutating func safeNumber(at offset: Int64) -> Int64? {
    guard let value = bigEndian(at: offset, bytes: 4), value & 0x8080_8080 == 0 else { return nil }
    return Int64(value & 0x7F | (value & 0x7F00) >> 1 | (value & 0x7F_0000) >> 2 | (value & 0x7F00_0000) >> 3)
  }

  mutating func equals(_ text: StaticString, at offset: Int64) -> Bool {
    let expected = text.utf8Bytes
    for index in expected.indices where byte(at: offset + Int64(index)) != expected[index] { return false }
    return true
  }
}
