import Text

/// Appends numbers, codes and text to memory of the caller's.
///
/// How much a header needs is known before it is written, so running out of room is an error of ours and traps.
public struct ByteWriter: ~Copyable, ~Escapable {
  private var memory: MutableRawSpan
  /// Bytes written so far.
  public private(set) var byteCount = 0

  /// Starts at the beginning of `memory`.
  @_lifetime(&memory)
  public init(_ memory: inout MutableRawSpan) {
    self.memory = memory._mutatingExtracting(0...)
  }

  /// What was written so far.
  public var bytes: RawSpan {
    @_lifetime(borrow self)
    borrowing get { memory.bytes.extracting(first: byteCount) }
  }

  /// What was written so far, to be made true later.
  var writtenBytes: MutableRawSpan {
    @_lifetime(&self)
    mutating get { memory._mutatingExtracting(first: byteCount) }
  }

  mutating func byte(_ value: UInt8) { append(value) }

  mutating func big16(_ value: UInt16) { append(value.bigEndian) }
  mutating func big32(_ value: UInt32) { append(value.bigEndian) }
  mutating func big64(_ value: UInt64) { append(value.bigEndian) }

  mutating func little16(_ value: UInt16) { append(value.littleEndian) }
  mutating func little32(_ value: UInt32) { append(value.littleEndian) }
  mutating func little64(_ value: UInt64) { append(value.littleEndian) }

  mutating func code(_ code: FourCharacterCode) { big32(code.bigEndianValue) }

  /// `count` zero bytes.
  public mutating func zeros(_ count: Int) {
    for _ in 0..<count { byte(0) }
  }

  mutating func text(_ text: StaticString) { append(text.utf8Bytes) }

  mutating func text<let capacity: Int>(_ text: FixedText<capacity>) { append(text.bytes) }

  /// Overwrites four bytes written earlier: a size that is known only once its contents are written.
  mutating func patchBig32(_ value: UInt32, at offset: Int) {
    precondition(offset + 4 <= byteCount, "a size patched that was never written")
    memory.storeBytes(of: value.bigEndian, toByteOffset: offset, as: UInt32.self)
  }

  private mutating func append(_ bytes: Span<UInt8>) {
    for index in bytes.indices { byte(bytes[index]) }
  }

  private mutating func append<Value: FixedWidthInteger & BitwiseCopyable>(_ value: Value) {
    memory.storeBytes(of: value, toByteOffset: byteCount, as: Value.self)
    byteCount += MemoryLayout<Value>.size
  }
}
