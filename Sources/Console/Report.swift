import Base

/// A value in a report: people read it with units and grouped digits, programs as plain JSON. An unknown or absent
/// value is nil: `-`, and `null`.
package enum ReportValue {
  case number(Int64?)
  case decimal(Double?, decimals: Int)
  /// A size in bytes.
  case size(UInt64?)
  /// One of the recorder's own words, which people read in their language.
  case word(StaticString)
  /// One of the recorder's own names, which is the same in every language.
  case name(StaticString?)
  case flag(Bool?)

  /// A number of any width.
  package static func count(_ count: (some FixedWidthInteger)?) -> ReportValue {
    .number(count.map { Int64(clamping: $0) })
  }

  /// An unknown or absent value.
  package static var none: ReportValue { .number(nil) }

  fileprivate var isNumber: Bool {
    switch self {
    case .number, .decimal, .size, .name(nil), .flag(nil): true
    case .word, .name, .flag: false
    }
  }
}

/// The part of a report that is written and not printed yet.
struct OpenReport {
  typealias JSON = JSONWriter<3000>

  var form = StatusForm.lines
  var line = FixedText<256>()
  var json = JSON()
  /// The offset of the row being written.
  var rowStart = 0
  var leftOutCount = 0

  static var labelColumns: Int { 24 }
  /// Bytes kept free for what follows the rows.
  static var tailByteCount: Int { 96 }
}

/// A report is described once, from ``beginReport(_:)`` to ``endReport()``: it is printed as lines for people, or as
/// one JSON object (RFC 8259) on one line.
///
/// Nothing of it is inlined: it has hundreds of callers.
extension ConsoleSession {
  package mutating func beginReport(_ form: StatusForm) { report = OpenReport(form: form) }

  /// Prints a line that only people get.
  package mutating func line(_ text: @autoclosure () -> FixedText<256>) {
    if report.form == .lines { reply(text()) }
  }

  /// Reports a single fact.
  @inline(never)
  package mutating func fact(_ label: StaticString, _ key: StaticString, _ value: ReportValue) {
    guard report.form == .lines else { return member(key, value) }
    report.line = FixedText(self.label(label, columns: OpenReport.labelColumns).bytes)
    report.line.append(text(value))
    endRow()
  }

  /// Reports a fact whose value is foreign text; empty if it is unknown.
  @inline(never)
  package mutating func fact(_ label: StaticString, _ key: StaticString, text: FixedText<32>) {
    guard !text.isEmpty else { return fact(label, key, .none) }
    guard report.form == .lines else { return member(key, text: text.bytes) }
    report.line = FixedText(self.label(label, columns: OpenReport.labelColumns).bytes)
    report.line.append(text)
    endRow()
  }

  /// Writes a member that only programs get.
  @inline(never)
  package mutating func member(_ key: StaticString, _ value: ReportValue) {
    guard report.form == .json else { return }
    switch value {
    case .number(let number?): report.json.add(key, number)
    case .decimal(let number?, let decimals): report.json.add(key, number, decimals: decimals)
    case .size(let byteCount?): report.json.add(key, byteCount)
    case .flag(let isSo?): report.json.add(key, isSo)
    case .word(let word), .name(let word?): report.json.add(key, name: word)
    case .number(nil), .decimal(nil, _), .size(nil), .flag(nil), .name(nil): report.json.addNull(key)
    }
  }

  /// Writes foreign text that only programs get.
  /// - Parameter emptyIsNull: whether an empty text is `null`.
  @inline(never)
  package mutating func member(_ key: StaticString, text: Span<UInt8>, emptyIsNull: Bool = false) {
    guard report.form == .json else { return }
    emptyIsNull && text.isEmpty ? report.json.addNull(key) : report.json.add(key, text: text)
  }

  /// Begins an object in the report, whose members follow up to ``endObject()``.
  package mutating func beginObject(_ key: StaticString) {
    if report.form == .json { report.json.beginObject(key) }
  }

  package mutating func endObject() {
    if report.form == .json { report.json.endObject() }
  }

  /// Begins the rows of a table.
  /// - Parameter head: the headings above the columns; empty for none.
  package mutating func beginRows(_ key: StaticString, _ head: StaticString = "") {
    if report.form == .json { return report.json.beginList(key) }
    if head.utf8CodeUnitCount > 0 { self.head(head) }
  }

