import Text

/// A display's node, or one of two words.
struct DisplayKind: SettingKind {
  private var kind: DeviceNameKind { DeviceNameKind("a display such as /dev/dri/card0") }

  func parse(_ text: Span<UInt8>) -> Display? {
    if text.equals("auto") { return .automatic }
    if text.equals("none") { return Display.none }
    guard let name = kind.parse(text) else { return nil }
    return .node(name)
  }

  func append(_ value: Display, to text: inout FixedText<64>) {
    switch value {
    case .automatic: text.append("auto")
    case .none: text.append("none")
    case .node(let name): kind.append(name, to: &text)
    }
  }

  func appendExpectation(to text: inout FixedText<256>) {
    text.append("auto, none, " as FixedText<32>)
    kind.appendExpectation(to: &text)
  }
}
