import Text

/// Appends the parts of an order or message, little-endian and without gaps, to memory of the caller's.
///
/// The largest of them is known, so running out of room is an error of ours and traps.
struct WireWriter: ~Copyable, ~Escapable {
  private var memory: MutableRawSpan
  private(set) var byteCount = 0

  @_lifetime(&memory)
  init(_ memory: inout MutableRawSpan) {
    self.memory = memory._mutatingExtracting(0...)
  }

  mutating func number<Value: FixedWidthInteger & BitwiseCopyable>(_ value: Value) {
    memory.storeBytes(of: value.littleEndian, toByteOffset: byteCount, as: Value.self)
    byteCount += MemoryLayout<Value>.size
  }

  mutating func fraction(_ value: Double) { number(value.bitPattern) }

  mutating func flag(_ value: Bool) { number(UInt8(value ? 1 : 0)) }

  /// Its bytes behind their number, as a reader takes them: what is no text is replaced.
  mutating func text<let capacity: Int>(_ text: FixedText<capacity>) {
    let text = text.printable
    number(UInt8(text.byteCount))
    for index in text.bytes.indices { number(text.bytes[index]) }
  }
}
