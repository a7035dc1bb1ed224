/// UTF-8 text of at most `capacity` bytes, stored inline: it can be built by interpolation and copied without a heap.
/// Text that does not fit is cut off at the end, never inside a character, and ``isTruncated`` is set.
///
/// Appending is never inlined: with thousands of call sites, the inlined copies took up a fifth of the program.
package struct FixedText<let capacity: Int>: BitwiseCopyable, Equatable, Sendable {
  private var storage = InlineArray<capacity, UInt8>(repeating: 0)
  /// Bytes of UTF-8, 0…`capacity`.
  package private(set) var byteCount = 0
  /// Whether something did not fit; after that, nothing more is appended.
  package private(set) var isTruncated = false

  package init() {}

  /// As many whole characters of `bytes` as fit.
  package init(_ bytes: Span<UInt8>) {
    append(bytes: bytes)
  }

  /// As many whole characters of a C string as fit.
  ///
  /// - Parameter cString: terminated by a 0; nil counts as empty.
  package init(cString: UnsafePointer<CChar>?) {
    guard var next = unsafe cString else { return }
    while unsafe next.pointee != 0, !isTruncated {
      append(byte: UInt8(bitPattern: unsafe next.pointee))
      unsafe next += 1
    }
  }

  package var isEmpty: Bool { byteCount == 0 }

  /// The bytes of the text; invalid once it changes.
  package var bytes: Span<UInt8> {
    // Without the attribute, generic callers look at a copy that is destroyed before the span (Swift 6.3).
    @_addressableSelf
    @_lifetime(borrow self)
    borrowing get { storage.span.extracting(first: byteCount) }
  }

  /// Appends one byte; the bytes of a character must be appended in order, with nothing in between.
  @inline(never)
  package mutating func append(byte: UInt8) {
    TextStorage.append(byte, to: storage.mutableSpan, &byteCount, &isTruncated)
  }

  /// Appends UTF-8, as many whole characters as fit.
  @inline(never)
  package mutating func append(bytes: Span<UInt8>) {
    TextStorage.append(bytes, to: storage.mutableSpan, &byteCount, &isTruncated)
  }

  @inline(never)
  package mutating func append(_ text: StaticString) {
    append(bytes: text.utf8Bytes)
  }

  /// Appends the UTF-8 of one Unicode scalar if all of it fits.
  package mutating func append(scalar: Unicode.Scalar) {
    let value = scalar.value
    switch value {
    case 0..<0x80:
      append(byte: UInt8(value))
    case 0x80..<0x800:
      append(byte: 0xC0 | UInt8(value >> 6))
    case 0x800..<0x10000:
      append(byte: 0xE0 | UInt8(value >> 12))
      append(byte: 0x80 | UInt8(value >> 6 & 0x3F))
    default:
      append(byte: 0xF0 | UInt8(value >> 18))
      append(byte: 0x80 | UInt8(value >> 12 & 0x3F))
      append(byte: 0x80 | UInt8(value >> 6 & 0x3F))
    }
    if value >= 0x80 { append(byte: 0x80 | UInt8(value & 0x3F)) }
  }

  package mutating func append<let other: Int>(_ text: borrowing FixedText<other>) {
    append(bytes: text.bytes)
  }

  /// Makes the text empty, and clears ``isTruncated``.
  package mutating func removeAll() {
    byteCount = 0
    isTruncated = false
  }

  /// Keeps the first `byteCount` bytes, or fewer if that would split a character.
  package mutating func truncate(to byteCount: Int) {
    guard byteCount < self.byteCount else { return }
    let cutsCharacter = storage[byteCount].isUTF8Continuation
    self.byteCount = byteCount
    if cutsCharacter { TextStorage.removeLastCharacter(from: storage.span, &self.byteCount) }
  }

  package static func == (text: borrowing Self, literal: StaticString) -> Bool {
    text.bytes.equals(literal)
  }

  /// Whether both have the same bytes; ``isTruncated`` is ignored.
  package static func == (left: borrowing Self, right: borrowing Self) -> Bool {
    left.bytes.equals(right.bytes)
  }

  /// Calls `body` with the bytes and a terminating 0. A text that fills its capacity loses its last character.
  package func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    var copy = self
    copy.truncate(to: capacity - 1)
    copy.isTruncated = false
    copy.append(byte: 0)
    // Safe: the pointer is valid only for the call, and the copy lives until it returns.
    return unsafe copy.storage.span.withUnsafeBufferPointer { buffer in
      unsafe buffer.withMemoryRebound(to: CChar.self) { unsafe body($0.baseAddress!) }
    }
  }
}