  /// Prints column headings, which only people get.
  package mutating func head(_ words: StaticString) {
    if report.form == .lines { quote(self.words(words)) }
  }

  /// Begins a row.
  /// - Parameter key: for a row that is an object of its own, outside a list.
  package mutating func beginRow(_ key: StaticString? = nil) {
    report.rowStart = report.json.text.byteCount
    if report.form == .json { report.json.beginObject(key) }
  }

  /// Adds the name of a row, which only people get.
  @export(interface)
  package mutating func name(_ word: StaticString, columns: Int) {
    if report.form == .lines { put(label(word, columns: 0).bytes, isAtRight: false, columns: columns) }
  }

  /// Adds a cell to a row.
  /// - Parameter columns: the width of the cell, in which numbers are right-aligned. 0 for the last one.
  @inline(never)
  package mutating func cell(_ key: StaticString, _ value: ReportValue, columns: Int = 0) {
    guard report.form == .lines else { return member(key, value) }
    put(text(value).bytes, isAtRight: value.isNumber, columns: columns)
  }

  /// Adds a cell with foreign text.
  @inline(never)
  package mutating func cell(_ key: StaticString, text: Span<UInt8>, columns: Int = 0) {
    guard report.form == .lines else { return member(key, text: text) }
    put(text, isAtRight: false, columns: columns)
  }

  /// Adds a cell that people read in different words, right-aligned.
  @inline(never)
  package mutating func cell(_ key: StaticString, _ value: ReportValue, as words: FixedText<96>, columns: Int = 0) {
    guard report.form == .lines else { return member(key, value) }
    put(words.bytes, isAtRight: true, columns: columns)
  }

  @inline(never)
  private mutating func put(_ text: Span<UInt8>, isAtRight: Bool, columns: Int) {
    // A cell that is wider than its column is still separated from its neighbour.
    let least = columns > 0 && !(isAtRight && report.line.isEmpty) ? 1 : 0
    var padding = max(columns - text.columnCount, least)
    while isAtRight, padding > 0 {
      report.line.append(" ")
      padding -= 1
    }
    report.line.append(bytes: text)
    for _ in 0..<padding { report.line.append(" ") }
  }

  /// The value as people read it.
  @inline(never)
  package func text(_ value: ReportValue) -> FixedText<64> {
    switch value {
    case .number(let number?): "\(grouped: number)"
    case .decimal(let number?, let decimals): "\(grouped: number, decimals: decimals)"
    case .size(let byteCount?): "\(size: byteCount)"
    case .word(let word): label(word, columns: 0)
    case .name(let name?): "\(name)"
    case .flag(let isSo?): label(isSo ? "yes" : "no", columns: 0)
    case .number(nil), .decimal(nil, _), .size(nil), .flag(nil), .name(nil): "-"
    }
  }

  /// Adds right-aligned words to a cell, which only people get.
  package mutating func shown(_ words: FixedText<96>, columns: Int = 0) {
    if report.form == .lines { put(words.bytes, isAtRight: true, columns: columns) }
  }

  /// Ends the row. If it does not fit into the object it is left out; without cells it has its own lines for people.
  @inline(never)
  package mutating func endRow() {
    guard report.form == .json else {
      guard !report.line.isEmpty else { return }
      while report.line.bytes.hasSuffix(" ") { report.line.truncate(to: report.line.byteCount - 1) }
      quote(report.line)
      return report.line.removeAll()
    }
    report.json.endObject()
    let mostByteCount = OpenReport.JSON.capacity - OpenReport.tailByteCount
    guard report.json.text.isTruncated || report.json.text.byteCount > mostByteCount else { return }
    report.json.takeBack(to: report.rowStart)
    report.leftOutCount += 1
  }

  package mutating func endRows() {
    guard report.form == .json else { return }
    report.json.endList()
    if report.leftOutCount > 0 { report.json.add("left_out", report.leftOutCount) }
  }

  @export(interface)
  package mutating func endReport() {
    endPart()
    complete()
  }

  /// Ends an object that others may follow.
  package mutating func endPart() {
    guard report.form == .json else { return }
    report.json.endObject()
    quote(report.json.text)
  }
}
