import Base

/// A line that is being typed, as the text before and after the cursor.
struct LineEditor {
  private(set) var before = TypedLine()
  private(set) var after = TypedLine()

  var isEmpty: Bool { before.isEmpty && after.isEmpty }

  var text: TypedLine {
    var text = before
    text.append(after)
    return text
  }

  /// Replaces the line with `text`, and moves the cursor to its end.
  mutating func replace(with text: TypedLine) {
    before = text
    after.removeAll()
  }

  /// Inserts `text` at the cursor, unless the line would become longer than a command may be.
  mutating func insert<let capacity: Int>(_ text: FixedText<capacity>) {
    guard before.byteCount + after.byteCount + text.byteCount <= TypedLine.capacity else { return }
    before.append(text)
  }

  mutating func moveLeft() {
    let start = before.byteCount - before.bytes.lastCharacterByteCount
    var moved = TypedLine(before.bytes.extracting(droppingFirst: start))
    moved.append(after)
    after = moved
    before.truncate(to: start)
  }

  mutating func moveRight() {
    let end = after.bytes.firstCharacterByteCount
    before.append(bytes: after.bytes.extracting(first: end))
    after = FixedText(after.bytes.extracting(droppingFirst: end))
  }

  mutating func moveToStart() {
    after = text
    before.removeAll()
  }

  mutating func moveToEnd() { replace(with: text) }

  mutating func deleteBackward() {
    before.truncate(to: before.byteCount - before.bytes.lastCharacterByteCount)
  }

  mutating func deleteForward() {
    after = FixedText(after.bytes.extracting(droppingFirst: after.bytes.firstCharacterByteCount))
  }

  mutating func deleteToStart() { before.removeAll() }

  mutating func deleteToEnd() { after.removeAll() }

  /// Deletes the word before the cursor and the spaces after it.
  mutating func deleteWordBackward() {
    var end = before.byteCount
    let space = UInt8(ascii: " ")
    while end > 0, before.bytes[end - 1] == space { end -= 1 }
    while end > 0, before.bytes[end - 1] != space { end -= 1 }
    before.truncate(to: end)
  }
}
