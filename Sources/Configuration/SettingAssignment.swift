import Base
import Media

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
    if let contradiction = audio.contradiction(with: record.audioContainer) {
      return .contradiction(section: "audio", contradiction)
    }
    if let contradiction = video.contradiction { return .contradiction(section: "video", contradiction) }
    if let contradiction = schedule.contradiction(hasReceiver: receiver.deviceName != nil) {
      return .contradiction(section: "schedule", contradiction)
    }
    if let contradiction = trigger.contradiction(with: self) {
      return .contradiction(section: "trigger", contradiction)
    }
    if let contradiction = timecode.contradiction(with: self) {
      return .contradiction(section: "timecode", contradiction)
    }
    if let contradiction = power.battery.contradiction { return .contradiction(section: "power", contradiction) }
    return heat.contradiction.map { .contradiction(section: "heat", $0) }
  }
}

/// Sets the settings that the lines of a file name.
struct SettingAssignment {
  private var table = SettingsTable(Settings())
  /// The line that set each setting; 0 if none did.
  private var lineNumbers = PerSetting<Int>(repeating: 0)

  /// Sets one setting.
  /// - Parameter lineNumber: of the line that says so; 0 if it is not in a file.
  /// - Throws: what is wrong with the line; in that case nothing has changed.
  @discardableResult mutating func set(
    _ key: FixedText<64>, of section: FixedText<64>, to value: FixedText<200>, in settings: inout Settings,
    lineNumber: Int = 0
  ) throws(SettingsProblem) -> SettingPlace {
    let index = try table.index(of: key, in: section)
    let row = table[index]
    var changed = settings
    if let expectation = table.assign(value, at: index, in: &changed) {
      throw .valueNotTaken(section: row.section, key: row.key, value: value, expectation: expectation)
    }
    guard lineNumbers[index] == 0 else {
      throw .duplicate(section: row.section, key: row.key, firstLineNumber: lineNumbers[index])
    }
    lineNumbers[index] = lineNumber
    settings = changed
    return SettingPlace(section: row.section, key: row.key, effect: row.effect, index: index)
  }

  /// The line that set a setting; 0 if none did.
  func lineNumber(of pin: PinSetting) -> Int { lineNumbers[pin.index] }
}

extension Settings {
  /// The names of settings that begin as typed, up to the next dot; or the values of one, if a name is given.
  @export(interface)
  package static func words(beginningWith typed: FixedText<256>, valuesOf name: FixedText<64>?) -> WordCompletion {
    var table = SettingsTable(Settings())
    var words = WordCompletion()
    var section: StaticString = ""
    for index in 0..<table.count {
      let row = table[index]
      let isFirst = !section.utf8Bytes.equals(row.section)
      section = row.section
      let path: FixedText<128> = "\(section).\(row.key)"
      if let name {
        guard name == row.key || name.bytes.equals(path.bytes) else { continue }
        words.merge(table.words(beginningWith: typed, at: index))
      } else if typed.bytes.hasDot {
        words.offer(path.bytes, for: typed.bytes)
      } else if isFirst {
        // Sections first, then the keys of one.
        words.offer(("\(section)." as FixedText<65>).bytes, for: typed.bytes)
      }
    }
    return words
  }
}

extension Span where Element == UInt8 {
  fileprivate var hasDot: Bool {
    for index in indices where self[index] == UInt8(ascii: ".") { return true }
    return false
  }
}
