import Base

/// A kind of value: how it is parsed, printed and described.
package protocol SettingKind {
  associatedtype Value

  /// Parses a value; nil if it is not valid.
  func parse(_ text: Span<UInt8>) -> Value?

  /// Appends the value in the form that ``parse(_:)`` reads.
  func append(_ value: Value, to text: inout FixedText<64>)

  /// Appends a description of the valid values, as the end of a sentence.
  func appendExpectation(to text: inout FixedText<256>)

  /// The same for a text that is not valid, which may say more about it.
  func appendExpectation(insteadOf given: Span<UInt8>, to text: inout FixedText<256>)

  /// Calls `visit` with each valid value that is a word, if there are only a few; not with numbers and names.
  func forEachWord(_ visit: (StaticString) -> Void)

  /// Whether a number must not have decimals.
  var isOfWholeNumbers: Bool { get }
}

extension SettingKind {
  package func appendExpectation(insteadOf given: Span<UInt8>, to text: inout FixedText<256>) {
    appendExpectation(to: &text)
  }

  /// No words.
  package func forEachWord(_ visit: (StaticString) -> Void) {}

  package var isOfWholeNumbers: Bool { false }
}

/// A whole number with a unit, within a range.
struct WholeNumberKind<Value: FixedWidthInteger>: SettingKind {
  var range: ClosedRange<Value>
  var unit: StaticString
  /// The meaning of 0, if it is allowed in addition to the range.
  var zeroMeaning: StaticString?
  var mustBeEven = false

  var isOfWholeNumbers: Bool { true }

  init(_ range: ClosedRange<Value>, _ unit: StaticString, zeroMeaning: StaticString? = nil, mustBeEven: Bool = false) {
    self.range = range
    self.unit = unit
    self.zeroMeaning = zeroMeaning
    self.mustBeEven = mustBeEven
  }

  func parse(_ text: Span<UInt8>) -> Value? {
    guard let value = text.parseInteger(as: Value.self) else { return nil }
    if value == 0, zeroMeaning != nil { return value }
    guard range.contains(value), !mustBeEven || value % 2 == 0 else { return nil }
    return value
  }

  func append(_ value: Value, to text: inout FixedText<64>) {
    text.append(integer: value)
  }

  func appendExpectation(to text: inout FixedText<256>) {
    if let zeroMeaning { text.append("0 (\(zeroMeaning)) or " as FixedText<64>) }
    text.append("\(range.lowerBound)…\(range.upperBound)" as FixedText<64>)
    if mustBeEven { text.append(", even") }
    text.append(" (\(unit))" as FixedText<64>)
  }
}

/// A decimal number with a unit, within a range, with at most seven decimals, as maps tell a place, so that it is printed
/// as it was written.
struct DecimalKind: SettingKind {
  var range: ClosedRange<Double>
  var unit: StaticString
  private static let decimals = 7

  init(_ range: ClosedRange<Double>, _ unit: StaticString) {
    self.range = range
    self.unit = unit
  }

  func parse(_ text: Span<UInt8>) -> Double? {
    guard let value = text.parseDecimal(), range.contains(value) else { return nil }
    for index in text.indices where text[index] == UInt8(ascii: ".") {
      guard text.count - 1 - index <= Self.decimals else { return nil }
    }
    return value
  }

  func append(_ value: Double, to text: inout FixedText<64>) {
    text.append(value, decimals: Self.decimals)
    // `523.250` is 523.25, and `880.000` is 880.
    while text.bytes.hasSuffix("0") { text.truncate(to: text.byteCount - 1) }
    if text.bytes.hasSuffix(".") { text.truncate(to: text.byteCount - 1) }
  }

  func appendExpectation(to text: inout FixedText<256>) {
    append(bound: range.lowerBound, to: &text)
    text.append("…")
    append(bound: range.upperBound, to: &text)
    text.append(", with at most \(Self.decimals) decimals (\(unit))" as FixedText<64>)
  }

  private func append(bound: Double, to text: inout FixedText<256>) {
    var written = FixedText<64>()
    append(bound, to: &written)
    text.append(written)
  }
}

