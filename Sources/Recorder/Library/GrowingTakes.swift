import Text

/// The takes that are being written, which are no part of the library yet.
struct GrowingTakes {
  /// As many as the recorder can have open.
  private var paths = InlineArray<4, FixedText<256>>(repeating: "")
  private var nextIndex = 0

  func contains(_ path: Span<UInt8>) -> Bool {
    for index in paths.indices where paths[index].bytes.equals(path) { return true }
    return false
  }

  /// When all places are taken, the oldest gives way.
  mutating func add(_ path: FixedText<256>) {
    guard !contains(path.bytes) else { return }
    for index in paths.indices where paths[index].isEmpty {
      paths[index] = path
      return
    }
    paths[nextIndex] = path
    nextIndex = (nextIndex + 1) % paths.count
  }

  mutating func remove(_ path: FixedText<256>) {
    for index in paths.indices where paths[index] == path { paths[index].removeAll() }
  }
}
