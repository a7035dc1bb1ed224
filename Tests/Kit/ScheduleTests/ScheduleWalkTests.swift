import Base
import Foundation
import Kit
import Machine
import TestSupport
import Testing

@Suite struct ScheduleWalkTests {
  private static func place(
    _ zone: FixedText<40> = "Asia/Seoul", _ latitude: Double = 37.57, _ longitude: Double = 126.98
  )
    throws -> SchedulePlace
  {
    SchedulePlace(
      localTime: .zone(try TimeZoneTable(named: zone)), latitudeDegrees: latitude, longitudeDegrees: longitude)
  }

  private static func walk(_ rules: [String], quiet: String? = nil, at place: SchedulePlace) throws -> ScheduleWalk {
    var lines = InlineArray<7, ScheduleRule?>(repeating: nil)
    for (index, rule) in rules.enumerated() { lines[index] = try ScheduleRule(Array(rule.utf8).span) }
    if let quiet { lines[6] = try ScheduleRule(Array(quiet.utf8).span) }
    return ScheduleWalk(lines, at: place)
  }

  private static func instant(_ text: String) throws -> Int64 {
    Int64(try Date(text, strategy: .iso8601).timeIntervalSince1970)
  }

  /// `begin end rule` of the next recordings, in local time.
  private static func recordings(_ walk: ScheduleWalk, _ count: Int, from start: String, at place: SchedulePlace) throws
    -> [String]
  {
    var walk = walk
    var instant = try instant(start)
    var lines: [String] = []
    while lines.count < count, let found = walk.recording(from: instant), let window = found.window {
      let (begin, end) = (
        place.localTime.civilTime(unixSeconds: window.start), place.localTime.civilTime(unixSeconds: window.end)
      )
      let words = [String(begin.isoDate), String(begin.isoTime), String(end.isoTime), String((found.rule ?? -1) + 1)]
      lines.append(words.joined(separator: " "))
      instant = window.end
    }
    return lines
  }

