import Text

/// Sets the one setting that a line of the file names.
struct SettingAssignment: SettingVisitor {
  enum Outcome {
    case unknownSection
    case unknownKey
    /// Set; `index` is its place among all settings.
    case set(section: StaticString, key: StaticString, index: Int)
    case notTaken(section: StaticString, key: StaticString, expectation: FixedText<256>)
  }

  private let section: FixedText<64>
  private let key: FixedText<64>
  private let value: FixedText<200>
  private var currentSection: StaticString = ""
  private var isInside = false
  private var index = 0
  private(set) var outcome = Outcome.unknownSection

  init(section: FixedText<64>, key: FixedText<64>, value: FixedText<200>) {
    self.section = section
    self.key = key
    self.value = value
  }

  mutating func section(_ name: StaticString) {
    currentSection = name
    isInside = section == name
    if isInside { outcome = .unknownKey }
  }

  mutating func setting<Kind: SettingKind>(_ key: StaticString, _ value: inout Kind.Value, _ kind: Kind) {
    defer { index += 1 }
    guard isInside, self.key == key else { return }
    if let parsed = kind.parse(self.value.bytes) {
      value = parsed
      outcome = .set(section: currentSection, key: key, index: index)
    } else {
      var expectation = FixedText<256>()
      kind.appendExpectation(to: &expectation)
      outcome = .notTaken(section: currentSection, key: key, expectation: expectation)
    }
  }
}
