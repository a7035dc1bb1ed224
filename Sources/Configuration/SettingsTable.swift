import Base

/// One element for each setting of ``Settings/visit(_:)``. There are some 165, and there is room for a few more: of a
/// ``SettingsTable`` each takes 200 bytes of the stack. A table too small stops the program at boot, and every test.
package typealias PerSetting<Element> = InlineArray<190, Element>

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
package struct SettingsTable: SettingVisitor {
  private enum Column {
    case text
    case otherText
  }

  private var rows = PerSetting<SettingRow>(repeating: SettingRow())
  /// The number of settings.
  package private(set) var count = 0
  private var column = Column.text
  /// The next row to be visited.
  private var index = 0
  private var section: StaticString = ""
  private var pins = SharedPinFinder()

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
    column = .otherText
    index = 0
    other.visit(&self)
  }

  package subscript(index: Int) -> SettingRow { rows[index] }

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
    for index in 0..<count where isWanted(rows[index]) {
      if !section.utf8Bytes.equals(rows[index].section) { visit("[\(rows[index].section)]") }
      section = rows[index].section
      visit(rows[index].line)
    }
  }

  /// The value of a setting; nil if there is none with this name.
  package func value(of key: FixedText<64>, in section: FixedText<64>) -> FixedText<64>? {
    for index in 0..<count where key == rows[index].key && section == rows[index].section { return rows[index].text }
    return nil
  }

  /// The first section that has a key, and the number of such sections.
  package func sections(of key: FixedText<64>) -> (first: FixedText<64>, count: Int) {
    var first = FixedText<64>()
    var found = 0
    for index in 0..<count where key == rows[index].key {
      if found == 0 { first = "\(rows[index].section)" }
      found += 1
    }
    return (first, found)
  }

  package mutating func section(_ name: StaticString) { section = name }

  package mutating func setting<Kind: SettingKind>(
    _ key: StaticString, _ value: inout Kind.Value, _ kind: Kind, _ effect: SettingEffect
  ) {
    precondition(index < rows.count, "there are more settings than PerSetting has elements")
    rows[index].otherText.removeAll()
    kind.append(value, to: &rows[index].otherText)
    if column == .text { describe(key, effect) }
    index += 1
  }

  private mutating func describe(_ key: StaticString, _ effect: SettingEffect) {
    rows[index].section = section
    rows[index].key = key
    rows[index].text = rows[index].otherText
    rows[index].effect = effect
  }

  package mutating func pin(_ key: StaticString, _ offset: inout UInt16?, on chip: DeviceName) {
    if column == .text, let offset {
      pins.add(PinSetting(section: section, key: key, chipName: chip, offset: offset, index: index))
    }
    setting(key, &offset, PinKind(), .afterRestart)
  }
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
