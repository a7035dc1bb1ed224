import Base
import Configuration
import Console

/// Where `config` is with what it prints.
struct SettingsPrinting {
  var choice = SettingChoice.all
  var form = StatusForm.lines
  /// The line that is looked at next.
  var index = 0
  /// In brackets.
  var section = FixedText<128>()
  var isSectionPrinted = false
  var isAnyPrinted = false
}

/// Where a setting's value comes from.
private enum SettingOrigin {
  /// The configuration file, or nobody has set it.
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
  /// Prints each section with a setting that is wanted, as a configuration file has it, or each setting as a JSON object. A
  /// comment says where a value comes from that is not the configuration file's.
  mutating func print(_ choice: SettingChoice, _ form: StatusForm, _ console: inout ConsoleSession) {
    printing = SettingsPrinting(choice: choice, form: form)
    console.pending = .settings
    advance(&console)
  }

  /// At each tick while it prints.
  mutating func advance(_ console: inout ConsoleSession) {
    if console.takeInterrupt() { return console.complete() }
    for _ in 0..<Limits.settingsPerTick {
      guard console.canReply else { return }
      guard let line = current.line(at: printing.index) else { return end(&console) }
      look(at: line, &console)
      printing.index += 1
    }
  }

  private func end(_ console: inout ConsoleSession) {
    if case .some(let name) = printing.choice, !printing.isAnyPrinted {
      return console.refuse("there is no setting \(name): config lists all" as FixedText<128>)
    }
    console.complete()
  }

  private mutating func look(at line: FixedText<128>, _ console: inout ConsoleSession) {
    if line.bytes[0] == UInt8(ascii: "[") {
      printing.section = line
      printing.isSectionPrinted = false
      return
    }
    let usual = Settings().line(at: printing.index) ?? ""
    guard printing.choice.wants(line, of: printing.section, usually: usual) else { return }
    printing.isAnyPrinted = true
    guard printing.form == .lines else { return printJSON(line, usually: usual, &console) }
    if !printing.isSectionPrinted { console.quote(printing.section) }
    printing.isSectionPrinted = true
    console.quote("\(line)\(comment(on: line))" as FixedText<192>)
  }

  private func printJSON(_ line: FixedText<128>, usually usual: FixedText<128>, _ console: inout ConsoleSession) {
    console.beginReport(.json)
    console.member("section", text: printing.section.bytes.extracting(1..<printing.section.byteCount - 1))
    console.member("key", text: line.bytes.firstWord)
    console.member("value", text: line.assignedValue.withoutUser.bytes)
    console.member("usual", text: usual.assignedValue.bytes)
    console.member("origin", .name(origin(of: line).name))
    console.member("in_force", .flag(!waitsForRestart(line)))
    console.endPart()
  }

  /// Empty for what the configuration file says, and is in force.
  private func comment(on line: FixedText<128>) -> FixedText<64> {
    let origin = origin(of: line)
    var comment = FixedText<64>()
    if origin != .file { comment = " ; \(origin.name)" }
    if waitsForRestart(line) {
      comment.append(comment.isEmpty ? " ; after a restart" : ", after a restart")
    }
    return comment
  }

  private func origin(of line: FixedText<128>) -> SettingOrigin {
    if line != confirmed.line(at: printing.index) { return .notConfirmed }
    if line != saved.line(at: printing.index) { return .notSaved }
    return line == file.line(at: printing.index) ? .file : .saved
  }

  private func waitsForRestart(_ line: FixedText<128>) -> Bool {
    current.effect(at: printing.index) == .afterRestart && line != boot.line(at: printing.index)
  }
}

extension SettingChoice {
  /// - Parameters:
  ///   - line: `key = value`.
  ///   - section: its name in brackets.
  ///   - usual: the line without a configuration file.
  fileprivate func wants(_ line: FixedText<128>, of section: FixedText<128>, usually usual: FixedText<128>) -> Bool {
    switch self {
    case .all: return true
    case .different: return usual != line
    case .some(let name):
      let sectionName = section.bytes.extracting(1..<section.byteCount - 1)
      if name.bytes.equals(sectionName) || name.bytes.equals(section.bytes) { return true }
      var path = FixedText<128>(sectionName)
      path.append(".")
      let key = line.bytes.firstWord
      path.append(bytes: key)
      return name.bytes.equals(key) || name.bytes.equals(path.bytes)
    }
  }
}

extension FixedText where capacity == 128 {
  /// What stands behind `key = `.
  fileprivate var assignedValue: FixedText<128> {
    FixedText<128>(bytes.extracting(droppingFirst: min(bytes.firstWord.count + 3, byteCount)))
  }

  /// Without the name and the password that an address may have (RFC 3986, section 3.2.1).
  fileprivate var withoutUser: FixedText<128> {
    var start = 0
    while start < byteCount, bytes.extracting(droppingFirst: start).removingPrefix("://") == nil { start += 1 }
    guard start < byteCount else { return self }
    start += 3
    var end = start
    while end < byteCount, bytes[end] != UInt8(ascii: "/") { end += 1 }
    while end > start, bytes[end - 1] != UInt8(ascii: "@") { end -= 1 }
    var text = FixedText<128>(bytes.extracting(first: start))
    text.append(bytes: bytes.extracting(droppingFirst: end))
    return text
  }
}
