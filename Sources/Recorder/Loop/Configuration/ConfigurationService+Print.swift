import Configuration
import Console
import Text

extension ConfigurationService {
  /// Prints each section with a setting that is wanted, as a configuration file has it. A comment says where a value comes
  /// from that is not the configuration file's.
  func print(_ order: ConfigOrder, _ console: inout ConsoleSession) {
    let usual = Settings()
    var section = FixedText<128>()
    var isSectionPrinted = false
    var isAnyPrinted = false
    var index = 0
    while let line = current.line(at: index) {
      if line.bytes[0] == UInt8(ascii: "[") {
        section = line
        isSectionPrinted = false
      } else if order.wants(line, of: section, usually: usual.line(at: index)) {
        if !isSectionPrinted { console.quote(section) }
        console.quote("\(line)\(origin(of: line, at: index))" as FixedText<192>)
        isSectionPrinted = true
        isAnyPrinted = true
      }
      index += 1
    }
    if case .some(let name) = order, !isAnyPrinted {
      return console.refuse("there is no setting \(name): config lists all" as FixedText<128>)
    }
    console.complete()
  }

  /// A comment; empty for what the configuration file says, and is in force.
  private func origin(of line: FixedText<128>, at index: Int) -> FixedText<64> {
    var comment = FixedText<64>()
    if line != confirmed.line(at: index) {
      comment = " ; not confirmed"
    } else if line != saved.line(at: index) {
      comment = " ; not saved"
    } else if line != file.line(at: index) {
      comment = " ; saved"
    }
    if current.effect(at: index) == .afterRestart, line != boot.line(at: index) {
      comment.append(comment.isEmpty ? " ; after a restart" : ", after a restart")
    }
    return comment
  }
}

extension ConfigOrder {
  /// - Parameters:
  ///   - line: `key = value`.
  ///   - section: its name in brackets.
  ///   - usual: the line without a configuration file.
  fileprivate func wants(_ line: FixedText<128>, of section: FixedText<128>, usually usual: FixedText<128>?) -> Bool {
    switch self {
    case .different: return usual.map { $0 != line } ?? true
    case .some(let name):
      let sectionName = section.bytes.extracting(1..<section.byteCount - 1)
      if name.bytes.equals(sectionName) || name.bytes.equals(section.bytes) { return true }
      var path = FixedText<128>(sectionName)
      path.append(".")
      let key = line.bytes.firstWord
      path.append(bytes: key)
      return name.bytes.equals(key) || name.bytes.equals(path.bytes)
    case .all, .set, .confirm, .revert, .save: return true
    }
  }
}
