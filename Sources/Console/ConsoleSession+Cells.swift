import Base
import Machine

/// Text that is redrawn in place: `top` and `watch`.
extension ConsoleSession {
  /// The rows that can be drawn in; events scroll below them.
  package static var cellRowCount: Int { CellScreen.rowCount }

  /// Whether a terminal of this size has space for the cells and some events.
  package func canDrawCells(on size: TerminalSize) -> Bool {
    isTerminal && !looks.isDumb && size.columns >= CellScreen.columnCount && size.rows >= CellScreen.rowCount + 2
  }

  /// Notes that the terminal has just been cleared.
  package mutating func clearCells() { cells.clear() }

  /// Sets a row to a message.
  @export(interface)
  package mutating func putRow(_ line: FixedText<256>, at row: Int, _ style: CellStyle = .plain) {
    putRow(line.bytes, at: row, style)
  }

  /// Sets a part of a row to text that is not a message.
  package mutating func put(_ text: FixedText<256>, row: Int, columns: Range<Int>, _ style: CellStyle = .plain) {
    cells.put(text.bytes, row: row, columns: columns, style)
  }

  /// Sets a part of a row to right-aligned text that is not a message.
  package mutating func putRight(_ text: FixedText<256>, row: Int, columns: Range<Int>, _ style: CellStyle = .plain) {
    let width = min(text.bytes.columnCount, columns.count)
    put("", row: row, columns: columns.lowerBound..<columns.upperBound - width)
    put(text, row: row, columns: columns.upperBound - width..<columns.upperBound, style)
  }

  /// Prints the rows that were set as lines of the reply.
  package mutating func replyCells() {
    for row in 0..<CellScreen.rowCount {
      let line = cells.text(ofRow: row)
      if !line.isEmpty { quote(line) }
    }
  }

  /// A message, left-aligned in this many columns.
  @export(interface)
  package func label(_ message: StaticString, columns: Int) -> FixedText<64> {
    var text = FixedText<64>(words(message).bytes)
    for _ in text.bytes.columnCount..<max(columns, text.bytes.columnCount) { text.append(" ") }
    return text
  }

  /// Redraws the row with the cursor, with a message or with other text.
  package mutating func drawRow(_ line: FixedText<160>) {
    let text = FixedText<240>(translated(line.bytes).bytes)
    var row: FixedText<256> = looks.isDumb ? "\r" : "\r\u{1B}[K"
    row.append(text)
    if looks.isDumb {
      for _ in text.bytes.columnCount..<max(text.bytes.columnCount, CellScreen.columnCount - 1) { row.append(" ") }
      if text.isEmpty { row.append("\r") }
    }
    _ = draw(row.bytes)
    endDrawing()
  }

  /// The display's words in the console's language.
  package func displayed(_ words: StaticString) -> FixedText<48> { Messages.displayed("\(words)", in: language) }

  func translated(_ line: Span<UInt8>) -> Messages.Line {
    Messages.line(line, in: language, mayBeMarked: true) ?? Messages.Line(line)
  }

  private mutating func putRow(_ line: Span<UInt8>, at row: Int, _ style: CellStyle) {
    guard row < CellScreen.rowCount else { return }
    putWords(translated(line).bytes, at: row, style)
  }

  /// Sets a row to words. Words that do not fit are replaced by dots.
  private mutating func putWords(_ line: Span<UInt8>, at row: Int, _ style: CellStyle) {
    let columns = 0..<CellScreen.columnCount
    guard line.columnCount > columns.count else { return cells.put(line, row: row, columns: columns, style) }
    let room = columns.count - 4
    let end = min(line.endOfRow(columns: room), line.byteCount(fittingColumns: room))
    var words = FrameText(line.extracting(first: end))
    words.append(looks.hasBlocks ? " …" : " ...")
    cells.put(words.bytes, row: row, columns: columns, style)
  }

  /// Sends a part of the changes, if the line has taken what was sent before: a slow line gets less, and a dead one
  /// nothing.
  @export(interface)
  package mutating func sendCells() {
    guard hasSentDrawing else { return }
    var frame: FrameText = "\u{1B}7"
    let start = frame.byteCount
    cells.appendChanges(to: &frame, atMost: frameByteCount - 2, looks)
    guard frame.byteCount > start else { return }
    frame.append("\u{1B}8")
    _ = draw(frame.bytes)
    endDrawing()
  }

