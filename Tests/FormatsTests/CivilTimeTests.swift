import Foundation
import TestSupport
import Testing

@testable import Formats

@Suite struct CivilTimeTests {
  @Test("dates agree with Foundation's calendar through leap years and centuries")
  func dates() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    var generator = SeededGenerator(seed: 3)
    let turns: [UInt64] = [0, 951_782_399, 951_782_400, 4_107_542_399, 4_107_542_400]
    for seconds in turns + (0..<2_000).map({ _ in UInt64.random(in: 0..<9_000_000_000, using: &generator) }) {
      let date = Date(timeIntervalSince1970: Double(seconds))
      let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
      let time = CivilTime(unixSeconds: seconds)
      let ours = [time.year, time.month, time.day, time.hour, time.minute, time.second]
      #expect(ours == [parts.year, parts.month, parts.day, parts.hour, parts.minute, parts.second])
    }
  }
}
