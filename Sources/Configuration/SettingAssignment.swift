import Base

/// Where a setting is in the table.
package struct SettingPlace: Sendable {
  /// Its section.
  package var section: StaticString
  /// Its key.
  package var key: StaticString
  /// When a change of it on the console is in force.
  package var effect: SettingEffect
  /// Its index among all settings.
  var index: Int
}

extension Settings {
  /// Sets one setting, as a line of a file does. ``disagreement`` tells whether it is valid together with the others.
  /// - Throws: what is wrong with it; nothing has changed then.
  @discardableResult package mutating func set(
    _ key: FixedText<64>, of section: FixedText<64>, to value: FixedText<200>
  ) throws(SettingsProblem) -> SettingPlace {
    var assignment = SettingAssignment(section: section, key: key, value: value)
    visit(&assignment)
    switch assignment.outcome {
    case .set(let place): return place
    case .unknownSection: throw .unknownSection(section, key: key)
    case .unknownKey: throw .unknownKey(key, section: section)
    case .notTaken(let section, let key, let expectation):
      throw .valueNotTaken(section: section, key: key, value: value, expectation: expectation)
    }
  }

  /// What is wrong with settings that are each valid; nil if nothing is.
  package var disagreement: SettingsProblem? {
    if let (first, second) = sharedPins { return .sharedPin(first, second) }
    return contradiction
  }

  var sharedPins: (PinSetting, PinSetting)? {
    var copy = self
    var finder = SharedPinFinder()
    copy.visit(&finder)
    return finder.sharedPins
  }

  var contradiction: SettingsProblem? {
    if let contradiction = video.contradiction { return .contradiction(section: "video", contradiction) }
    return heat.contradiction.map { .contradiction(section: "heat", $0) }
  }
}

/// Sets the setting that a line of the file names.
private struct SettingAssignment: SettingVisitor {
  enum Outcome {
    case unknownSection
    case unknownKey
    case set(SettingPlace)
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
    setting(key, &value, kind, .afterRestart)
  }

  mutating func setting<Kind: SettingKind>(
    _ key: StaticString, _ value: inout Kind.Value, _ kind: Kind, _ effect: SettingEffect
  ) {
    defer { index += 1 }
    guard isInside, self.key == key else { return }
    if let parsed = kind.parse(self.value.bytes) {
      value = parsed
      outcome = .set(SettingPlace(section: currentSection, key: key, effect: effect, index: index))
    } else {
      var expectation = FixedText<256>()
      kind.appendExpectation(to: &expectation)
      outcome = .notTaken(section: currentSection, key: key, expectation: expectation)
    }
  }
}
