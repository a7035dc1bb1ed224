import Text

/// A decimal number of some unit within a range, to the thousandth at most: so it is printed as it is.
struct DecimalKind: SettingKind {
  var range: ClosedRange<Double>
  var unit: StaticString
  private static let decimals = 3

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