/// Seconds in steps of a half; 0 for never.
struct HalfSecondsKind: SettingKind {
  private let kind = DecimalKind(0.5...86_400, "seconds")

  func parse(_ text: Span<UInt8>) -> Double? {
    if text.equals("0") { return 0 }
    return kind.parse(text).flatMap { (2 * $0).rounded() == 2 * $0 ? $0 : nil }
  }

  func append(_ value: Double, to text: inout FixedText<64>) { kind.append(value, to: &text) }

  func appendExpectation(to text: inout FixedText<256>) {
    text.append("0.5…86400 in steps of 0.5 (seconds), or 0 for never")
  }
}

/// A number of bytes, 1 MiB or more, plain or with K, M or G for 2¹⁰, 2²⁰ or 2³⁰; 0 for no limit.
struct ByteCountKind: SettingKind {
  /// The meaning of 0.
  var zeroMeaning: StaticString = "never"
  private static let smallest: UInt64 = 1 << 20
  private static let largest: UInt64 = 1 << 40

  func parse(_ text: Span<UInt8>) -> UInt64? {
    guard text.count > 0 else { return nil }
    let shift = Self.shift(forSuffix: text[text.count - 1])
    let digits = shift == 0 ? text : text.extracting(droppingLast: 1)
    guard let number = digits.parseInteger(), number <= Self.largest >> shift else { return nil }
    let byteCount = number << shift
    return byteCount == 0 || byteCount >= Self.smallest ? byteCount : nil
  }

  private static func shift(forSuffix suffix: UInt8) -> UInt64 {
    switch suffix {
    case UInt8(ascii: "K"): 10
    case UInt8(ascii: "M"): 20
    case UInt8(ascii: "G"): 30
    default: 0
    }
  }

  func append(_ value: UInt64, to text: inout FixedText<64>) {
    text.append(integer: value)
  }

  func appendExpectation(to text: inout FixedText<256>) {
    text.append("0 (\(zeroMeaning)) or 1M…1024G (bytes; K, M and G stand for 1024, 1024² and 1024³)" as FixedText<128>)
  }
}

/// `yes` or `no`.
struct YesOrNoKind: SettingKind {
  func parse(_ text: Span<UInt8>) -> Bool? {
    if text.equals("yes") { return true }
    return text.equals("no") ? false : nil
  }

  func append(_ value: Bool, to text: inout FixedText<64>) {
    text.append(value ? "yes" : "no")
  }

  func appendExpectation(to text: inout FixedText<256>) {
    text.append("yes or no")
  }

  func forEachWord(_ visit: (StaticString) -> Void) {
    visit("yes")
    visit("no")
  }
}

/// One word of a fixed set.
struct ChoiceKind<Value: Choice>: SettingKind {
  func parse(_ text: Span<UInt8>) -> Value? { Value(name: text) }

  func append(_ value: Value, to text: inout FixedText<64>) { text.append(value.name) }

  func appendExpectation(to text: inout FixedText<256>) { Value.appendNames(to: &text) }

  func forEachWord(_ visit: (StaticString) -> Void) {
    var rawValue: UInt8 = 0
    while let value = Value(rawValue: rawValue) {
      visit(value.name)
      rawValue += 1
    }
  }
}

/// A value of another kind, or a word for no value.
struct OptionalKind<Wrapped: SettingKind>: SettingKind {
  var word: StaticString
  var wrapped: Wrapped

  var isOfWholeNumbers: Bool { wrapped.isOfWholeNumbers }

  func parse(_ text: Span<UInt8>) -> Wrapped.Value?? {
    if text.equals(word) { return .some(nil) }
    guard let value = wrapped.parse(text) else { return nil }
    return .some(value)
  }

  func append(_ value: Wrapped.Value?, to text: inout FixedText<64>) {
    guard let value else { return text.append(word) }
    wrapped.append(value, to: &text)
  }

  func appendExpectation(to text: inout FixedText<256>) {
    text.append("\(word), " as FixedText<32>)
    wrapped.appendExpectation(to: &text)
  }

