import Text

/// One word of a fixed set.
struct ChoiceKind<Value: Choice>: SettingKind {
  func parse(_ text: Span<UInt8>) -> Value? { Value(name: text) }

  func append(_ value: Value, to text: inout FixedText<64>) { text.append(value.name) }

  func appendExpectation(to text: inout FixedText<256>) { Value.appendNames(to: &text) }
}
