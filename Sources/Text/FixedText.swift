/// UTF-8 text of at most `capacity` bytes, held in place: it can be built by interpolation, copied and kept without
/// a heap. What does not fit is left off at the end and ``isTruncated`` says so.
public struct FixedText<let capacity: Int>: BitwiseCopyable, Sendable {
  private var storage = InlineArray<capacity, UInt8>(repeating: 0)
  /// Bytes of UTF-8 held, 0…`capacity`.
  public private(set) var byteCount = 0
  /// True once something was left off for want of room.
  public private(set) var isTruncated = false

  public init() {}

  public var isEmpty: Bool { byteCount == 0 }

  /// The bytes held; invalid once the text changes.
  public var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    borrowing get { storage.span.extracting(first: byteCount) }
  }

  public mutating func append(byte: UInt8) {
    guard byteCount < capacity else {
      isTruncated = true
      return
    }
    storage[byteCount] = byte
    byteCount += 1
  }

  public mutating func append(bytes: Span<UInt8>) {
    for index in bytes.indices { append(byte: bytes[index]) }
  }

  public mutating func append(_ text: StaticString) {
    unsafe append(bytes: Span(_unsafeStart: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  public mutating func append<let other: Int>(_ text: borrowing FixedText<other>) {
    append(bytes: text.bytes)
  }

  public mutating func removeAll() {
    byteCount = 0
    isTruncated = false
  }

  /// Leaves the first `byteCount` bytes.
  public mutating func truncate(to byteCount: Int) {
    self.byteCount = min(self.byteCount, byteCount)
  }

  public static func == (text: borrowing Self, literal: StaticString) -> Bool {
    unsafe text.bytes.equals(Span(_unsafeStart: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  public static func == (left: borrowing Self, right: borrowing Self) -> Bool {
    left.bytes.equals(right.bytes)
  }

  /// Lends the bytes with a 0 behind them, as C wants them; `capacity` must leave room for it, else the last byte goes.
  public func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    var copy = self
    copy.truncate(to: capacity - 1)
    copy.append(byte: 0)
    // Sound: the pointer is lent only for the call, and the copy lives until it returns.
    return unsafe copy.storage.span.withUnsafeBufferPointer { buffer in
      unsafe buffer.withMemoryRebound(to: CChar.self) { unsafe body($0.baseAddress!) }
    }
  }
}

extension FixedText: ExpressibleByStringInterpolation {
  public init(stringLiteral literal: StaticString) {
    append(literal)
  }

  public init(stringInterpolation: Interpolation) {
    self = stringInterpolation.text
  }

  /// Collects the pieces of `"take \(number)"` in a text of the same capacity.
  public struct Interpolation: StringInterpolationProtocol {
    public var text = FixedText()

    public init(literalCapacity: Int, interpolationCount: Int) {}

    public mutating func appendLiteral(_ literal: StaticString) {
      text.append(literal)
    }

    public mutating func appendInterpolation(_ value: StaticString) {
      text.append(value)
    }

    public mutating func appendInterpolation<let other: Int>(_ value: FixedText<other>) {
      text.append(value)
    }

    public mutating func appendInterpolation(_ value: some FixedWidthInteger) {
      text.append(integer: value)
    }

    /// Digits with zeros in front up to `width`: `\(7, width: 4)` is 0007.
    public mutating func appendInterpolation(_ value: some FixedWidthInteger, width: Int) {
      text.append(integer: value, width: width)
    }

    public mutating func appendInterpolation(hexadecimal value: some FixedWidthInteger, width: Int) {
      text.append(hexadecimal: UInt64(truncatingIfNeeded: value), width: width)
    }

    /// A decimal fraction with `decimals` digits behind the point, rounded half away from zero.
    public mutating func appendInterpolation(_ value: Double, decimals: Int) {
      text.append(value, decimals: decimals)
    }

    public mutating func appendInterpolation(_ value: Bool) {
      text.append(value ? "true" : "false")
    }
  }
}
