/// A small terminal that implements the ECMA-48 control functions that the console may send, and rejects any other.
struct Screen {
  let columnCount: Int
  /// A cell holds a character with its combining characters; the right half of a wide one is empty.
  private(set) var rows: [[String]]
  private(set) var row = 0
  private(set) var column = 0
  private(set) var complaints: [String] = []
  private var sequence = ""

  init(columnCount: Int = 80) {
    self.columnCount = columnCount
    rows = [Self.blankRow(columnCount)]
  }

  private static func blankRow(_ columnCount: Int) -> [String] { Array(repeating: " ", count: columnCount) }

  /// A row's text without trailing blanks.
  func text(ofRow row: Int) -> String {
    var cells = rows[row][...]
    while cells.last == " " { cells.removeLast() }
    return cells.joined()
  }

  /// The text on the cursor's row, left of it.
  var textBeforeCursor: String { rows[row][..<column].joined() }

  mutating func show(_ text: String) {
    for scalar in text.unicodeScalars { show(scalar) }
  }

  private mutating func show(_ scalar: Unicode.Scalar) {
    if !sequence.isEmpty {
      sequence.unicodeScalars.append(scalar)
      let isFinal = scalar != "[" && scalar.value >= 0x40
      if isFinal { control() }
      return
    }
    switch scalar {
    case "\u{1B}": sequence = "\u{1B}"
    case "\r": column = 0
    case "\u{8}": column = max(column - 1, 0)
    case "\n": newLine()
    case "\0"..<" ": complaints.append("control \(scalar.value)")
    default: draw(scalar)
    }
  }

  /// The system's terminal driver adds a return before each line feed (`ONLCR`).
  private mutating func newLine() {
    column = 0
    row += 1
    if row == rows.count { rows.append(Self.blankRow(columnCount)) }
  }

  private mutating func control() {
    switch sequence.dropFirst() {
    case "[K":
      for index in column..<columnCount { rows[row][index] = " " }
    case "[H":
      (row, column) = (0, 0)
    case "[2J":
      rows = [Self.blankRow(columnCount)]
    case let text where text.hasSuffix("C"):
      column = min(column + (Int(text.dropFirst().dropLast()) ?? 1), columnCount - 1)
    case let text where text.hasSuffix("D"):
      column = max(column - (Int(text.dropFirst().dropLast()) ?? 1), 0)
    default:
      complaints.append("sequence \(sequence.dropFirst())")
    }
    sequence = ""
  }

  /// The width of a text in columns.
  static func columnCount(of text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + width($1) }
  }

  private mutating func draw(_ scalar: Unicode.Scalar) {
    let width = Self.width(scalar)
    guard width > 0 else {
      var base = column - 1
      while base > 0, rows[row][base].isEmpty { base -= 1 }
      rows[row][base].unicodeScalars.append(scalar)
      return
    }
    if column + width > columnCount {
      newLine()
      column = 0
    }
    rows[row][column] = String(scalar)
    if width == 2 { rows[row][column + 1] = "" }
    column += width
  }

  /// Enough for the characters that the tests type.
  private static func width(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x300..<0x370, 0x1160..<0x1200: 0
    case 0x1100..<0x1160, 0xAC00..<0xD7A4, 0x1F300..<0x1F650: 2
    default: 1
    }
  }
}
