import Base

/// A search through the history for a text that is being typed.
struct HistorySearch {
  /// The line that was being typed before.
  let draft: LineEditor
  /// What is sought.
  private var text = FixedText<32>()
  /// The newest line with the text; nil before the first letter.
  private(set) var line: TypedLine?
  /// How many lines back that is.
  private var depth = 0
  private var isFound = true

  init(draft: LineEditor) { self.draft = draft }

  /// What stands before the line that was found.
  var prompt: Prompt { isFound ? "search \"\(text)\": " : "not found \"\(text)\": " }

  /// Goes on to the next older line.
  mutating func goOn(in history: inout History) {
    guard !text.isEmpty else { return }
    find(before: depth, in: &history)
  }

  mutating func append(_ scalar: Unicode.Scalar, in history: inout History) {
    var longer = text
    longer.append(scalar: scalar)
    guard !longer.isTruncated else { return }
    text = longer
    // The line that is shown may have the longer text, too.
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

  /// What was found before stays while nothing is found.
  private mutating func find(before depth: Int, in history: inout History) {
    let found = history.find(text.bytes, before: depth, shown: draft.text)
    isFound = found != nil
    guard let found else { return }
    line = found
    self.depth = history.depth
  }
}
