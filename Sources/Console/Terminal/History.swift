import Base

/// The last lines that were entered, for recalling them.
struct History {
  private static let capacity = 32

  private var lines = InlineArray<32, TypedLine>(repeating: FixedText())
  /// The number of lines ever entered; the newest is at `addedCount - 1`, modulo the capacity.
  private(set) var addedCount = 0
  /// How many lines back the current one is; 0 for the line being typed.
  private(set) var depth = 0
  /// The line that was being typed before going back.
  private var draft = TypedLine()

  /// Adds a line, unless it is blank or equal to the newest, and returns to the line being typed.
  mutating func add(_ line: TypedLine) {
    depth = 0
    guard !line.isEmpty, addedCount == 0 || line != self.line(back: 1) else { return }
    lines[addedCount % Self.capacity] = line
    addedCount += 1
  }

  /// The line before the shown one; nil if there is none.
  mutating func older(than shown: TypedLine) -> TypedLine? {
    guard depth < min(addedCount, Self.capacity) else { return nil }
    if depth == 0 { draft = shown }
    depth += 1
    return line(back: depth)
  }

  /// The line after the shown one, and at last the one being typed; nil if that is shown.
  mutating func newer() -> TypedLine? {
    guard depth > 0 else { return nil }
    depth -= 1
    return depth == 0 ? draft : line(back: depth)
  }

  /// Adds the lines of a text; anything that is not a valid line is ignored.
  mutating func restore(_ text: Span<UInt8>) {
    var reader = LineReader()
    for index in text.indices {
      if case .line(let line) = reader.next(text[index]) { add(line) }
    }
  }

  /// The newest lines that fit, oldest first, each with its line end, without those that may contain a password.
  func newestLines<let capacity: Int>() -> FixedText<capacity> {
    var back = 0
    var byteCount = 0
    while back < min(addedCount, Self.capacity) {
      byteCount += line(back: back + 1).byteCount + 1
      guard byteCount <= capacity else { break }
      back += 1
    }
    var text = FixedText<capacity>()
    while back > 0 {
      let line = line(back: back)
      if !line.mayHavePassword {
        text.append(line)
        text.append("\n")
      }
      back -= 1
    }
    return text
  }

  /// Makes the line being typed the current one again.
  mutating func returnToDraft() { depth = 0 }

  /// The newest line before the one `depth` lines back that contains a text; it becomes the current one.
  /// - Parameter shown: the line being typed, if `depth` is 0.
  mutating func find(_ text: Span<UInt8>, before depth: Int, shown: TypedLine) -> TypedLine? {
    guard depth < min(addedCount, Self.capacity) else { return nil }
    for back in depth + 1...min(addedCount, Self.capacity) where line(back: back).bytes.contains(text) {
      if self.depth == 0 { draft = shown }
      self.depth = back
      return line(back: back)
    }
    return nil
  }

  private func line(back: Int) -> TypedLine {
    lines[(addedCount - back) % Self.capacity]
  }
}

extension TypedLine {
  /// Whether the line contains an address with a user name (RFC 3986, section 3.2.1).
  fileprivate var mayHavePassword: Bool {
    bytes.contains(("://" as StaticString).utf8Bytes) && bytes.contains(("@" as StaticString).utf8Bytes)
  }
}

/// A search through the history for a text that is being typed.
struct HistorySearch {
  /// The line that was being typed before the search.
  let draft: LineEditor
  /// The text to search for.
  private var text = FixedText<32>()
  /// The newest line with the text; nil before the first letter.
  private(set) var line: TypedLine?
  /// How many lines back that line is.
  private var depth = 0
  private var isFound = true

  init(draft: LineEditor) { self.draft = draft }

  /// The prompt before the line that was found.
  var prompt: Prompt { isFound ? "search \"\(text)\": " : "not found \"\(text)\": " }

  /// Continues with the next older match.
  mutating func goOn(in history: inout History) {
    guard !text.isEmpty else { return }
    find(before: depth, in: &history)
  }

  mutating func append(_ scalar: Unicode.Scalar, in history: inout History) {
    var longer = text
    longer.append(scalar: scalar)
    guard !longer.isTruncated else { return }
    text = longer
    // The shown line may contain the longer text as well.
    find(before: max(depth - 1, 0), in: &history)
  }

  mutating func removeLast(in history: inout History) {
    text.truncate(to: text.byteCount - text.bytes.lastCharacterByteCount)
    if text.isEmpty {
      self = HistorySearch(draft: draft)
    } else {
      find(before: 0, in: &history)
    }
  }

  /// Keeps the last match if nothing is found.
  private mutating func find(before depth: Int, in history: inout History) {
    let found = history.find(text.bytes, before: depth, shown: draft.text)
    isFound = found != nil
    guard let found else { return }
    line = found
    self.depth = history.depth
  }
}
