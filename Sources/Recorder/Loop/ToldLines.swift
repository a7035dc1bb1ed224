import Text

/// Which lines have been told since things were last well: a fault that repeats is told once, and who does nothing but
/// talk is not listened to for ever.
struct ToldLines {
  /// A hash of each, FNV-1a (draft-eastlake-fnv). That two lines share one costs a line, once in 2^64.
  private var hashes = InlineArray<16, UInt64>(repeating: 0)
  private var count = 0

  /// Whether `line` has not been told yet, and is to be: after 16 different ones nothing is.
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