  /// Begins a command whose reply is drawn in place instead of printed. ``pending`` is then `watch` again.
  package mutating func beginCapture(of line: FixedText<128>) { captured = CapturedReply(line: line) }

  /// The command in a line that was not typed here; nil if it has none.
  @inline(never)
  package func command(in line: Span<UInt8>) throws(CommandError) -> Command? {
    try CommandParser.parse(FixedText(line))
  }

  /// - Returns: the command whose reply is to be drawn, once.
  mutating func takeCaptured() -> ConsoleRequest? {
    guard let line = captured?.line, captured?.hasBegun == false else { return nil }
    guard let command = try? command(in: line.bytes) else { return nil }
    captured?.hasBegun = true
    pending = .running
    return .command(command)
  }

  /// - Parameter line: the line in the console's language.
  /// - Returns: false if it is to be printed.
  mutating func capture(_ line: Span<UInt8>) -> Bool {
    guard let captured, captured.hasBegun else { return false }
    if captured.row < CellScreen.rowCount {
      putWords(line, at: captured.row, .plain)
    }
    self.captured?.row += 1
    return true
  }

  /// - Returns: false if the end of the reply is to be printed.
  mutating func endCapture() -> Bool {
    guard let captured, captured.hasBegun else { return false }
    for row in captured.row..<max(captured.row, CellScreen.rowCount) { putRow("", at: row) }
    self.captured = nil
    pending = .watch
    return true
  }
}

/// A reply that is drawn in place.
struct CapturedReply {
  let line: FixedText<128>
  var hasBegun = false
  /// The row in which the next line is drawn.
  var row = 0
}

extension ConsoleSession {
  /// The width of a terminal.
  private static var columnCount: Int { CellScreen.columnCount }

  /// Prints one line of the reply; on a terminal in as many rows as it needs, each of whole words. A reply that is
  /// redrawn in place keeps to one row.
  /// - Parameter indentation: the columns by which every row but the first is indented.
  package mutating func reply<let capacity: Int>(_ line: FixedText<capacity>, inRowsIndentedBy indentation: Int) {
    guard isTerminal, captured == nil else { return reply(line) }
    guard let translated = Messages.line(line.bytes, in: language) else { return putRows(line.bytes, indentation) }
    putRows(translated.bytes, indentation)
  }

  /// The same for a line that contains no message.
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
  /// The offset of the last space before which everything fits; the end of a line that fits, or of one long word.
  func endOfRow(columns: Int) -> Int {
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

/// Pictures, which go out unchanged and with nothing between their bytes.
extension ConsoleSession {
  /// How much of a picture a serial line is given ahead of time: half a second at 9600 baud, and more than it sends in
  /// a tick of 5 ms at 921,600. Bytes given to the line cannot be taken back when a key ends the picture.
  private static let drawnAheadByteCount = 512

  /// Whether a picture is being drawn.
  var isDrawing: Bool { drawnByteCount != nil }

  /// How much of a picture the line may be given now.
  func drawingSpace(on line: borrowing some ConsoleLineDriver & ~Copyable) -> Int {
    guard let unsent = line.unsentByteCount else { return .max }
    return max(Self.drawnAheadByteCount - unsent, 0)
  }

  /// Sends a part of a picture unchanged. Until ``endDrawing()`` nothing else is printed.
  /// - Returns: how many bytes were taken; the rest must be sent at a later tick.
  package mutating func draw(_ bytes: Span<UInt8>) -> Int {
    let count = output.appendPart(of: bytes, keepingFree: Self.lastLineReserveByteCount)
    drawnByteCount = (drawnByteCount ?? 0) + count
    return count
  }

  /// Sends a few bytes before, after or between pictures, for which there is always space.
  package mutating func draw(_ text: StaticString) {
    let isTaken = output.append(text.utf8Bytes, keepingFree: 0)
    drawnByteCount = (drawnByteCount ?? 0) + (isTaken ? text.utf8CodeUnitCount : 0)
  }

  /// Whether the line has taken all of the picture.
  package var hasSentDrawing: Bool { output.isEmpty }

  /// Drops the part of the picture that the line has not taken, and ends a colour or sixels that it breaks off in.
  package mutating func breakOffDrawing() {
    output.removeLast(drawnByteCount ?? 0)
    drawnByteCount = 0
    draw(looks.isDumb ? "\n" : "\u{1B}\\\u{1B}[0m")
  }

  /// Ends the picture: prints the events that came meanwhile.
  package mutating func endDrawing() {
    drawnByteCount = nil
    reportEvents()
  }
}