  func forEachWord(_ visit: (StaticString) -> Void) {
    visit(word)
    wrapped.forEachWord(visit)
  }
}

/// The name of an easing function. There are too many of them to list in an error.
struct EasingKind: SettingKind {
  func parse(_ text: Span<UInt8>) -> Easing? { Easing(name: text) }

  func append(_ value: Easing, to text: inout FixedText<64>) { text.append(value.name) }

  func appendExpectation(to text: inout FixedText<256>) {
    text.append(
      "linear, or sine, quad, cubic, quart, quint, expo, circ, back, elastic or bounce with -in, -out or -in-out"
    )
  }
}

/// The name of a device, without the bytes that would end a value in the file.
struct DeviceNameKind: SettingKind {
  /// What the name refers to, for the error: "an ALSA device".
  var meaning: StaticString
  /// One byte is reserved for C's terminating 0.
  private static let largestByteCount = 63

  init(_ meaning: StaticString) { self.meaning = meaning }

  func parse(_ text: Span<UInt8>) -> DeviceName? {
    guard text.count >= 1, text.count <= Self.largestByteCount else { return nil }
    for index in text.indices where text[index] <= UInt8(ascii: " ") || text[index] == UInt8(ascii: ";") { return nil }
    return text.isSeen ? DeviceName(text) : nil
  }

  func append(_ value: DeviceName, to text: inout FixedText<64>) {
    text.append(value)
  }

  func appendExpectation(to text: inout FixedText<256>) {
    text.append("\(meaning), 1…63 bytes without spaces or semicolons" as FixedText<128>)
  }
}

/// A device's system name: a node's path, or an ALSA device.
package typealias DeviceName = FixedText<64>

/// The offset of a line on its GPIO chip, or `none`.
struct PinKind: SettingKind {
  private var kind: OptionalKind<WholeNumberKind<UInt16>> {
    OptionalKind(word: "none", wrapped: WholeNumberKind(0...1023, "line of the chip"))
  }

  func parse(_ text: Span<UInt8>) -> UInt16?? { kind.parse(text) }

  func append(_ value: UInt16?, to text: inout FixedText<64>) { kind.append(value, to: &text) }

  func appendExpectation(to text: inout FixedText<256>) { kind.appendExpectation(to: &text) }

  func forEachWord(_ visit: (StaticString) -> Void) { visit("none") }
}

/// A value that is one of two words, or a value of another kind.
protocol WordOrValue: Equatable {
  associatedtype Other

  static var words: InlineArray<2, SettingWord<Self>> { get }

  /// The words, each followed by a comma: an expectation begins with them, and is translated with them.
  static var wordList: StaticString { get }

  init(other: Other)

  /// Nil if the value is a word.
  var other: Other? { get }
}

/// A word of the configuration, and the value that it stands for.
struct SettingWord<Value> {
  let name: StaticString
  let value: Value

  init(_ name: StaticString, _ value: Value) {
    self.name = name
    self.value = value
  }
}

/// One of the words of a ``WordOrValue``, or a value of another kind.
struct WordOrValueKind<Value: WordOrValue, Kind: SettingKind>: SettingKind where Kind.Value == Value.Other {
  private let kind: Kind

  init(_ kind: Kind) { self.kind = kind }

  func parse(_ text: Span<UInt8>) -> Value? {
    let words = Value.words
    for index in words.indices where text.equals(words[index].name) { return words[index].value }
    return kind.parse(text).map { Value(other: $0) }
  }

  func append(_ value: Value, to text: inout FixedText<64>) {
    if let other = value.other { return kind.append(other, to: &text) }
    let words = Value.words
    for index in words.indices where words[index].value == value { text.append(words[index].name) }
  }

  func appendExpectation(to text: inout FixedText<256>) {
    text.append(Value.wordList)
    kind.appendExpectation(to: &text)
  }

  func forEachWord(_ visit: (StaticString) -> Void) {
    let words = Value.words
    for index in words.indices { visit(words[index].name) }
    kind.forEachWord(visit)
  }
}
