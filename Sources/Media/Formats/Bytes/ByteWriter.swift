import Base

/// Appends numbers, codes and text to the caller's memory.
///
/// The size of a header is known before it is written, so running out of memory is a programming error and traps.
package struct ByteWriter: ~Copyable, ~Escapable {
  private var memory: MutableRawSpan
  package private(set) var byteCount = 0

  /// Starts at the beginning of `memory`.
  @_lifetime(&memory)
  package init(_ memory: inout MutableRawSpan) {
    self.memory = memory._mutatingExtracting(0...)
  }

  /// The bytes written so far.
  package var bytes: RawSpan {
    @_lifetime(borrow self)
    borrowing get { memory.bytes.extracting(first: byteCount) }
  }

  /// The bytes written so far, for patching.
  var writtenBytes: MutableRawSpan {
    @_lifetime(&self)
    mutating get { memory._mutatingExtracting(first: byteCount) }
  }

  /// Bytes that can still be written.
  var freeByteCount: Int { memory.byteCount - byteCount }

  mutating func byte(_ value: UInt8) { append(value) }

  mutating func big16(_ value: UInt16) { append(value.bigEndian) }
  mutating func big32(_ value: UInt32) { append(value.bigEndian) }
  mutating func big64(_ value: UInt64) { append(value.bigEndian) }

  mutating func little16(_ value: UInt16) { append(value.littleEndian) }
  mutating func little32(_ value: UInt32) { append(value.littleEndian) }
  mutating func little64(_ value: UInt64) { append(value.littleEndian) }

  mutating func code(_ code: FourCharacterCode) { big32(code.bigEndianValue) }

  /// Writes `count` zero bytes.
  package mutating func zeros(_ count: Int) {
    for _ in 0..<count / 8 { big64(0) }
    for _ in 0..<count % 8 { byte(0) }
  }

  mutating func text(_ text: StaticString) { append(text.utf8Bytes) }

  mutating func text<let capacity: Int>(_ text: FixedText<capacity>) { append(text.bytes) }

  mutating func text(_ text: Span<UInt8>) { append(text) }

  /// Overwrites four bytes written earlier: a size that is known only once its content is written.
  mutating func patchBig32(_ value: UInt32, at offset: Int) {
    precondition(offset + 4 <= byteCount, "a size patched that was never written")
    memory.storeBytes(of: value.bigEndian, toByteOffset: offset, as: UInt32.self)
  }

  /// Overwrites bytes written earlier with zeros.
  package mutating func clear(_ range: Range<Int>) {
    precondition(range.upperBound <= byteCount, "bytes cleared that were never written")
    for offset in range { memory.storeBytes(of: 0, toByteOffset: offset, as: UInt8.self) }
  }

  @inline(never)
  private mutating func append(_ bytes: Span<UInt8>) {
    for index in bytes.indices { byte(bytes[index]) }
  }

  @inline(never)
  private mutating func append<Value: FixedWidthInteger & BitwiseCopyable>(_ value: Value) {
    memory.storeBytes(of: value, toByteOffset: byteCount, as: Value.self)
    byteCount += MemoryLayout<Value>.size
  }
}

extension MutableRawSpan {
  mutating func storeBig32(_ value: UInt32, at offset: Int) {
    storeBytes(of: value.bigEndian, toByteOffset: offset, as: UInt32.self)
  }

  mutating func storeBig64(_ value: UInt64, at offset: Int) {
    storeBytes(of: value.bigEndian, toByteOffset: offset, as: UInt64.self)
  }

  mutating func storeLittle32(_ value: UInt32, at offset: Int) {
    storeBytes(of: value.littleEndian, toByteOffset: offset, as: UInt32.self)
  }

  mutating func storeLittle64(_ value: UInt64, at offset: Int) {
    storeBytes(of: value.littleEndian, toByteOffset: offset, as: UInt64.self)
  }

  /// Copies `bytes` to the beginning.
  mutating func copy(_ bytes: RawSpan) {
    precondition(bytes.byteCount <= byteCount, "more bytes copied than there is room for")
    unsafe withUnsafeMutableBytes { target in
      // Safe: the sizes were just compared, and the two pieces of memory have different owners.
      unsafe bytes.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
    }
  }

  mutating func storeCode(_ code: FourCharacterCode, at offset: Int) {
    storeBig32(code.bigEndianValue, at: offset)
  }
}

/// Four ASCII characters that name a box, a chunk, a brand or a codec, compared as one big-endian number.
struct FourCharacterCode: Equatable, Sendable, ExpressibleByStringLiteral {
  let bigEndianValue: UInt32

  init(bigEndianValue: UInt32) { self.bigEndianValue = bigEndianValue }

  /// Inlined, a literal becomes a number when it is compiled: two instructions.
  @inline(__always)
  init(stringLiteral text: StaticString) {
    precondition(text.utf8CodeUnitCount == 4, "a four-character code has four characters")
    // Safe: the literal has four bytes.
    bigEndianValue = UInt32(bigEndian: unsafe UnsafeRawPointer(text.utf8Start).loadUnaligned(as: UInt32.self))
  }
}
