import Text

/// What another kind takes, or a word for no value.
struct OptionalKind<Wrapped: SettingKind>: SettingKind {
  var word: StaticString
  var wrapped: Wrapped

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
}
