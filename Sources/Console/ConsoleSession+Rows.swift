import Base

extension ConsoleSession {
  /// Of a terminal.
  private static var columnCount: Int { CellScreen.columnCount }

  /// Prints one line of the reply; on a terminal in as many rows as it needs, each of whole words. What is redrawn in place
  /// keeps one row.
  /// - Parameter indentation: columns that every row but the first is away from the edge.
  package mutating func reply<let capacity: Int>(_ line: FixedText<capacity>, inRowsIndentedBy indentation: Int) {
    guard isTerminal, captured == nil else { return reply(line) }
    guard let translated = Messages.line(line.bytes, in: language) else { return putRows(line.bytes, indentation) }
    putRows(translated.bytes, indentation)
  }

  /// The same for a line in which nothing is a message.
  package mutating func quote<let capacity: Int>(_ line: FixedText<capacity>, inRowsIndentedBy indentation: Int) {
    guard isTerminal, captured == nil else { return quote(line) }
    putRows(line.bytes, indentation)
  }

  private mutating func putRows(_ line: Span<UInt8>, _ indentation: Int) {
    var rest = line
    var row = FixedText<1024>()
    while true {
      let end = rest.endOfRow(columns: Self.columnCount - row.byteCount)
      row.append(bytes: rest.extracting(first: end))
      quote(row)
      rest = rest.extracting(droppingFirst: min(end + 1, rest.count))
      guard rest.count > 0 else { return }
      row.removeAll()
      for _ in 0..<indentation { row.append(" ") }
    }
  }
}

extension Span where Element == UInt8 {
  /// Where the last space is before which everything fits; the end of a line that fits, or of one long word.
  fileprivate func endOfRow(columns: Int) -> Int {
    let fitting = byteCount(fittingColumns: columns)
    guard fitting < count else { return count }
    var end = fitting
    while end > 0, self[end] != UInt8(ascii: " ") { end -= 1 }
    var hasWord = false
    for index in 0..<end where self[index] != UInt8(ascii: " ") { hasWord = true }
    if hasWord { return end }
    end = fitting
    while end < count, self[end] != UInt8(ascii: " ") { end += 1 }
    return end
  }
}
