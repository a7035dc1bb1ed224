import Base

/// The lines printed since the process was last healthy: a fault that repeats is printed once, and a process that
/// floods the console is muted.
struct ReportedLines {
  /// FNV-1a hashes of the lines (draft-eastlake-fnv). If two lines share one, a line is lost: a chance of 1 in 2^64.
  private var hashes = InlineArray<16, UInt64>(repeating: 0)
  private var count = 0

  /// Whether `line` is new and is to be printed; after 16 different ones none is.
  mutating func isNew(_ line: borrowing FixedText<256>) -> Bool {
    let hash = Self.hash(of: line)
    guard count < hashes.count else { return false }
    for index in 0..<count where hashes[index] == hash { return false }
    hashes[count] = hash
    count += 1
    return true
  }

  private static func hash(of line: borrowing FixedText<256>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in line.bytes.indices { hash = (hash ^ UInt64(line.bytes[index])) &* 0x0000_0100_0000_01B3 }
    return hash
  }
}
