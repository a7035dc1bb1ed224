import Base
import Foundation
import TestSupport
import Testing

@Suite struct CivilTimeTests {
  private static func foundation(_ unixSeconds: Int64, _ offset: Int32) throws -> DateComponents {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: Int(offset)))
    let date = Date(timeIntervalSince1970: Double(unixSeconds))
    return calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
  }

  private static func expectAgreement(_ unixSeconds: Int64, _ offset: Int32) throws {
    let time = CivilTime(unixSeconds: unixSeconds, utcOffsetSeconds: offset)
    let expected = try foundation(unixSeconds, offset)
    #expect(
      [Int(time.year), Int(time.month), Int(time.day), Int(time.hour), Int(time.minute), Int(time.second)]
        == [expected.year, expected.month, expected.day, expected.hour, expected.minute, expected.second])
  }

  @Test("Any instant from 1970 to 2106, in any time zone, is the day and time that Foundation says")
  func agreesWithFoundation() throws {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<5000 {
      let offset = Int32.random(in: -14 * 4...14 * 4, using: &generator) * 900
      try Self.expectAgreement(Int64(UInt32.random(in: .min ... .max, using: &generator)), offset)
    }
  }

  @Test("The ends of every month from 1970 to 2106 are right, leap years and 2100 among them")
  func agreesAtMonthEnds() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    for month in 0..<(12 * 136) {
      let components = DateComponents(year: 1970 + month / 12, month: month % 12 + 1, day: 1)
      let first = Int64(try #require(calendar.date(from: components)).timeIntervalSince1970)
      try Self.expectAgreement(first, 0)
      try Self.expectAgreement(first - 1, 0)
    }
  }

  @Test("Folder, file and metadata names are written with all their zeros")
  func formats() {
    let time = CivilTime(unixSeconds: 1_709_168_523, utcOffsetSeconds: 9 * 3600)
    #expect(String(time.dateText) == "20240229")
    #expect(String(time.timeText) == "100203")
    #expect(String(time.iso8601) == "2024-02-29T10:02:03+09:00")
    #expect(String(CivilTime(unixSeconds: 0).iso8601) == "1970-01-01T00:00:00Z")
    #expect(String(CivilTime(unixSeconds: 0, utcOffsetSeconds: -12_600).iso8601) == "1969-12-31T20:30:00-03:30")
  }

  @Test("The name of every day from 1970 to 2105 is read back as that day, and what names no day is refused")
  func readsDays() {
    let wrong = (Int64(0)..<49_673).filter { day in
      let name = CivilTime(unixSeconds: day * 86_400).dateText
      return CivilTime.dayNumber(ofDateText: name.bytes) != day
        || CivilTime.dayNumber(unixSeconds: day * 86_400 + 86_399) != day
    }
    #expect(wrong.isEmpty)
    #expect(CivilTime.dayNumber(unixSeconds: -1) == -1)
    for text in [
      "20261340", "20260230", "20250229", "21000229", "20260100", "20260001", "20261301", "2026011", "202601011",
      "2026010a", "+2026101", "        ", "", "99999999", "00000000",
    ] {
      #expect(CivilTime.dayNumber(ofDateText: Array(text.utf8).span) == nil, "\(text)")
    }
  }

  @Test("ISO 8601 is read back by Foundation as the same instant")
  func readsBack() throws {
    var generator = SeededGenerator(seed: 8)
    let formatter = ISO8601DateFormatter()
    for _ in 0..<1000 {
      let unixSeconds = Int64(UInt32.random(in: .min ... .max, using: &generator))
      let time = CivilTime(
        unixSeconds: unixSeconds, utcOffsetSeconds: Int32.random(in: -56...56, using: &generator) * 900)
      let date = try #require(formatter.date(from: String(time.iso8601)))
      #expect(Int64(date.timeIntervalSince1970) == unixSeconds)
    }
  }
}
