import Text

/// One word of a fixed set.
struct ChoiceKind<Value: Choice>: SettingKind {
  func parse(_ text: Span<UInt8>) -> Value? {
    for rawValue in 0..<Value.count {
      guard let choice = Value(rawValue: rawValue) else { continue }
      if text.equals(choice.name) { return choice }
    }
    return nil
  }

  func append(_ value: Value, to text: inout FixedText<64>) {
    text.append(value.name)
  }

  func appendExpectation(to text: inout FixedText<256>) {
    for rawValue in 0..<Value.count {
      guard let choice = Value(rawValue: rawValue) else { continue }
      if rawValue > 0 { text.append(rawValue + 1 == Value.count ? " or " : ", ") }
      text.append(choice.name)
    }
  }
}
