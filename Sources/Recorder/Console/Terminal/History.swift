import Text

/// The last lines that were entered, to be gone through from the newest.
struct History {
  private static let capacity = 16

  private var lines = InlineArray<16, TypedLine>(repeating: FixedText())
  /// How many lines there have been in all; the newest lies at `addedCount - 1`, modulo the capacity.
  private var addedCount = 0
  /// How many lines back we are looking; 0 at the line that is being typed.
  private var depth = 0
  /// What was being typed before we looked back.
  private var draft = TypedLine()

  /// Keeps a line, unless it is blank or the newest once more; the next look begins from here.
  mutating func add(_ line: TypedLine) {
    depth = 0
    guard !line.isEmpty, addedCount == 0 || line != self.line(back: 1) else { return }
    lines[addedCount % Self.capacity] = line
    addedCount += 1
  }

  /// The line before the one that is shown; nil when there is none.
  mutating func older(than shown: TypedLine) -> TypedLine? {
    guard depth < min(addedCount, Self.capacity) else { return nil }
    if depth == 0 { draft = shown }
    depth += 1
    return line(back: depth)
  }

  /// The line after the one that is shown, in the end the one that was being typed; nil when that is shown.
  mutating func newer() -> TypedLine? {
    guard depth > 0 else { return nil }
    depth -= 1
    return depth == 0 ? draft : line(back: depth)
  }

  private func line(back: Int) -> TypedLine {
    lines[(addedCount - back) % Self.capacity]
  }
}
