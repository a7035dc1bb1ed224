import Base

extension TakeJournal {
  /// The journal's own path in the data folder.
  package static var path: FixedText<128> { "state" }

  /// The most bytes that a journal has: a number, a rotation and eight paths with their lengths and their sound take at
  /// most 33 + 32 + 8 × (136 + 33 + 41) = 1,745, the take that is being recorded 141 + 31 = 172 and two times 26 more.
  package static var largestByteCount: Int { 2048 }

  /// Whether a journal lists a file as open, or one in a folder. It is listed before it exists, and until it is complete.
  /// - Parameters:
  ///   - path: of the file or the folder.
  ///   - bytes: the journal as another thread reads it from the data folder.
  package static func hasOpenFile(at path: borrowing FixedText<128>, journal bytes: Span<UInt8>) -> Bool {
    let line: FixedText<160> = "open = \(copy path)"
    var start = 0
    for index in 0...bytes.count where index == bytes.count || bytes[index] == UInt8(ascii: "\n") {
      let listed = bytes.extracting(start..<index)
      start = index + 1
      guard listed.starts(with: line.bytes) else { continue }
      if listed.count == line.byteCount || listed[line.byteCount] == UInt8(ascii: "/") { return true }
    }
    return false
  }
}
