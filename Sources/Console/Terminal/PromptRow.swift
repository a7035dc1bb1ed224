import Base

/// The prompt's row on the screen: which part of the typed line is visible, and what must be sent to show a change.
///
/// A line that is wider than the row scrolls by half a row when the cursor leaves the visible part: the prompt never
/// takes a second row.
struct PromptRow {
  private struct Content {
    var text: TypedLine
    /// The width of the text before the cursor.
    var cursorColumn: Int

    /// Whether each byte takes one column.
    var isPlain: Bool {
      for index in text.bytes.indices where text.bytes[index] >= 0x80 { return false }
      return true
    }
  }

  var prompt: Prompt = "\(ConsoleMode.commands.prompt)"
  /// The terminal's width, as far as it is used; 80 as long as it is not known.
  var columnCount = 80 {
    didSet { columnCount = min(columnCount, Self.largestColumnCount) }
  }

  /// After a line of 3000 bytes an ``OutputPiece`` has 1096 left. Without control functions the row is written three
  /// times, once with blanks: 600 bytes, or 800 in Korean, with 3 bytes per 2 columns.
  private static let largestColumnCount = 200
  /// Whether the terminal can only move forward, and back to the start of the row.
  var isDumb = false
  /// Whether the row is empty.
  private var isEmpty = true
  /// Bytes of the line before the visible part.
  private var start = 0
  /// What the screen shows after the prompt; nil while that is unknown.
  private var shown: Content?

  /// The last column stays free: after writing there, terminals differ in where the cursor is.
  private var room: Int { max(columnCount - prompt.bytes.columnCount - 1, 2) }

  /// Makes the next change redraw the row.
  mutating func forget() { shown = nil }

  /// Begins a new row.
  mutating func begin() {
    shown = nil
    isEmpty = true
  }

  /// Scrolls back to the start for another line.
  mutating func rewind() { start = 0 }

  /// The output that draws the whole row, from its first column.
  mutating func redrawn(for line: LineEditor) -> OutputPiece {
    scroll(to: line)
    let content = content(of: line)
    shown = content
    defer { isEmpty = false }
    guard !isDumb else { return rewritten(content) }
    var drawing: OutputPiece = "\r"
    drawing.append(prompt)
    drawing.append(content.text)
    drawing.append("\u{1B}[K")
    move(
      from: content.text.bytes.columnCount, to: content.cursorColumn, isPlain: content.isPlain, in: &drawing)
    return drawing
  }

  /// The output that changes the row to show `line`: everything from the first character that differs.
  @export(interface)
  mutating func changed(to line: LineEditor) -> OutputPiece {
    guard let old = shown else { return redrawn(for: line) }
    scroll(to: line)
    let new = content(of: line)
    guard !isDumb || new.text.bytes.goesOn(from: old.text.bytes, cursors: old.cursorColumn, new.cursorColumn) else {
      return redrawn(for: line)
    }
    shown = new
    var drawing = OutputPiece()
    let sameByteCount = old.text.bytes.byteCount(ofCharactersSharedWith: new.text.bytes)
    let isPlain = old.isPlain && new.isPlain
    var column = old.cursorColumn
    if sameByteCount < max(old.text.byteCount, new.text.byteCount) {
      let first = new.text.bytes.extracting(first: sameByteCount).columnCount
      move(from: column, to: first, isPlain: isPlain, in: &drawing)
      drawing.append(bytes: new.text.bytes.extracting(droppingFirst: sameByteCount))
      column = new.text.bytes.columnCount
      if column < old.text.bytes.columnCount { drawing.append("\u{1B}[K") }
    }
    move(from: column, to: new.cursorColumn, isPlain: isPlain, in: &drawing)
    return drawing
  }

  /// The output that clears the row and leaves the cursor in its first column.
  var erased: OutputPiece {
    guard isDumb else { return "\r\u{1B}[K" }
    var drawing: OutputPiece = "\r"
    for _ in 1..<max(columnCount, 2) { drawing.append(" ") }
    drawing.append("\r")
    return drawing
  }

  /// Overwrites the row, and then writes up to the cursor again.
  private func rewritten(_ content: Content) -> OutputPiece {
    var drawing = isEmpty ? OutputPiece() : erased
    drawing.append(prompt)
    drawing.append(content.text)
    guard content.cursorColumn < content.text.bytes.columnCount else { return drawing }
    drawing.append("\r")
    drawing.append(prompt)
    let before = content.text.bytes.byteCount(fittingColumns: content.cursorColumn)
    drawing.append(bytes: content.text.bytes.extracting(first: before))
    return drawing
  }

  private func content(of line: LineEditor) -> Content {
    let visible = TypedLine(line.text.bytes.extracting(droppingFirst: start))
    return Content(
      text: TypedLine(visible.bytes.extracting(first: visible.bytes.byteCount(fittingColumns: room))),
      cursorColumn: line.before.bytes.extracting(droppingFirst: start).columnCount)
  }

  /// Makes the cursor and a character before it visible.
  @export(interface)
  private mutating func scroll(to line: LineEditor) {
    let before = line.before.bytes
    if before.columnCount + line.after.bytes.columnCount <= room { return start = 0 }
    if start == 0 || start < before.count, before.extracting(droppingFirst: start).columnCount <= room { return }
    start = before.count
    while start > 0 {
      let character = before.extracting(first: start).lastCharacterByteCount
      guard before.extracting(droppingFirst: start - character).columnCount <= room / 2 else { return }
      start -= character
    }
  }

  /// Moves the cursor between columns of the text: from the first column if the terminal may measure it differently.
  private func move(
    from column: Int, to newColumn: Int, isPlain: Bool, in drawing: inout OutputPiece
  ) {
    guard column != newColumn else { return }
    guard isPlain else {
      return drawing.append("\r\u{1B}[\(prompt.bytes.columnCount + newColumn)C" as FixedText<32>)
    }
    if newColumn > column {
      drawing.append("\u{1B}[\(newColumn - column)C" as FixedText<32>)
    } else if column - newColumn > 3 {
      drawing.append("\u{1B}[\(column - newColumn)D" as FixedText<32>)
    } else {
      for _ in newColumn..<column { drawing.append("\u{8}") }
    }
  }
}

/// The text before the typed line.
typealias Prompt = FixedText<64>

extension Span where Element == UInt8 {
  /// Whether text was only added at the end, with the cursor there before and after.
  fileprivate func goesOn(from old: Span<UInt8>, cursors oldColumn: Int, _ newColumn: Int) -> Bool {
    count >= old.count && extracting(first: old.count).equals(old) && oldColumn == old.columnCount
      && newColumn == columnCount
  }

  /// The byte count of the whole characters that both texts begin with.
  fileprivate func byteCount(ofCharactersSharedWith other: Span<UInt8>) -> Int {
    var end = 0
    while true {
      let rest = extracting(droppingFirst: end)
      let otherRest = other.extracting(droppingFirst: end)
      let byteCount = rest.firstCharacterByteCount
      guard byteCount > 0, byteCount == otherRest.firstCharacterByteCount,
        rest.extracting(first: byteCount).equals(otherRest.extracting(first: byteCount))
      else { return end }
      end += byteCount
    }
  }
}
