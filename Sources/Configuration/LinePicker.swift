import Base

/// Prints one line of a file with these settings, and tells about its setting.
struct LinePicker: SettingVisitor {
  var wantedIndex: Int
  private var index = 0
  private(set) var line: FixedText<128>?
  /// Of a setting; nil for a section.
  private(set) var effect: SettingEffect?

  /// What its values are to be completed from; nil if they are not.
  private let typed: FixedText<256>?
  /// Those of its values that are words and begin like this.
  private(set) var words = WordCompletion()

  init(wantedIndex: Int, completing typed: FixedText<256>? = nil) {
    self.wantedIndex = wantedIndex
    self.typed = typed
  }

  mutating func section(_ name: StaticString) {
    if index == wantedIndex { line = "[\(name)]" }
    index += 1
  }

  mutating func setting<Kind: SettingKind>(_ key: StaticString, _ value: inout Kind.Value, _ kind: Kind) {
    setting(key, &value, kind, .afterRestart)
  }

  mutating func setting<Kind: SettingKind>(
    _ key: StaticString, _ value: inout Kind.Value, _ kind: Kind, _ effect: SettingEffect
  ) {
    if index == wantedIndex {
      self.effect = effect
      var text = FixedText<64>()
      kind.append(value, to: &text)
      line = "\(key) = \(text)"
      if let typed { complete(typed, kind) }
    }
    index += 1
  }

  private mutating func complete(_ typed: FixedText<256>, _ kind: some SettingKind) {
    var words = WordCompletion()
    kind.forEachWord { words.offer($0.utf8Bytes, for: typed.bytes) }
    self.words = words
  }
}
