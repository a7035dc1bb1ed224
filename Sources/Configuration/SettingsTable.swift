import Base

/// One element for each setting of ``Settings/visit(_:)``. There are some 200, and there is room for a few more: of a
/// ``SettingsTable`` each takes 200 bytes of the stack. A table too small stops the program at boot, and every test.
package typealias PerSetting<Element> = InlineArray<224, Element>

/// A setting with its value, as in a line of a file.
package struct SettingRow: Sendable {
  package fileprivate(set) var section: StaticString = ""
  package fileprivate(set) var key: StaticString = ""
  package fileprivate(set) var text = FixedText<64>()
  /// The value in the settings compared with; without a comparison the same value.
  package fileprivate(set) var otherText = FixedText<64>()
  /// When a change on the console takes effect.
  package fileprivate(set) var effect = SettingEffect.afterRestart

  /// `key = value`.
  package var line: FixedText<128> { "\(key) = \(text)" }

  package var differs: Bool { text != otherText }
}

/// Every setting as text, written in one visit. Printing, comparing, completing and looking up names all use it.
///
/// It alone visits settings, so that ``Settings/visit(_:)``, the only description of each, is compiled once.
package struct SettingsTable {
  /// What a visit does.
  private enum Task {
    /// Writes each setting in its row.
    case list
    /// Writes each setting in its row, beside the others.
    case compare
    /// Sets the setting at ``target``.
    case assign
    /// Collects the words that are values of the setting at ``target``.
    case complete
  }

  /// What is asked of a setting.
  private enum Question {
    case text
    case value
    case words
  }

  private var rows = PerSetting<SettingRow>(repeating: SettingRow())
  /// The number of settings.
  package private(set) var count = 0
  private var task = Task.list
  /// The next row to be visited.
  private var index = 0
  private var section: StaticString = ""
  private var pins = SharedPinFinder()
  private var target = 0
  private var text = FixedText<64>()
  private var given = FixedText<200>()
  private var expectation = FixedText<256>()
  private var typed = FixedText<256>()
  private var words = WordCompletion()

  @export(interface)
  package init(_ settings: Settings) {
    var settings = settings
    settings.visit(&self)
    count = index
  }

  /// The settings, with the values of others beside them.
  @export(interface)
  package init(_ settings: Settings, comparedWith other: Settings) {
    self.init(settings)
    compare(with: other)
  }

  /// Puts the values of other settings beside these.
  package mutating func compare(with other: Settings) {
    var other = other
    visit(&other, to: .compare)
  }

  private mutating func visit(_ settings: inout Settings, to task: Task) {
    self.task = task
    index = 0
    settings.visit(&self)
  }

  /// Sets the setting at an index.
  /// - Returns: what is expected, if the value is not valid: nothing has changed.
  @export(interface)
  package mutating func assign(_ value: FixedText<200>, at index: Int, in settings: inout Settings) -> FixedText<256>? {
    target = index
    given = value
    expectation.removeAll()
    visit(&settings, to: .assign)
    return expectation.isEmpty ? nil : expectation
  }

  /// The values of the setting at an index that are words, as far as they begin as typed.
  mutating func words(beginningWith typed: FixedText<256>, at index: Int) -> WordCompletion {
    var settings = Settings()
    target = index
    self.typed = typed
    words = WordCompletion()
    visit(&settings, to: .complete)
    return words
  }

  package subscript(index: Int) -> SettingRow { rows.span[index] }

  /// The settings whose values differ from others.
  @export(interface)
  package mutating func differences(from other: Settings) -> PerSetting<Bool> {
    compare(with: other)
    var differences = PerSetting<Bool>(repeating: false)
    for index in 0..<count { differences[index] = rows[index].differs }
    return differences
  }

  /// Two settings that name the same line of the same chip.
  var sharedPins: (PinSetting, PinSetting)? { pins.sharedPins }

  /// Calls `visit` with the lines of a file that has the wanted settings and their sections.
  package func forEachLine(where isWanted: (SettingRow) -> Bool, _ visit: (FixedText<128>) -> Void) {
    var section: StaticString = ""
    let rows = rows.span
    for index in 0..<count where isWanted(rows[index]) {
      if !section.utf8Bytes.equals(rows[index].section) { visit("[\(rows[index].section)]") }
      section = rows[index].section
      visit(rows[index].line)
    }
  }

  /// The value of a setting; nil if there is none with this name.
  package func value(of key: FixedText<64>, in section: FixedText<64>) -> FixedText<64>? {
    let rows = rows.span
    for index in 0..<count where key == rows[index].key && section == rows[index].section { return rows[index].text }
    return nil
  }

  func index(of key: FixedText<64>, in section: FixedText<64>) throws(SettingsProblem) -> Int {
    let rows = rows.span
    var isSectionKnown = false
    for index in 0..<count where section == rows[index].section {
      if key == rows[index].key { return index }
      isSectionKnown = true
    }
    throw isSectionKnown ? .unknownKey(key, section: section) : .unknownSection(section, key: key)
  }

  /// The first section that has a key, and the number of such sections.
  package func sections(of key: FixedText<64>) -> (first: FixedText<64>, count: Int) {
    var first = FixedText<64>()
    var found = 0
    let rows = rows.span
    for index in 0..<count where key == rows[index].key {
      if found == 0 { first = "\(rows[index].section)" }
      found += 1
    }
    return (first, found)
  }

  /// Begins the settings of section `[name]`.
  mutating func section(_ name: StaticString) { section = name }

  /// - Parameter effect: when a change on the console takes effect.
  mutating func setting<Kind: SettingKind>(
    _ key: StaticString, _ value: inout Kind.Value, _ kind: Kind, _ effect: SettingEffect = .afterRestart
  ) {
    switch question(key, effect) {
    case nil: break
    case .text:
      kind.append(value, to: &text)
      write()
    case .value:
      if let parsed = kind.parse(given.bytes) {
        value = parsed
      } else {
        kind.appendExpectation(insteadOf: given.bytes, to: &expectation)
        if kind.isOfWholeNumbers { expectWholeNumber() }
      }
    case .words: kind.forEachWord { offer($0) }
    }
  }

  /// A setting that names a line of the GPIO chip `chip`.
  mutating func pin(_ key: StaticString, _ offset: inout UInt16?, on chip: DeviceName) {
    if task == .list, let offset {
      pins.add(PinSetting(section: section, key: key, chipName: chip, offset: offset, index: index))
    }
    setting(key, &offset, PinKind())
  }

  /// What is asked of the next setting; nil if nothing is. What does not depend on its kind is here: compiled once.
  private mutating func question(_ key: StaticString, _ effect: SettingEffect) -> Question? {
    precondition(index < rows.count, "there are more settings than PerSetting has elements")
    text.removeAll()
    defer { index += 1 }
    switch task {
    case .list:
      rows[index].section = section
      rows[index].key = key
      rows[index].effect = effect
      return .text
    case .compare: return .text
    case .assign: return index == target ? .value : nil
    case .complete: return index == target ? .words : nil
    }
  }

  private mutating func write() {
    rows[index - 1].otherText = text
    if task == .list { rows[index - 1].text = text }
  }

  private mutating func expectWholeNumber() {
    guard given.bytes.parseInteger(as: Int64.self) == nil, given.bytes.parseDecimal() != nil else { return }
    expectation.append(", a whole number")
  }

  private mutating func offer(_ word: StaticString) { words.offer(word.utf8Bytes, for: typed.bytes) }
}

