/// Whether the recorder's memory is locked, and nothing is taken from the heap.
struct MemoryTest {
  /// Cut at the start.
  let cutByteCount: UInt64
  /// Nil when the system does not tell.
  let lockedByteCount: UInt64?
  /// Since the start.
  let heapCallCount: UInt64

  var result: TestResult {
    let (verdict, remark) = judge
    var result = TestResult(.memory, verdict, remark)
    result.add("allocated", "cut_bytes", .size(cutByteCount))
    result.add("locked", "locked_bytes", lockedByteCount.map { .size($0) } ?? .none)
    result.add("heap calls", "heap_calls", .count(heapCallCount))
    return result
  }

  private var judge: (TestVerdict, TestRemark?) {
    if heapCallCount > 0 { return (.fail, .heapUsed) }
    guard let lockedByteCount else { return (.skipped, .unknownMemory) }
    return lockedByteCount < cutByteCount ? (.tight, .notLocked) : (.pass, nil)
  }
}
