import Text

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
}
