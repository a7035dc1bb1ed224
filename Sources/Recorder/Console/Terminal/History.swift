import Text

/// The last lines that were entered, for going back through them.
struct History {
  private static let capacity = 16

  private var lines = InlineArray<16, TypedLine>(repeating: FixedText())
  /// The number of lines ever entered; the newest is at `addedCount - 1`, modulo the capacity.
  private var addedCount = 0
  /// How many lines back the present one is; 0 for the line that is being typed.
  private var depth = 0
  /// The line that was being typed before going back.
  private var draft = TypedLine()

  /// Adds a line, unless it is blank or equal to the newest, and returns to the line that is being typed.
  mutating func add(_ line: TypedLine) {
    depth = 0
    guard !line.isEmpty, addedCount == 0 || line != self.line(back: 1) else { return }
    lines[addedCount % Self.capacity] = line
    addedCount += 1
  }

  /// The line before the shown one; nil when there is none.
  mutating func older(than shown: TypedLine) -> TypedLine? {
    guard depth < min(addedCount, Self.capacity) else { return nil }
    if depth == 0 { draft = shown }
    depth += 1
    return line(back: depth)
  }

  /// The line after the shown one, at the end the one that was being typed; nil when that is shown.
  mutating func newer() -> TypedLine? {
    guard depth > 0 else { return nil }
    depth -= 1
    return depth == 0 ? draft : line(back: depth)
  }

  private func line(back: Int) -> TypedLine {
    lines[(addedCount - back) % Self.capacity]
  }
}
