import Text

/// Takes an order or message apart, and refuses every part that is out of its range.
struct WireReader: ~Escapable {
  private let bytes: RawSpan
  private var offset = 0

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan) { self.bytes = bytes }

  mutating func number<Value: FixedWidthInteger & BitwiseCopyable>() throws(MalformedWord) -> Value {
    guard bytes.byteCount - offset >= MemoryLayout<Value>.size else { throw MalformedWord() }
    // Sound: every pattern of bits is an integer, and the range was checked.
    let value = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Value.self)
    offset += MemoryLayout<Value>.size
    return Value(littleEndian: value)
  }

  mutating func number<Value: FixedWidthInteger & BitwiseCopyable>(
    in range: ClosedRange<Value>
  ) throws(MalformedWord) -> Value {
    let value: Value = try number()
    guard value >= range.lowerBound, value <= range.upperBound else { throw MalformedWord() }
    return value
  }

  /// A number of frames or packets; what is counted for ever stays below 2⁶², so that sums of two do not overflow.
  mutating func count() throws(MalformedWord) -> UInt64 { try number(in: 0...(1 << 62)) }

  /// A position in an item, or a duration: 0…10⁷ s.
  mutating func seconds() throws(MalformedWord) -> Double { try fraction(from: 0, to: 1e7) }

  /// 0.5…2.0.
  mutating func rate() throws(MalformedWord) -> Double { try fraction(from: 0.5, to: 2) }

  mutating func flag() throws(MalformedWord) -> Bool {
    let value: UInt8 = try number(in: 0...1)
    return value == 1
  }

  mutating func text<let capacity: Int>() throws(MalformedWord) -> FixedText<capacity> {
    let byteCount = try Int(number() as UInt8)
    guard byteCount <= capacity else { throw MalformedWord() }
    var text = FixedText<capacity>()
    for _ in 0..<byteCount { text.append(byte: try number()) }
    guard text.isPrintable else { throw MalformedWord() }
    return text
  }

  /// To be called behind the last part: nothing may follow it.
  func finish() throws(MalformedWord) {
    guard offset == bytes.byteCount else { throw MalformedWord() }
  }

  private mutating func fraction(from smallest: Double, to largest: Double) throws(MalformedWord) -> Double {
    let value = try Double(bitPattern: number())
    // What is not a number compares false.
    guard value >= smallest, value <= largest else { throw MalformedWord() }
    return value
  }
}
