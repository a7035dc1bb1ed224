import Foundation
import TestSupport
import Testing

@testable import Base

@Suite struct LocalTimeTests {
  /// Every time zone of the system, with its UTC offset at instants from 1900 to 2400 according to Python's zoneinfo.
  private static func zones(seed: Int) throws -> [(name: String, instants: [(Int64, Int32)])] {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("local_times.py").path
    let lines = try ForeignProgram.text("python3", [script, "\(seed)", "40"]).split(separator: "\n")
    return try lines.map { line in
      let words = line.split(separator: " ")
      let instants = try words.dropFirst().map { word in
        let parts = word.split(separator: ",")
        return (try #require(Int64(parts[0])), try #require(Int32(parts[1])))
      }
      return (String(words[0]), instants)
    }
  }

  private static func table(_ name: String) throws -> TimeZoneTable {
    let data = try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/\(name)"))
    return try leakedTable([UInt8](data))
  }

  /// A table whose bytes are never freed, as it requires.
  private static func leakedTable(_ bytes: [UInt8]) throws -> TimeZoneTable {
    let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    _ = unsafe memory.initialize(from: bytes)
    return try unsafe TimeZoneTable(UnsafeBufferPointer(memory))
  }

  @Test(
    """
    every time zone of the system is as far from UTC as Python says, from 1900 to 2400 and on both sides of changes, and \
    its local times are read back
    """, arguments: [1, 2])
  func agreesWithPython(seed: Int) throws {
    let zones = try Self.zones(seed: seed)
    #expect(zones.count > 400)
    var changeCount = 0
    var wrong: [String] = []
    for (name, instants) in zones {
      let zone = LocalTime.zone(try Self.table(name))
      changeCount += max(0, instants.count - 40) / 2
      for (instant, offset) in instants {
        let local = instant + Int64(zone.utcOffsetSeconds(at: instant))
        // A local time that occurs twice is taken for the first one.
        let back = zone.unixSeconds(localSeconds: local)
        let isBack = back.map { $0 <= instant && $0 + Int64(zone.utcOffsetSeconds(at: $0)) == local } ?? false
        if local != instant + Int64(offset) || !isBack { wrong.append("\(name) at \(instant)") }
      }
    }
    #expect(wrong.isEmpty, "\(wrong.count), such as \(wrong.prefix(5))")
    #expect(changeCount > 2_000, "changes are among the instants")
  }

  @Test("rules that no file has today are followed as `date` follows them")
  func agreesWithDate() throws {
    let rules = [
      "XXX-3", "<+0530>-5:30", "AAA-1BBB,J59/2,J300/3", "AAA-1BBB,J60/2,J300/3", "AAA4:30BBB3:15,59/0,300/26",
      "AAA-1BBB-3,M2.5.0/-24,M11.1.6/100", "IST-1GMT0,M10.5.0,M3.5.0/1", "AAA0BBB,M12.5.6/23,M1.1.0/0:30:15",
    ]
    var generator = SeededGenerator(seed: 5)
    let instants = (0..<2_000).map { _ in Int64.random(in: 1_767_225_600..<7_258_118_400, using: &generator) }
    let input = [UInt8](instants.map { "@\($0)\n" }.joined().utf8)
    for text in rules {
      let rule = try #require(Self.rule(text), "\(text)")
      let dates = try ForeignProgram.run("env", ["TZ=\(text)", "date", "-f", "-", "+%::z"], input: input)
      let lines = String(decoding: dates, as: UTF8.self).split(separator: "\n")
      let wrong = zip(instants, lines).filter { Self.written(rule.utcOffsetSeconds(at: $0)) != $1 }
      #expect(lines.count == instants.count && wrong.isEmpty, "\(text): \(wrong.count), such as \(wrong.prefix(2))")
    }
  }

  @Test("daylight saving time that lasts all year (RFC 8536, 3.3.1) has no gap at its end")
  func allYear() throws {
    let rule = try #require(Self.rule("EST5EDT,0/0,J365/25"))
    var generator = SeededGenerator(seed: 6)
    for year in 2026...2100 as ClosedRange<Int64> {
      let newYear = CivilTime.dayNumber(year: year, month: 1, day: 1) * 86_400 + 5 * 3600
      for instant in [newYear - 1, newYear, newYear + Int64.random(in: 1..<31_500_000, using: &generator)] {
        #expect(rule.utcOffsetSeconds(at: instant) == -4 * 3600, "\(instant)")
      }
    }
  }

  private static func rule(_ text: String) -> ZoneRule? { ZoneRule(Array(text.utf8).span) }

  /// In the format of `date`: `-04:30:00`.
  private static func written(_ offset: Int32) -> String {
    let seconds = offset.magnitude
    let digits = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
    return (offset < 0 ? "-" : "+") + digits.joined(separator: ":")
  }

  @Test(
    "what is no rule is refused",
    arguments: [
      "", "KS-9", "KST", "KST-25", "KST-9:60", "KST-9X", "<+09-9", "CET-1CEST", "CET-1CEST,M3.5.0",
      "CET-1CEST,M13.5.0,M10.5.0",
      "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,M3.5.0,M10.5.0/168", "CET-1CEST,J0,J365",
      "CET-1CEST,366,0", "CET-1CEST,M3.5.0,M10.5.0,", "CET-1CEST,M3.5.0,M10.5.0/99999999999",
    ])
  func refusesRules(text: String) {
    #expect(Self.rule(text) == nil)
  }

  @Test("an hour that is left out has no instant, and of one that comes twice the first is meant")
  func changes() throws {
    let berlin = LocalTime.zone(try Self.table("Europe/Berlin"))
    // 2040-03-25 and 2040-10-28, after the table: the clock goes from 02:00 to 03:00, and from 03:00 to 02:00.
    let spring = CivilTime.dayNumber(year: 2040, month: 3, day: 25) * 86_400
    let autumn = CivilTime.dayNumber(year: 2040, month: 10, day: 28) * 86_400
    #expect(berlin.unixSeconds(localSeconds: spring + 2 * 3600 - 1) == spring + 3600 - 1)
    #expect(berlin.unixSeconds(localSeconds: spring + 2 * 3600) == nil)
    #expect(berlin.unixSeconds(localSeconds: spring + 3 * 3600 - 1) == nil)
    #expect(berlin.unixSeconds(localSeconds: spring + 3 * 3600) == spring + 3600)
    #expect(berlin.unixSeconds(localSeconds: autumn + 2 * 3600) == autumn)
    #expect(berlin.unixSeconds(localSeconds: autumn + 3 * 3600) == autumn + 2 * 3600)
    #expect(String(berlin.civilTime(unixSeconds: autumn + 3599).iso8601) == "2040-10-28T02:59:59+02:00")
    #expect(String(berlin.civilTime(unixSeconds: autumn + 3600).iso8601) == "2040-10-28T02:00:00+01:00")
  }

  @Test("a file that ends early, or has no table of 64-bit times, is refused")
  func refusesDamage() throws {
    let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/America/New_York")))
    for count in 0..<whole.count {
      #expect(throws: TimeZoneProblem.damaged) { try Self.leakedTable(Array(whole.prefix(count))) }
    }
    var old = whole
    old[4] = 0
    #expect(throws: TimeZoneProblem.damaged) { try Self.leakedTable(old) }
    #expect(throws: TimeZoneProblem.hasLeapSeconds) { try Self.table("right/Asia/Seoul") }
    #expect(throws: TimeZoneProblem.damaged) { try Self.table("tzdata.zi") }
  }

  @Test("a file with any byte changed is refused, or tells offsets that a place can have")
  func standsAnyByte() throws {
    let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/Asia/Hebron")))
    var generator = SeededGenerator(seed: 9)
    var refusedCount = 0
    for index in whole.indices {
      var bytes = whole
      bytes[index] = UInt8.random(in: 0...255, using: &generator)
      guard let table = try? Self.leakedTable(bytes) else {
        refusedCount += 1
        continue
      }
      for instant in [Int64.min / 2, -1, 0, 1_800_000_000, 4_102_444_799, 1 << 40] {
        #expect((-90_000...94_000).contains(table.utcOffsetSeconds(at: instant)), "byte \(index)")
      }
    }
    #expect(refusedCount > 100)
  }
}