extension Settings {
  /// The text of a file with the differences from other settings, to be saved; truncated if too long.
  package func text<let capacity: Int>(over other: Settings) -> FixedText<capacity> {
    var text = FixedText<capacity>()
    SettingsTable(self, comparedWith: other).forEachLine(where: { $0.differs }) {
      text.append("\($0)\n" as FixedText<130>)
    }
    return text
  }
}

/// The valid names, for an error.
struct NameList {
  private let written: FixedText<64>
  private var names = FixedText<512>()
  private var nearest: StaticString?
  private var nearestDistance: Int

  /// - Parameters:
  ///   - section: the section of the keys; nil for the sections themselves.
  ///   - written: the name in the file.
  @export(interface)
  init(ofKeysIn section: FixedText<64>?, near written: FixedText<64>) {
    self.written = written
    // Two typing errors, and more in longer words.
    nearestDistance = written.byteCount / 3 + 2
    let table = SettingsTable(Settings())
    for index in 0..<table.count {
      let row = table[index]
      if let section {
        if section == row.section { consider(row.key) }
      } else if index == 0 || !table[index - 1].section.utf8Bytes.equals(row.section) {
        consider(row.section)
      }
    }
  }

  private mutating func consider(_ name: StaticString) {
    if !names.isEmpty { names.append(", ") }
    names.append(name)
    let distance = written.bytes.editDistance(to: name.utf8Bytes)
    guard distance < nearestDistance else { return }
    nearest = name
    nearestDistance = distance
  }

  /// Appends `: did you mean NAME? Expected one of NAME, NAME`.
  func append(to line: inout FixedText<1024>) {
    line.append(": ")
    if let nearest { line.append("did you mean \(nearest)? " as FixedText<64>) }
    line.append("expected one of ")
    line.append(names)
  }
}
