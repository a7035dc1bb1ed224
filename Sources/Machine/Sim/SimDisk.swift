/// How fast a simulated disk is.
package struct SimDisk: Sendable {
  /// What it takes a second; 0: all at once.
  package var bytesPerSecond: UInt64 = 0
  /// What a flush takes.
  package var flushNanoseconds: UInt64 = 0
  /// How long it does not answer, whenever it has taken ``stallByteCount`` more.
  package var stallNanoseconds: UInt64 = 0
  /// 0: it never stalls.
  package var stallByteCount: UInt64 = 0
  private var writtenByteCount: UInt64 = 0

  package init() {}

  /// - Returns: the nanoseconds that a write takes.
  mutating func write(byteCount: UInt64) -> UInt64 {
    let before = writtenByteCount
    writtenByteCount += byteCount
    var nanoseconds = bytesPerSecond > 0 ? byteCount * 1_000_000_000 / bytesPerSecond : 0
    if stallByteCount > 0 {
      nanoseconds += (writtenByteCount / stallByteCount - before / stallByteCount) * stallNanoseconds
    }
    return nanoseconds
  }
}