/// What a text does whatever its capacity: compiled once.
enum TextStorage {
  @inline(never)
  @export(interface)
  static func append(
    _ byte: UInt8, to storage: consuming MutableSpan<UInt8>, _ byteCount: inout Int, _ isTruncated: inout Bool
  ) {
    put(byte, in: &storage, &byteCount, &isTruncated)
  }

  @inline(never)
  @export(interface)
  static func append(
    _ bytes: Span<UInt8>, to storage: consuming MutableSpan<UInt8>, _ byteCount: inout Int, _ isTruncated: inout Bool
  ) {
    for index in bytes.indices { put(bytes[index], in: &storage, &byteCount, &isTruncated) }
  }

  private static func put(
    _ byte: UInt8, in storage: inout MutableSpan<UInt8>, _ byteCount: inout Int, _ isTruncated: inout Bool
  ) {
    guard !isTruncated else { return }
    guard byteCount < storage.count else {
      isTruncated = true
      if byte.isUTF8Continuation { removeLastCharacter(from: storage.span, &byteCount) }
      return
    }
    storage[byteCount] = byte
    byteCount += 1
  }

  @inline(never)
  @export(interface)
  static func removeLastCharacter(from storage: Span<UInt8>, _ byteCount: inout Int) {
    while byteCount > 0 {
      byteCount -= 1
      guard storage[byteCount].isUTF8Continuation else { return }
    }
  }
}

extension FixedText: ExpressibleByStringInterpolation {
  package init(stringLiteral literal: StaticString) {
    append(literal)
  }

  package init(stringInterpolation: Interpolation) {
    self = stringInterpolation.text
  }

  /// Collects the pieces of `"take \(number)"` into a text of the same capacity.
  package struct Interpolation: StringInterpolationProtocol {
    package var text = FixedText()

    /// An empty interpolation; the capacity is fixed, so the hints are ignored.
    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ literal: StaticString) {
      text.append(literal)
    }

    package mutating func appendInterpolation(_ value: StaticString) {
      text.append(value)
    }

    package mutating func appendInterpolation<let other: Int>(_ value: FixedText<other>) {
      text.append(value)
    }

    package mutating func appendInterpolation(_ value: some FixedWidthInteger) {
      text.append(integer: value)
    }

    /// Appends digits with leading zeros up to `width`: `\(7, width: 4)` is 0007.
    package mutating func appendInterpolation(_ value: some FixedWidthInteger, width: Int) {
      text.append(integer: value, width: width)
    }

    package mutating func appendInterpolation(hexadecimal value: some FixedWidthInteger, width: Int) {
      text.append(hexadecimal: UInt64(truncatingIfNeeded: value), width: width)
    }

    /// Appends a number with `decimals` digits after the point, rounded half away from zero.
    package mutating func appendInterpolation(_ value: Double, decimals: Int) {
      text.append(value, decimals: decimals)
    }

    package mutating func appendInterpolation<let other: Int>(json value: FixedText<other>) {
      text.append(jsonEscaped: value.bytes)
    }

    package mutating func appendInterpolation(_ value: Bool) {
      text.append(value ? "true" : "false")
    }
  }
}

extension FixedText {
  /// The part of a path before the last `/`; empty if there is none.
  package var parentFolder: Self {
    var parent = self
    for index in bytes.indices.reversed() where bytes[index] == UInt8(ascii: "/") {
      parent.truncate(to: index)
      return parent
    }
    parent.removeAll()
    return parent
  }

  /// The part of a path after the last `/`.
  package var lastPart: Span<UInt8> {
    @_addressableSelf
    @_lifetime(borrow self)
    borrowing get { bytes.lastPart }
  }

  /// Whether this is a path that cannot leave the folder it starts in, except through links: it is relative, and no
  /// component is empty, `.` or `..`.
  package var isPlainPath: Bool {
    var rest = self
    while true {
      let name = FixedText(rest.lastPart)
      if name.isEmpty || name == "." || name == ".." { return false }
      if name.byteCount == rest.byteCount { return true }
      // A leading slash leaves an empty name.
      rest.truncate(to: rest.byteCount - name.byteCount - 1)
    }
  }
}

extension Span<UInt8> {
  /// The part of a path after the last `/`.
  package var lastPart: Span<UInt8> {
    @_lifetime(copy self)
    get {
      var start = count
      while start > 0, self[start - 1] != UInt8(ascii: "/") { start -= 1 }
      return extracting(droppingFirst: start)
    }
  }
}
