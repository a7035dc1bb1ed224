import Base

/// A value of a report: a person reads it with units and grouped digits, a program as plain JSON. One that is not
/// known, or of which there is none, is nil: `-`, and `null`.
package enum ReportValue {
  case number(Int64?)
  case decimal(Double?, decimals: Int)
  /// Bytes.
  case size(UInt64?)
  /// A word of ours, which a person reads in their language.
  case word(StaticString)
  /// A name of ours, which is the same in every language.
  case name(StaticString?)
  case flag(Bool?)

  /// A number of any width.
  package static func count(_ count: (some FixedWidthInteger)?) -> ReportValue {
    .number(count.map { Int64(clamping: $0) })
  }

  /// Not known, or there is none.
  package static var none: ReportValue { .number(nil) }

  fileprivate var isNumber: Bool {
    switch self {
    case .number, .decimal, .size, .name(nil), .flag(nil): true
    case .word, .name, .flag: false
    }
  }
}

/// What of a report is written and not printed yet.
struct OpenReport {
  typealias JSON = JSONWriter<3000>

  var form = StatusForm.lines
  var line = FixedText<256>()
  var json = JSON()
  /// Where the row begins that is being written.
  var rowStart = 0
  var leftOutCount = 0

  static var labelColumns: Int { 24 }
  /// What follows the rows still fits behind them.
  static var tailByteCount: Int { 96 }
}

/// A report is described once, from ``beginReport(_:)`` to ``endReport()``: what it tells is printed as lines for a
/// person, or as one JSON object (RFC 8259) on one line.
///
/// Nothing of it is inlined: it stands in hundreds of places.
extension ConsoleSession {
  /// A report follows.
  package mutating func beginReport(_ form: StatusForm) { report = OpenReport(form: form) }

  /// A line of its own, for people alone.
  package mutating func line(_ text: @autoclosure () -> FixedText<256>) {
    if report.form == .lines { reply(text()) }
  }

  /// A fact of its own.
  @inline(never)
  package mutating func fact(_ label: StaticString, _ key: StaticString, _ value: ReportValue) {
    guard report.form == .lines else { return member(key, value) }
    report.line = FixedText(self.label(label, columns: OpenReport.labelColumns).bytes)
    report.line.append(text(value))
    endRow()
  }

  /// A fact that is a text from elsewhere; empty: it is not known.
  @inline(never)
  package mutating func fact(_ label: StaticString, _ key: StaticString, text: FixedText<32>) {
    guard !text.isEmpty else { return fact(label, key, .none) }
    guard report.form == .lines else { return member(key, text: text.bytes) }
    report.line = FixedText(self.label(label, columns: OpenReport.labelColumns).bytes)
    report.line.append(text)
    endRow()
  }

  /// A member for programs alone.
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

  /// A text from elsewhere, for programs alone.
  /// - Parameter emptyIsNull: whether an empty one is `null`.
  @inline(never)
  package mutating func member(_ key: StaticString, text: Span<UInt8>, emptyIsNull: Bool = false) {
    guard report.form == .json else { return }
    emptyIsNull && text.isEmpty ? report.json.addNull(key) : report.json.add(key, text: text)
  }

  /// The members up to ``endObject()`` are those of an object in the report.
  package mutating func beginObject(_ key: StaticString) {
    if report.form == .json { report.json.beginObject(key) }
  }

  /// The last member of an object was written.
  package mutating func endObject() {
    if report.form == .json { report.json.endObject() }
  }

  /// Rows follow.
  /// - Parameter head: above their columns; empty: none.
  package mutating func beginRows(_ key: StaticString, _ head: StaticString = "") {
    if report.form == .json { return report.json.beginList(key) }
    if head.utf8CodeUnitCount > 0 { self.head(head) }
  }

  /// What stands above columns, for people alone.
  package mutating func head(_ words: StaticString) {
    if report.form == .lines { quote(self.words(words)) }
  }

  /// A row follows.
  /// - Parameter key: of a row that is an object of its own, and in no list.
  package mutating func beginRow(_ key: StaticString? = nil) {
    report.rowStart = report.json.text.byteCount
    if report.form == .json { report.json.beginObject(key) }
  }

  /// Adds what a row is called, for people alone.
  @export(interface)
  package mutating func name(_ word: StaticString, columns: Int) {
    if report.form == .lines { put(label(word, columns: 0).bytes, isAtRight: false, columns: columns) }
  }

  /// Adds a cell to a row.
  /// - Parameter columns: of the cell; numbers stand at its right end. 0 for the last one.
  @inline(never)
  package mutating func cell(_ key: StaticString, _ value: ReportValue, columns: Int = 0) {
    guard report.form == .lines else { return member(key, value) }
    put(text(value).bytes, isAtRight: value.isNumber, columns: columns)
  }

  /// Adds a cell with a text that comes from elsewhere.
  @inline(never)
  package mutating func cell(_ key: StaticString, text: Span<UInt8>, columns: Int = 0) {
    guard report.form == .lines else { return member(key, text: text) }
    put(text, isAtRight: false, columns: columns)
  }

  /// Adds a cell that people read in other words, at its right end.
  @inline(never)
  package mutating func cell(_ key: StaticString, _ value: ReportValue, as words: FixedText<96>, columns: Int = 0) {
    guard report.form == .lines else { return member(key, value) }
    put(words.bytes, isAtRight: true, columns: columns)
  }

  @inline(never)
  private mutating func put(_ text: Span<UInt8>, isAtRight: Bool, columns: Int) {
    // What is wider than its column is still apart from its neighbour.
    let least = columns > 0 && !(isAtRight && report.line.isEmpty) ? 1 : 0
    var padding = max(columns - text.columnCount, least)
    while isAtRight, padding > 0 {
      report.line.append(" ")
      padding -= 1
    }
    report.line.append(bytes: text)
    for _ in 0..<padding { report.line.append(" ") }
  }

  /// As a person reads a value.
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

  /// Adds words at the right end of a cell, for people alone.
  package mutating func shown(_ words: FixedText<96>, columns: Int = 0) {
    if report.form == .lines { put(words.bytes, isAtRight: true, columns: columns) }
  }

  /// The row is complete. One that does not fit into the object is left out; one without cells is told to people by
  /// lines of its own.
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

  /// The last row was written.
  package mutating func endRows() {
    guard report.form == .json else { return }
    report.json.endList()
    if report.leftOutCount > 0 { report.json.add("left_out", report.leftOutCount) }
  }

  /// Ends the reply.
  @export(interface)
  package mutating func endReport() {
    endPart()
    complete()
  }

  /// Ends an object, after which others may follow.
  package mutating func endPart() {
    guard report.form == .json else { return }
    report.json.endObject()
    quote(report.json.text)
  }
}