  @Test("fixed times are recorded on the days of the week and the dates that a rule names")
  func fixedTimes() throws {
    let place = try Self.place()
    let walk = try Self.walk(["04:30-06:00 mon-fri", "22:00-02:00 sat 2026-11-01..2026-11-30"], at: place)
    #expect(
      try Self.recordings(walk, 5, from: "2026-11-27T03:00:00Z", at: place) == [
        "2026-11-28 22:00:00 02:00:00 2", "2026-11-30 04:30:00 06:00:00 1", "2026-12-01 04:30:00 06:00:00 1",
        "2026-12-02 04:30:00 06:00:00 1", "2026-12-03 04:30:00 06:00:00 1",
      ])
  }

  @Test("dates without a year hold in each year, also over its end, and one date range ends for ever")
  func dates() throws {
    let place = try Self.place()
    let yearly = try Self.walk(["06:00-07:00 12-31..01-01"], at: place)
    #expect(
      try Self.recordings(yearly, 3, from: "2026-06-01T00:00:00Z", at: place).map { $0.prefix(10) } == [
        "2026-12-31", "2027-01-01", "2027-12-31",
      ])
    let once = try Self.walk(["06:00-07:00 2027-02-28..2027-03-01"], at: place)
    #expect(try Self.recordings(once, 9, from: "2026-06-01T00:00:00Z", at: place).count == 2)
    #expect(try Self.recordings(once, 9, from: "2027-03-02T00:00:00Z", at: place).isEmpty)
  }

  @Test("a duty cycle counts from the begin of the window, and quiet hours cut what they touch")
  func dutyCycle() throws {
    let place = try Self.place()
    let walk = try Self.walk(["11:50-12:30 600/900"], quiet: "12:00-12:10", at: place)
    #expect(
      try Self.recordings(walk, 4, from: "2026-11-27T00:00:00Z", at: place) == [
        "2026-11-27 11:50:00 12:00:00 1", "2026-11-27 12:10:00 12:15:00 1", "2026-11-27 12:20:00 12:30:00 1",
        "2026-11-28 11:50:00 12:00:00 1",
      ])
    var counted = walk
    let day = try Self.instant("2026-11-27T00:00:00Z")
    #expect(counted.recordedSeconds(from: day, to: day + 86_400) == 1_500)
    // 605, 305 and 605 seconds with the pre-roll, in which a time lapse has 11, 6 and 11 pictures.
    let takes = counted.recorded(from: day, to: day + 86_400, for: TakeRounding(leadSeconds: 5, stepSeconds: 60))
    #expect(takes.seconds == 1_500 && takes.takeSeconds == 28 * 60)
  }

  @Test(
    "the windows of a duty cycle that are longer than a day count together",
    arguments: [
      "sunset-12h..sunset+12h 60/300", "sunrise-12h..sunset+12h 100/7000",
    ])
  func overlappingDutyCycles(text: String) throws {
    let place = try Self.place()
    var walk = try Self.walk([text], at: place)
    let rule = try ScheduleRule(Array(text.utf8).span)
    let duty = try #require(rule.duty)
    // In October the sun sets a minute and a half earlier each day.
    let (start, day) = (try Self.instant("2026-10-10T00:00:00Z"), try Self.instant("2026-10-10T00:00:00Z") / 86_400)
    let windows = (day - 4...day + 4).compactMap { rule.window(onDay: $0, at: place) }
    #expect(zip(windows, windows.dropFirst()).allSatisfy { $0.end > $1.start + duty.onSeconds })
    let wanted = (start..<start + 2 * 86_400).count { instant in
      windows.contains {
        $0.start <= instant && instant < $0.end && (instant - $0.start) % duty.periodSeconds < duty.onSeconds
      }
    }
    let counted = walk.recordedSeconds(from: start, to: start + 2 * 86_400)
    #expect(counted == Int64(wanted))
    for window in windows {
      let moment = walk.moment(at: window.start)
      #expect(moment.rule == 0)
    }
  }

  @Test("rules that overlap or follow each other are one recording, of the first")
  func unites() throws {
    let place = try Self.place()
    let walk = try Self.walk(["05:00-06:00", "05:30-07:00", "07:00-07:30"], at: place)
    #expect(
      try Self.recordings(walk, 1, from: "2026-11-27T00:00:00Z", at: place) == ["2026-11-28 05:00:00 07:30:00 1"])
  }

  @Test("the sun's windows move with the sun, also where the clock is not of the place")
  func sun() throws {
    let place = try Self.place()
    let walk = try Self.walk(["sunrise-30m..sunrise+2h"], at: place)
    // The almanac of Seoul: sunrise at 07:23 on 2026-11-28, and at 05:11 on 2026-06-21.
    let winter = try Self.recordings(walk, 1, from: "2026-11-27T03:00:00Z", at: place)
    #expect(winter[0].hasPrefix("2026-11-28 06:5") && winter[0].contains(" 09:2"), "\(winter)")
    let summer = try Self.recordings(walk, 1, from: "2026-06-20T03:00:00Z", at: place)
    #expect(summer[0].hasPrefix("2026-06-21 04:4") && summer[0].contains(" 07:1"), "\(summer)")
    let utc = try Self.place("Etc/UTC")
    let elsewhere = try Self.recordings(walk, 1, from: "2026-06-20T03:00:00Z", at: utc)
    #expect(elsewhere[0].hasPrefix("2026-06-20 19:4"), "\(elsewhere)")
  }

  @Test(
    "on a polar day from sunrise to sunset is all day and from sunset to sunrise never; in a polar night the reverse")
  func polar() throws {
    let place = try Self.place("Arctic/Longyearbyen", 78.2232, 15.6267)
    var light = try Self.walk(["sunrise..sunset"], at: place)
    var dark = try Self.walk(["sunset..sunrise"], at: place)
    for (day, isLight) in [("2026-06-20T00:00:00Z", true), ("2026-12-20T00:00:00Z", false)] {
      let start = try Self.instant(day)
      let (inLight, inDark) = (
        light.recordedSeconds(from: start, to: start + 86_400), dark.recordedSeconds(from: start, to: start + 86_400)
      )
      #expect(abs(inLight - (isLight ? 86_400 : 0)) < 120 && abs(inDark - (isLight ? 0 : 86_400)) < 120, "\(day)")
    }
    // Around its lowest or highest point, a rule that names an offset records every day.
    let dawn = try Self.walk(["dawn-30m..dawn+30m"], at: place)
    for day in ["2026-06-20T12:00:00Z", "2026-12-20T00:00:00Z", "2026-03-20T00:00:00Z"] {
      #expect(try Self.recordings(dawn, 3, from: day, at: place).count == 3)
    }
  }

  @Test("a time that the clock skips begins at the shift, and one that comes twice counts once, the first")
  func daylightSaving() throws {
    let place = try Self.place("Europe/Berlin", 52.5, 13.4)
    let walk = try Self.walk(["02:30-04:00"], at: place)
    // On 2026-03-29 the clock goes from 2:00 to 3:00, on 2026-10-25 from 3:00 to 2:00.
    #expect(
      try Self.recordings(walk, 2, from: "2026-03-28T12:00:00Z", at: place) == [
        "2026-03-29 03:00:00 04:00:00 1", "2026-03-30 02:30:00 04:00:00 1",
      ])
    var spring = walk
    #expect(spring.recording(from: try Self.instant("2026-03-28T12:00:00Z"))?.window?.start == 1_774_746_000)
    var autumn = walk
    let found = try #require(autumn.recording(from: try Self.instant("2026-10-24T12:00:00Z"))?.window)
    #expect(found.start == (try Self.instant("2026-10-25T00:30:00Z")) && found.end - found.start == 9_000)
    let short = try Self.walk(["02:10-02:40"], at: place)
    #expect(
      try Self.recordings(short, 3, from: "2026-03-28T12:00:00Z", at: place).map { $0.prefix(10) } == [
        "2026-03-30", "2026-03-31", "2026-04-01",
      ])
    #expect(
      try Self.recordings(short, 2, from: "2026-10-24T12:00:00Z", at: place) == [
        "2026-10-25 02:10:00 02:40:00 1", "2026-10-26 02:10:00 02:40:00 1",
      ])
  }

  @Test("whatever the rules are, the next change is in the future, and nothing changes before it")
  func moves() throws {
    var generator = SeededGenerator(seed: 3)
    let place = try Self.place("Europe/Berlin", 64, 13.4)
    let all = [
      "04:30-06:00 mon-fri", "sunset..sunrise 60/300", "astro-dusk..astro-dawn", "dawn-1h..sunrise+1h 03-01..06-30",
      "22:00..sunrise sat,sun", "sunset..23:00", "00:00-24:00 5/30",
    ]
    for _ in 0..<Cases.count(20, of: 1_000) {
      let rules = (0..<Int.random(in: 1...6, using: &generator)).map { _ in all.randomElement(using: &generator)! }
      var walk = try Self.walk(rules, quiet: Bool.random(using: &generator) ? "12:00-13:00" : nil, at: place)
      var instant = Int64.random(in: 1_767_225_600..<1_893_456_000, using: &generator)
      for _ in 0..<30 {
        let moment = walk.moment(at: instant)
        #expect(moment.end > instant, "\(rules)")
        let between = Int64.random(in: instant..<min(moment.end, instant + 1_000_000), using: &generator)
        let middle = walk.moment(at: between)
        #expect((middle.rule == nil) == (moment.rule == nil), "\(rules) at \(between)")
        instant = moment.end
      }
    }
  }
}
