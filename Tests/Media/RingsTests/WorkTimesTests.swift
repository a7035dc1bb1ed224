import TestSupport
import Testing

@testable import Base

@Suite struct WorkTimesTests {
  @Test("Times that several threads record are all counted, and reset forgets them")
  func counts() async throws {
    var memory = leakedBootMemory()
    let times = try #require(WorkTimes(in: &memory, clock: { 5_000 }))
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask { for start in 0..<5_000 as Range<UInt64> { times.end(start) } }
      }
    }
    // The first 1,001 of each began 4 or 5 µs before.
    #expect(times.histogram.totalCount == 20_000 && times.histogram.maximumMicroseconds == 5)
    #expect(times.histogram.count(inBucket: 0) == 4 * 999 && times.histogram.count(inBucket: 4) == 4_000)
    times.reset()
    #expect(times.histogram.totalCount == 0 && times.histogram.percentile(permille: 999) == 0)
  }
}
