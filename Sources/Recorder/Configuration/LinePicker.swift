import Text

/// Prints one line of a file with these settings.
struct LinePicker: SettingVisitor {
  var wantedIndex: Int
  private var index = 0
  private(set) var line: FixedText<128>?

  init(wantedIndex: Int) { self.wantedIndex = wantedIndex }

  mutating func section(_ name: StaticString) {
    if index == wantedIndex { line = "[\(name)]" }
    index += 1
  }

  mutating func setting<Kind: SettingKind>(_ key: StaticString, _ value: inout Kind.Value, _ kind: Kind) {
    if index == wantedIndex {
      var text = FixedText<64>()
      kind.append(value, to: &text)
      line = "\(key) = \(text)"
    }
    index += 1
  }
}
