import Configuration
import Console
import Text

extension Services {
  /// Answers `config`: each section with a setting that is wanted, as a configuration file has it.
  mutating func printConfiguration(_ order: ConfigOrder) {
    let usual = Settings()
    var section = FixedText<128>()
    var isSectionPrinted = false
    var isAnyPrinted = false
    var index = 0
    while let line = context.settings.line(at: index) {
      if line.bytes[0] == UInt8(ascii: "[") {
        section = line
        isSectionPrinted = false
      } else if order.wants(line, of: section, usually: usual.line(at: index)) {
        if !isSectionPrinted { console.quote(section) }
        console.quote(line)
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
}

extension ConfigOrder {
  /// - Parameters:
  ///   - line: `key = value`.
  ///   - section: its name in brackets.
  ///   - usual: the line without a configuration file.
  fileprivate func wants(_ line: FixedText<128>, of section: FixedText<128>, usually usual: FixedText<128>?) -> Bool {
    switch self {
    case .all: return true
    case .different: return usual.map { $0 != line } ?? true
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
