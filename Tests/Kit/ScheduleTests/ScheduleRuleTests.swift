import Base
import Kit
import TestSupport
import Testing

@Suite struct ScheduleRuleTests {
  private func rule(_ text: String) throws(ScheduleProblem) -> ScheduleRule { try ScheduleRule(Array(text.utf8).span) }

  @Test(
    "A rule is read as it is meant",
    arguments: [
      ("04:30-06:00", ScheduleTime.clock(minutes: 270), ScheduleTime.clock(minutes: 360), nil as Int64?),
      ("00:00..24:00", .clock(minutes: 0), .clock(minutes: 1440), nil),
      (
        "sunrise-30m..sunrise+2h 60/300", .sun(.sunrise, offsetMinutes: -30), .sun(.sunrise, offsetMinutes: 120), 60
      ),
      ("astro-dusk+1h30m..dawn", .sun(.astronomicalDusk, offsetMinutes: 90), .sun(.dawn, offsetMinutes: 0), nil),
      ("dusk..23:59 sat,sun 5/10", .sun(.dusk, offsetMinutes: 0), .clock(minutes: 1439), 5),
      (
        "nautical-dawn-12h..nautical-dusk  2026-03-01..2026-06-30 mon-fri",
        .sun(.nauticalDawn, offsetMinutes: -720), .sun(.nauticalDusk, offsetMinutes: 0), nil
      ),
    ])
  func reads(text: String, start: ScheduleTime, end: ScheduleTime, onSeconds: Int64?) throws {
    let rule = try rule(text)
    #expect(rule.start == start && rule.end == end && rule.duty?.onSeconds == onSeconds)
    #expect(rule.needsPlace == text.contains("d") || rule.needsPlace == text.contains("sunrise"))
  }

  @Test(
    "An error names the column, and what was expected there",
    arguments: [
      ("", 1, ScheduleExpectation.time), ("4:30-06:00", 1, .time), ("04:30-6:00", 7, .time), ("04:60-06:00", 1, .time),
      ("24:00-06:00", 1, .time), ("04:30-24:01", 7, .time), ("noon..dusk", 1, .time), ("04:30", 6, .range),
      ("sunrise-06:00", 9, .offset), ("sunrise-30..dusk", 9, .offset), ("sunrise-13h..dusk", 9, .offset),
      ("sunrise-1h60m..dusk", 9, .offset), ("sunrise", 8, .range), ("sunrise.dusk", 9, .range),
      ("04:30-06:00,mon", 12, .space), ("04:30-06:00 mo", 13, .weekday), ("04:30-06:00 mon-", 17, .weekday),
      ("04:30-06:00 monday", 16, .space), ("04:30-06:00 mon sat", 17, .once), ("04:30-06:00 60/60", 13, .dutyCycle),
      ("04:30-06:00 1/300", 13, .dutyCycle), ("04:30-06:00 60/", 13, .dutyCycle),
      ("04:30-06:00 60/99999", 13, .dutyCycle),
      ("04:30-06:00 2026-13-01..2026-12-01", 13, .date), ("04:30-06:00 02-30..03-01", 13, .date),
      ("04:30-06:00 2026-02-01", 23, .datesInOrder), ("04:30-06:00 2026-02-01..2026-01-01", 13, .datesInOrder),
      ("04:30-06:00 2026-02-01..03-01", 13, .datesInOrder), ("04:30-06:00 9", 13, .date),
      ("dusk..dusk", 1, .differentTimes), ("04:30-06:00 Mon-Fri", 13, .weekday), ("Sunrise..dusk", 1, .time),
    ])
  func names(text: String, column: Int, expected: ScheduleExpectation) {
    do throws(ScheduleProblem) {
      _ = try rule(text)
      Issue.record("\(text) is a rule")
    } catch {
      #expect(error.column == column && error.expected == expected, "\(text)")
    }
  }

  @Test("Quiet hours with a duty cycle are refused, and the column is that of the cycle")
  func refusesQuietDuty() throws {
    _ = try ScheduleRule(quietHours: Array("12:00-14:00 mon".utf8).span)
    do throws(ScheduleProblem) {
      _ = try ScheduleRule(quietHours: Array("12:00-14:00 60/300 mon".utf8).span)
      Issue.record("it is accepted")
    } catch {
      #expect(error.column == 13 && error.expected == .noDutyCycle)
    }
  }

  @Test("Whatever a rule is made of, it is read, or refused within its bytes")
  func survives() {
    var generator = SeededGenerator(seed: 27)
    let parts = [
      "04:30", "-", "..", "sunrise", "+2h", "60/300", " ", "mon", "2026-03-01", "é", "9", ",", ":", "/", "h",
    ]
    for _ in 0..<Cases.count(2_000, of: 200_000) {
      let text = (0..<Int.random(in: 0...9, using: &generator)).map { _ in parts.randomElement(using: &generator)! }
        .joined()
      do throws(ScheduleProblem) { _ = try rule(text) } catch {
        #expect((1...text.utf8.count + 1).contains(error.column), "\(text)")
      }
    }
  }
}
