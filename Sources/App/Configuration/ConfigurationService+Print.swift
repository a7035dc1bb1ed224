import Base
import Configuration
import Console

/// The progress of `config` while it prints.
struct SettingsPrinting {
  var choice = SettingChoice.all
  var form = StatusForm.lines
  /// The index of the next setting.
  var index = 0
  /// The section of that setting.
  var section: StaticString = ""
  var isSectionPrinted = false
  var isAnyPrinted = false
}

/// Where a setting's value comes from.
private enum SettingOrigin {
  /// The configuration file, or the default.
  case file
  case saved
  case notSaved
  case notConfirmed

  var name: StaticString {
    switch self {
    case .file: "file"
    case .saved: "saved"
    case .notSaved: "not saved"
    case .notConfirmed: "not confirmed"
    }
  }
}

extension ConfigurationService {
  /// Prints each section with a wanted setting in the format of a configuration file, or each setting as a JSON object.
  /// A comment says where a value comes from if not from the configuration file.
  mutating func print(_ choice: SettingChoice, _ form: StatusForm, _ console: inout ConsoleSession) {
    printing = SettingsPrinting(choice: choice, form: form)
    console.pending = .settings
    advance(&console)
  }

  /// At each tick while it prints.
  mutating func advance(_ console: inout ConsoleSession) {
    if console.takeInterrupt() { return console.complete() }
    guard console.canReply else { return }
    let comparison = SettingsComparison(of: self)
    for _ in 0..<Limits.settingsPerTick {
      guard console.canReply else { return }
      guard printing.index < comparison.table.count else { return end(&console) }
      let row = comparison.table[printing.index]
      // A section's line counts as much as a setting's.
      if printing.section.utf8Bytes.equals(row.section) {
        look(at: row, comparison, &console)
        printing.index += 1
      } else {
        printing.section = row.section
        printing.isSectionPrinted = false
      }
    }
  }

  private func end(_ console: inout ConsoleSession) {
    if case .some(let name) = printing.choice, !printing.isAnyPrinted {
      return console.refuse("there is no setting \(name): config lists all" as FixedText<128>)
    }
    console.complete()
  }

  private mutating func look(
    at row: SettingRow, _ comparison: borrowing SettingsComparison, _ console: inout ConsoleSession
  ) {
    guard printing.choice.wants(row) else { return }
    printing.isAnyPrinted = true
    let origin = comparison.origin(of: printing.index)
    let waits = comparison.differsFromBoot(printing.index) && waitsForRestart(row)
    guard printing.form == .lines else { return printJSON(row, origin, waits, &console) }
    if !printing.isSectionPrinted { console.quote(row.heading) }
    printing.isSectionPrinted = true
    console.quote("\(row.line)\(comment(origin, waits))" as FixedText<192>)
  }

  private func printJSON(
    _ row: SettingRow, _ origin: SettingOrigin, _ waitsForRestart: Bool, _ console: inout ConsoleSession
  ) {
    console.beginReport(.json)
    console.member("section", text: row.section.utf8Bytes)
    console.member("key", text: row.key.utf8Bytes)
    console.member("value", text: row.text.withoutUser.bytes)
    console.member("usual", text: row.otherText.bytes)
    console.member("origin", .name(origin.name))
    console.member("in_force", .flag(!waitsForRestart))
    console.endPart()
  }

  /// Empty for a value that comes from the configuration file and is in force.
  private func comment(_ origin: SettingOrigin, _ waitsForRestart: Bool) -> FixedText<64> {
    var comment = FixedText<64>()
    if origin != .file { comment = " ; \(origin.name)" }
    if waitsForRestart { comment.append(comment.isEmpty ? " ; after a restart" : ", after a restart") }
    return comment
  }
}

/// The current settings, with the defaults and the other sets of values beside them: six passes over all settings.
private struct SettingsComparison: ~Copyable {
  private(set) var table: SettingsTable
  private let notConfirmed: PerSetting<Bool>
  private let notSaved: PerSetting<Bool>
  private let notInFile: PerSetting<Bool>
  private let notAtBoot: PerSetting<Bool>

  init(of service: borrowing ConfigurationService) {
    table = SettingsTable(service.current)
    notConfirmed = table.differences(from: service.confirmed)
    notSaved = table.differences(from: service.saved)
    notInFile = table.differences(from: service.file)
    notAtBoot = table.differences(from: service.boot)
    table.compare(with: Settings())
  }

  func origin(of index: Int) -> SettingOrigin {
    if notConfirmed[index] { return .notConfirmed }
    if notSaved[index] { return .notSaved }
    return notInFile[index] ? .saved : .file
  }

  func differsFromBoot(_ index: Int) -> Bool { notAtBoot[index] }
}

extension SettingChoice {
  /// - Parameter row: the setting, with its default beside it.
  fileprivate func wants(_ row: SettingRow) -> Bool {
    switch self {
    case .all: return true
    case .different: return row.differs
    case .some(let name):
      let path: FixedText<128> = "\(row.section).\(row.key)"
      return name == row.section || name == row.key || name.bytes.equals(row.heading.bytes)
        || name.bytes.equals(path.bytes)
    }
  }
}

extension FixedText where capacity == 64 {
  /// An address without its user name and password (RFC 3986, section 3.2.1).
  fileprivate var withoutUser: FixedText<64> {
    var start = 0
    while start < byteCount, bytes.extracting(droppingFirst: start).removingPrefix("://") == nil { start += 1 }
    guard start < byteCount else { return self }
    start += 3
    var end = start
    while end < byteCount, bytes[end] != UInt8(ascii: "/") { end += 1 }
    while end > start, bytes[end - 1] != UInt8(ascii: "@") { end -= 1 }
    var text = FixedText<64>(bytes.extracting(first: start))
    text.append(bytes: bytes.extracting(droppingFirst: end))
    return text
  }
}

extension Limits {
  /// Settings that `config` prints per tick. In any case their comparison walks the table six times first.
  static var settingsPerTick: Int { 8 }
}
