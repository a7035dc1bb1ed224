import Text

/// A whole number of some unit within a range.
struct WholeNumberKind<Value: FixedWidthInteger>: SettingKind {
  var range: ClosedRange<Value>
  var unit: StaticString
  /// What 0 means where it is taken beside the range.
  var zeroMeaning: StaticString?
  var mustBeEven = false

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
