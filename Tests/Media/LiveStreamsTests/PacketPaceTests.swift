import Base
import TestSupport
import Testing
import Wire

/// When the packets of a file are sent.
@Suite struct PacketPaceTests {
  private static let millisecond: Int64 = 1_000_000

  /// When each packet is sent, in milliseconds, if the receiver always has room.
  private static func dues(_ times: [Int64?], duration: Int64 = 20, byteCount: Int = 400) -> [Int64] {
    var pace = PacketPace(at: Instant(0))
    var now = Instant(0)
    return times.map { time in
      now = pace.due(
        time: time.map { $0 &* millisecond }, duration: duration * millisecond, byteCount: byteCount, at: now)
      return Int64(now.rawValue) / millisecond
    }
  }

  @Test("packets go out at the distance of their times, wherever those begin, and by their durations without times")
  func atTheirTimes() {
    #expect(Self.dues([0, 20, 60, 80]) == [0, 20, 60, 80])
    #expect(Self.dues([-500, -480, 1, 2]) == [0, 20, 501, 502])
    #expect(Self.dues([nil, nil, nil]) == [0, 20, 40])
    #expect(Self.dues([7, nil, 47]) == [0, 20, 60])
  }

  @Test("times that jump, go back or stand still neither hold the file up for long nor let it run away")
  func wildTimes() {
    // A delay of a second at most, and no packet before its predecessor.
    #expect(Self.dues([0, 3_600_000, 20, 40]) == [0, 1_000, 1_000, 1_020])
    // 2 MB a second: half a million packets of 4,000 bytes would take 1,000 s.
    #expect(Self.dues([0, 0, 0, 0], byteCount: 4_000) == [0, 2, 4, 6])
    #expect(Self.dues([nil, nil], duration: .min / 1_000_000, byteCount: 4_000) == [0, 2])
    var pace = PacketPace(at: Instant(0))
    for time in [Int64.min, .max, .min, 0] {
      #expect(pace.due(time: time, duration: .max, byteCount: 0, at: Instant(0)).rawValue <= 3_000_000_000)
    }
  }

  @Test("a new pass begins when the packet before it has lasted")
  func rewinds() {
    var pace = PacketPace(at: Instant(0))
    _ = pace.due(time: 90 * Self.millisecond, duration: 26 * Self.millisecond, byteCount: 400, at: Instant(0))
    pace.rewind()
    let due = pace.due(time: 0, duration: 26 * Self.millisecond, byteCount: 400, at: Instant(0))
    #expect(due.rawValue == 26_000_000)
  }

  @Test("after a wait at most two seconds are sent at once")
  func catchesUp() {
    var pace = PacketPace(at: Instant(0))
    let later = Instant(60_000_000_000)
    for index in 0..<200 {
      let due = pace.due(
        time: Int64(index) * 20 * Self.millisecond, duration: 20 * Self.millisecond, byteCount: 400, at: later)
      #expect(due.rawValue == 58_000_000_000 + UInt64(index) * 20_000_000)
    }
  }
}
