import Machine

/// The other side of the console: supplies what a test types, and keeps the output.
struct FakeLine: ConsoleLineDriver {
  let isTerminal: Bool
  var terminalSize = TerminalSize.usual
  /// Bytes typed but not yet read.
  var typed: [UInt8] = []
  /// Whether the input has ended.
  var hasEnded = false
  /// How many bytes one call transfers.
  var largestRead = 512
  var largestWrite = Int.max
  var said: [UInt8] = []

  init(isTerminal: Bool) { self.isTerminal = isTerminal }

  mutating func read(into room: inout MutableRawSpan) -> Int? {
    let count = min(typed.count, room.byteCount, largestRead)
    if count == 0, hasEnded, typed.isEmpty { return nil }
    for index in 0..<count { room.storeBytes(of: typed[index], toByteOffset: index, as: UInt8.self) }
    typed.removeFirst(count)
    return count
  }

  mutating func write(_ bytes: RawSpan) -> Int {
    let count = min(bytes.byteCount, largestWrite)
    for index in 0..<count { said.append(unsafe bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self)) }
    return count
  }
}
