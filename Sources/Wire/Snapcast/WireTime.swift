import Base

/// A time as the protocol says it: two numbers of 32 bits ("Base", `sent` and `received`). What it counts from is the
/// speaker's own affair; here it is the monotonic clock.
package struct WireTime: BitwiseCopyable, Equatable, Sendable {
  /// Its bytes.
  package static var byteCount: Int { 8 }

  /// Whole seconds.
  package var seconds: Int32
  /// 0…999,999 in what is written here; anything in what is read.
  package var microseconds: Int32

  /// A time of these two numbers.
  package init(seconds: Int32, microseconds: Int32) {
    self.seconds = seconds
    self.microseconds = microseconds
  }

  /// Rounded down to a microsecond; what does not fit wraps around, after 68 years.
  package init(nanoseconds: Int64) {
    let (microseconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1000)
    let floor = rest < 0 ? microseconds - 1 : microseconds
    var (seconds, part) = floor.quotientAndRemainder(dividingBy: 1_000_000)
    if part < 0 {
      seconds -= 1
      part += 1_000_000
    }
    self.init(seconds: Int32(truncatingIfNeeded: seconds), microseconds: Int32(part))
  }

  /// An instant of the monotonic clock.
  package init(_ instant: Instant) { self.init(nanoseconds: Int64(clamping: instant.rawValue)) }

  /// The time in nanoseconds: less than 2⁶² whatever the two numbers are.
  package var nanoseconds: Int64 { Int64(seconds) * 1_000_000_000 + Int64(microseconds) * 1000 }

  init(at offset: Int, in bytes: RawSpan) {
    self.init(seconds: bytes.number(at: offset), microseconds: bytes.number(at: offset + 4))
  }

  func write(at offset: Int, into room: inout MutableRawSpan) {
    room.store(seconds, at: offset)
    room.store(microseconds, at: offset + 4)
  }
}

extension RawSpan {
  /// The little-endian number at `offset`, all of whose bytes lie inside.
  func number<Value: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Value {
    // Sound: every pattern of bits is an integer, and the load checks where it lies.
    Value(littleEndian: unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: Value.self))
  }
}

extension MutableRawSpan {
  /// Stores a number as little-endian bytes, which lie inside.
  mutating func store<Value: FixedWidthInteger & BitwiseCopyable>(_ value: Value, at offset: Int) {
    storeBytes(of: value.littleEndian, toByteOffset: offset, as: Value.self)
  }

  /// Stores bytes at the beginning, which fit.
  mutating func store(_ bytes: RawSpan) {
    for index in 0..<bytes.byteCount { storeBytes(of: bytes.byte(at: index), toByteOffset: index, as: UInt8.self) }
  }

  /// Stores the bytes of a literal, which fit.
  mutating func store(_ text: StaticString, at offset: Int) { store(text.utf8Bytes, at: offset) }

  /// Stores bytes, which fit.
  mutating func store(_ bytes: Span<UInt8>, at offset: Int) {
    for index in bytes.indices { storeBytes(of: bytes[index], toByteOffset: offset + index, as: UInt8.self) }
  }
}
