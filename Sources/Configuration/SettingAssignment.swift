import Base

/// The location of a setting in the table.
package struct SettingPlace: Sendable {
  package var section: StaticString
  package var key: StaticString
  /// When a change on the console takes effect.
  package var effect: SettingEffect
  /// Its index among all settings.
  var index: Int
}

extension Settings {
  /// Sets one setting, as a line of a file does. ``disagreement`` tells whether it is valid together with the others.
  /// - Throws: what is wrong with it; in that case nothing has changed.
  @export(interface)
  @discardableResult package mutating func set(
    _ key: FixedText<64>, of section: FixedText<64>, to value: FixedText<200>
  ) throws(SettingsProblem) -> SettingPlace {
    var assignment = SettingAssignment()
    return try assignment.set(key, of: section, to: value, in: &self)
  }

  /// The problem with settings that are each valid, but not together; nil if there is none.
  package var disagreement: SettingsProblem? {
    if let (first, second) = sharedPins { return .sharedPin(first, second) }
    return contradiction
  }

  var sharedPins: (PinSetting, PinSetting)? { SettingsTable(self).sharedPins }

  var contradiction: SettingsProblem? {
    if let contradiction = audio.contradiction { return .contradiction(section: "audio", contradiction) }
    if let contradiction = video.contradiction { return .contradiction(section: "video", contradiction) }
    if let contradiction = schedule.contradiction { return .contradiction(section: "schedule", contradiction) }
    if let contradiction = trigger.contradiction(with: self) {
      return .contradiction(section: "trigger", contradiction)
    }
    if let contradiction = power.battery.contradiction { return .contradiction(section: "power", contradiction) }
    return heat.contradiction.map { .contradiction(section: "heat", $0) }
  }
}

/// Sets the settings that the lines of a file name.
struct SettingAssignment: SettingVisitor {
  private enum Outcome {
    case unknownSection
    case unknownKey
    case set(SettingPlace)
    case duplicate(SettingPlace)
    case notTaken(section: StaticString, key: StaticString, expectation: FixedText<256>)
  }

  /// The line that set each setting; 0 if none did.
  private var lineNumbers = PerSetting<Int>(repeating: 0)
  private var section = FixedText<64>()
  private var key = FixedText<64>()
  private var value = FixedText<200>()
  private var lineNumber = 0
  private var currentSection: StaticString = ""
  private var isInside = false
  private var index = 0
  private var outcome = Outcome.unknownSection

  /// Sets one setting.
  /// - Parameter lineNumber: of the line that says so; 0 if it is not in a file.
  /// - Throws: what is wrong with the line; in that case nothing has changed.
  @discardableResult mutating func set(
    _ key: FixedText<64>, of section: FixedText<64>, to value: FixedText<200>, in settings: inout Settings,
    lineNumber: Int = 0
  ) throws(SettingsProblem) -> SettingPlace {
    self.section = section
    self.key = key
    self.value = value
    self.lineNumber = lineNumber
    isInside = false
    index = 0
    outcome = .unknownSection
    settings.visit(&self)
    switch outcome {
    case .set(let place): return place
    case .duplicate(let place):
      throw .duplicate(section: place.section, key: place.key, firstLineNumber: lineNumbers[place.index])
    case .unknownSection: throw .unknownSection(section, key: key)
    case .unknownKey: throw .unknownKey(key, section: section)
    case .notTaken(let section, let key, let expectation):
      throw .valueNotTaken(section: section, key: key, value: value, expectation: expectation)
    }
  }

  /// The line that set a setting; 0 if none did.
  func lineNumber(of pin: PinSetting) -> Int { lineNumbers[pin.index] }

  mutating func section(_ name: StaticString) {
    currentSection = name
    isInside = section == name
    if isInside { outcome = .unknownKey }
  }

  mutating func setting<Kind: SettingKind>(
    _ key: StaticString, _ value: inout Kind.Value, _ kind: Kind, _ effect: SettingEffect
  ) {
    defer { index += 1 }
    guard isInside, self.key == key else { return }
    if let parsed = kind.parse(self.value.bytes) {
      let place = SettingPlace(section: currentSection, key: key, effect: effect, index: index)
      guard lineNumbers[index] == 0 else { return outcome = .duplicate(place) }
      lineNumbers[index] = lineNumber
      value = parsed
      outcome = .set(place)
    } else {
      var expectation = FixedText<256>()
      kind.appendExpectation(insteadOf: self.value.bytes, to: &expectation)
      if kind.isOfWholeNumbers, self.value.bytes.parseInteger(as: Int64.self) == nil,
        self.value.bytes.parseDecimal() != nil
      {
        expectation.append(", a whole number")
      }
      outcome = .notTaken(section: currentSection, key: key, expectation: expectation)
    }
  }
}

extension Settings {
  /// The names of settings that begin as typed, up to the next dot; or the values of one, if a name is given.
  @export(interface)
  package static func words(beginningWith typed: FixedText<256>, valuesOf name: FixedText<64>?) -> WordCompletion {
    var settings = Settings()
    var search = WordSearch(typed: typed, name: name)
    settings.visit(&search)
    return search.words
  }
}

/// Looks for names and values that begin as typed.
private struct WordSearch: SettingVisitor {
  let typed: FixedText<256>
  /// The setting whose values are wanted; nil for names.
  let name: FixedText<64>?
  private var section: StaticString = ""
  private(set) var words = WordCompletion()

  init(typed: FixedText<256>, name: FixedText<64>?) {
    self.typed = typed
    self.name = name
  }

  mutating func section(_ name: StaticString) {
    section = name
    // Sections first, then the keys of one.
    guard self.name == nil, !typed.bytes.hasDot else { return }
    let word: FixedText<65> = "\(name)."
    words.offer(word.bytes, for: typed.bytes)
  }

  mutating func setting<Kind: SettingKind>(
    _ key: StaticString, _ value: inout Kind.Value, _ kind: Kind, _ effect: SettingEffect
  ) {
    let path: FixedText<128> = "\(section).\(key)"
    guard let name else {
      if typed.bytes.hasDot { words.offer(path.bytes, for: typed.bytes) }
      return
    }
    guard name == key || name.bytes.equals(path.bytes) else { return }
    var values = WordCompletion()
    kind.forEachWord { values.offer($0.utf8Bytes, for: typed.bytes) }
    words.merge(values)
  }
}

extension Span where Element == UInt8 {
  fileprivate var hasDot: Bool {
    for index in indices where self[index] == UInt8(ascii: ".") { return true }
    return false
  }
}
