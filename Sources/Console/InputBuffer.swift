import Board

/// Bytes that came in and wait until the command before them is done.
struct InputBuffer {
  private var storage = InlineArray<512, UInt8>(repeating: 0)
  private var start = 0
  private var end = 0
  /// Nothing can come any more.
  private(set) var hasEnded = false

  var isEmpty: Bool { start == end }

  /// Takes what `line` has, as far as there is room.
  mutating func refill(from line: inout some ConsoleLine & ~Copyable) {
    if isEmpty {
      start = 0
      end = 0
    }
    guard end < storage.count, !hasEnded else { return }
    var bytes = storage.mutableSpan
    var rest = bytes._mutatingExtracting(droppingFirst: end)
    // Sound: any byte makes a valid UInt8.
    var room = unsafe rest.mutableBytes
    if let byteCount = line.read(into: &room) { end += byteCount } else { hasEnded = true }
  }

  mutating func next() -> UInt8? {
    guard start < end else { return nil }
    defer { start += 1 }
    return storage[start]
  }

  func contains(_ byte: UInt8) -> Bool {
    for index in start..<end where storage[index] == byte { return true }
    return false
  }

  mutating func removeAll() { start = end }
}
