import Base
import Console

/// A value of a listing: a person reads it with units and grouped digits, a program as plain JSON.
enum ListedValue {
  /// It is not known, or there is none.
  case none
  case number(Int64)
  case decimal(Double, decimals: Int)
  /// Bytes.
  case size(UInt64)
  /// A word of ours, which a person reads in their language.
  case word(StaticString)
  /// A name of ours, which is the same in every language.
  case name(StaticString)
  case flag(Bool)

  static func count(_ count: some FixedWidthInteger) -> ListedValue { .number(Int64(clamping: count)) }

  /// As a person reads it.
  @inline(never)
  func text(_ console: borrowing ConsoleSession) -> FixedText<64> {
    switch self {
    case .none: "-"
    case .number(let number): "\(grouped: number)"
    case .decimal(let number, let decimals): "\(grouped: number, decimals: decimals)"
    case .size(let byteCount): "\(size: byteCount)"
    case .word(let word): console.label(word, columns: 0)
    case .name(let name): "\(name)"
    case .flag(let isSo): console.label(isSo ? "yes" : "no", columns: 0)
    }
  }

  fileprivate var isNumber: Bool {
    switch self {
    case .none, .number, .decimal, .size: true
    case .word, .name, .flag: false
    }
  }
}

/// Writes the reply of a listing: single facts, and rows of a table; as lines for a person, or as one JSON object (RFC 8259)
/// on one line. Both come from the same values.
///
/// Nothing of it is inlined: it stands in a hundred places.
struct ListingWriter {
  private let form: StatusForm
  private var line = FixedText<256>()
  private var json: FixedText<3000> = "{"
  /// Where the row begins that is being written.
  private var rowStart = 0
  private var leftOutCount = 0

  private static var labelColumns: Int { 24 }
  /// What follows the rows still fits behind them.
  private static var tailByteCount: Int { 96 }

  init(_ form: StatusForm) { self.form = form }

  /// A fact of its own.
  @inline(never)
  mutating func fact(
    _ label: StaticString, _ key: StaticString, _ value: ListedValue, _ console: inout ConsoleSession
  ) {
    if form == .lines { line = FixedText(console.label(label, columns: Self.labelColumns).bytes) }
    cell(key, value, console)
    if form == .lines { print(&console) }
  }

  /// A fact that is a text from elsewhere.
  @inline(never)
  mutating func fact(
    _ label: StaticString, _ key: StaticString, text: FixedText<32>, _ console: inout ConsoleSession
  ) {
    if form == .lines { line = FixedText(console.label(label, columns: Self.labelColumns).bytes) }
    cell(key, text: text.bytes)
    if form == .lines { print(&console) }
  }

  /// Rows follow.
  /// - Parameter head: above their columns.
  mutating func beginRows(_ key: StaticString, _ head: StaticString, _ console: inout ConsoleSession) {
    switch form {
    case .lines: console.quote(console.words(head))
    case .json:
      member(key)
      json.append("[")
    }
  }

  /// A row follows.
  mutating func beginRow() {
    rowStart = json.byteCount
    if form == .json { json.append(hasMember ? ",{" : "{") }
  }

  /// Adds a cell to a row.
  /// - Parameter columns: of the cell; numbers stand at its right end. 0 for the last one.
  @inline(never)
  mutating func cell(
    _ key: StaticString, _ value: ListedValue, columns: Int = 0, _ console: borrowing ConsoleSession
  ) {
    if form == .json {
      member(key)
      return append(value)
    }
    put(value.text(console).bytes, isAtRight: value.isNumber, columns: columns)
  }

  /// Adds a cell with a text that comes from elsewhere.
  @inline(never)
  mutating func cell(_ key: StaticString, text: Span<UInt8>, columns: Int = 0) {
    guard form == .json else { return put(text, isAtRight: false, columns: columns) }
    member(key)
    append(quoted: text)
  }

  @inline(never)
  private mutating func put(_ text: Span<UInt8>, isAtRight: Bool, columns: Int) {
    // What is wider than its column is still apart from the next.
    var padding = max(columns - ConsoleSession.columnCount(of: text), columns > 0 ? 1 : 0)
    while isAtRight, padding > 0 {
      line.append(" ")
      padding -= 1
    }
    line.append(bytes: text)
    for _ in 0..<padding { line.append(" ") }
  }

  @inline(never)
  private mutating func print(_ console: inout ConsoleSession) {
    while !line.isEmpty, line.bytes[line.byteCount - 1] == UInt8(ascii: " ") { line.truncate(to: line.byteCount - 1) }
    console.quote(line)
    line.removeAll()
  }

  /// The row is complete. One that does not fit into the object is left out.
  @inline(never)
  mutating func endRow(_ console: inout ConsoleSession) {
    guard form == .json else { return print(&console) }
    json.append("}")
    guard json.isTruncated || json.byteCount > 3000 - Self.tailByteCount else { return }
    var whole = FixedText<3000>()
    whole.append(bytes: json.bytes.extracting(first: rowStart))
    json = whole
    leftOutCount += 1
  }

  /// The last row was written.
  mutating func endRows() {
    guard form == .json else { return }
    json.append("]")
    guard leftOutCount > 0 else { return }
    member("left_out")
    append(.count(leftOutCount))
  }

  /// Ends the reply.
  mutating func end(_ console: inout ConsoleSession) {
    endLine(&console)
    console.complete()
  }

  /// Ends an object, after which others may follow.
  mutating func endLine(_ console: inout ConsoleSession) {
    guard form == .json else { return }
    json.append("}")
    console.quote(json)
  }

  private var hasMember: Bool {
    let last = json.bytes[json.byteCount - 1]
    return last != UInt8(ascii: "{") && last != UInt8(ascii: "[")
  }

  @inline(never)
  private mutating func member(_ key: StaticString) {
    if hasMember { json.append(",") }
    json.append("\"")
    json.append(key)
    json.append("\":")
  }

  @inline(never)
  private mutating func append(_ value: ListedValue) {
    switch value {
    case .none: json.append("null")
    case .number(let number): json.append(integer: number)
    case .decimal(let number, let decimals): json.append(number, decimals: decimals)
    case .size(let byteCount): json.append(integer: byteCount)
    case .flag(let isSo): json.append(isSo ? "true" : "false")
    case .word(let word), .name(let word): append(quoted: word.utf8Bytes)
    }
  }

  @inline(never)
  private mutating func append(quoted text: Span<UInt8>) {
    json.append("\"")
    json.append(jsonEscaped: text)
    json.append("\"")
  }
}
