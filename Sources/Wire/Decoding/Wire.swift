import Base

/// The bytes are not an order or a message.
package struct MalformedMessage: Error {
  package init() {}
}

/// The byte encoding of an order, a message, or a part of one.
package protocol WireCoded {
  /// Refuses every field that is out of range.
  init(_ reader: inout WireReader) throws(MalformedMessage)
  /// In text, control characters become spaces, and invalid UTF-8 becomes U+FFFD.
  func write(to writer: inout WireWriter)
}

extension WireCoded {
  /// - Returns: nil unless the bytes are exactly one valid value.
  package init?(decoding bytes: RawSpan) {
    var reader = WireReader(bytes)
    do throws(MalformedMessage) {
      try self.init(&reader)
      try reader.finish()
    } catch {
      return nil
    }
  }

  /// Encodes it at the start of `memory`, which has room for the longest value of its type.
  /// - Returns: the length in bytes.
  @discardableResult
  package func encode(into memory: inout MutableRawSpan) -> Int {
    var writer = WireWriter(&memory)
    write(to: &writer)
    return writer.byteCount
  }
}

/// Reads the fields of an order or message, and refuses every field that is out of range.
package struct WireReader: ~Escapable {
  private let bytes: RawSpan
  private var offset = 0

  @_lifetime(copy bytes)
  package init(_ bytes: RawSpan) { self.bytes = bytes }

  package mutating func number<Value: FixedWidthInteger & BitwiseCopyable>() throws(MalformedMessage) -> Value {
    guard bytes.byteCount - offset >= MemoryLayout<Value>.size else { throw MalformedMessage() }
    // Safe: every bit pattern is a valid integer, and the range was checked.
    let value = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Value.self)
    offset += MemoryLayout<Value>.size
    return Value(littleEndian: value)
  }

  package mutating func number<Value: FixedWidthInteger & BitwiseCopyable>(
    in range: ClosedRange<Value>
  ) throws(MalformedMessage) -> Value {
    let value: Value = try number()
    guard value >= range.lowerBound, value <= range.upperBound else { throw MalformedMessage() }
    return value
  }

  /// A number of frames or packets, at most 2⁶², so that sums of two do not overflow.
  package mutating func count() throws(MalformedMessage) -> UInt64 { try number(in: 0...(1 << 62)) }

  /// A position in an item, or a duration: 0…10⁷ s.
  mutating func seconds() throws(MalformedMessage) -> Double { try fraction(from: 0, to: 1e7) }

  /// 0.5…2.0.
  mutating func rate() throws(MalformedMessage) -> Double { try fraction(from: 0.5, to: 2) }
  package mutating func flag() throws(MalformedMessage) -> Bool { try number(in: 0...1) == 1 as UInt8 }

  /// The case of an enumeration by its number.
  mutating func choice<Value: RawRepresentable<UInt8>>() throws(MalformedMessage) -> Value {
    guard let value = Value(rawValue: try number()) else { throw MalformedMessage() }
    return value
  }

  package mutating func text<let capacity: Int>() throws(MalformedMessage) -> FixedText<capacity> {
    let byteCount = try Int(number() as UInt8)
    guard byteCount <= capacity else { throw MalformedMessage() }
    var text = FixedText<capacity>()
    for _ in 0..<byteCount { text.append(byte: try number()) }
    guard text.isPrintable else { throw MalformedMessage() }
    return text
  }

  /// Call after the last field: nothing may follow it.
  package func finish() throws(MalformedMessage) {
    guard offset == bytes.byteCount else { throw MalformedMessage() }
  }

  private mutating func fraction(from smallest: Double, to largest: Double) throws(MalformedMessage) -> Double {
    let value = try Double(bitPattern: number())
    // NaN fails both comparisons.
    guard value >= smallest, value <= largest else { throw MalformedMessage() }
    return value
  }
}

/// Appends the fields of an order or message to the caller's memory, little-endian and without padding.
///
/// The size of the largest message is known, so running out of space is a programming error and traps.
package struct WireWriter: ~Copyable, ~Escapable {
  private var memory: MutableRawSpan
  package private(set) var byteCount = 0

  @_lifetime(&memory)
  package init(_ memory: inout MutableRawSpan) {
    self.memory = memory._mutatingExtracting(0...)
  }

  package mutating func number<Value: FixedWidthInteger & BitwiseCopyable>(_ value: Value) {
    memory.storeBytes(of: value.littleEndian, toByteOffset: byteCount, as: Value.self)
    byteCount += MemoryLayout<Value>.size
  }

  mutating func fraction(_ value: Double) { number(value.bitPattern) }
  package mutating func flag(_ value: Bool) { number(UInt8(value ? 1 : 0)) }

  /// Writes the length and the bytes, made printable as the reader requires.
  package mutating func text<let capacity: Int>(_ text: FixedText<capacity>) {
    let text = text.printable
    number(UInt8(text.byteCount))
    for index in text.bytes.indices { number(text.bytes[index]) }
  }
}

extension FixedText {
  /// The same text made safe for a terminal, a line of JSON or XML: each control character and line separator becomes a
  /// space, and invalid UTF-8 becomes U+FFFD, as do the two characters that XML cannot hold.
  package var printable: Self {
    var decoder = UTF8Decoder()
    var result = Self()
    for index in bytes.indices {
      guard let scalar = decoder.next(bytes[index]) else { continue }
      result.append(scalar: scalar.fitForLine)
    }
    if decoder.isInsideCharacter { result.append(scalar: UTF8Decoder.replacement) }
    return result
  }

  /// Whether it can be part of a line as it is: ``printable`` returns the text unchanged.
  package var isPrintable: Bool { printable == self }
}

extension Unicode.Scalar {
  /// A space for category Cc and for the two separators at which some programs break a line; U+FFFD for what XML cannot
  /// hold.
  var fitForLine: Unicode.Scalar {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: " "
    case 0xFFFE, 0xFFFF: UTF8Decoder.replacement
    default: self
    }
  }
}
