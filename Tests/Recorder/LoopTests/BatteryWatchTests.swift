import Base
import Configuration
import Testing

@testable import App

/// The level of the battery, and how long it lasts, by readings alone.
@Suite struct BatteryWatchTests {
  private var settings: BatterySettings {
    var settings = BatterySettings()
    settings.warnVolts = 3.5
    settings.finishVolts = 3.3
    return settings
  }

  /// Notes readings that differ by a tenth of a millivolt.
  private func note(_ volts: Double, times count: Int, _ watch: inout BatteryWatch) {
    for index in 0..<count { watch.note(volts + Double(index % 2) / 10_000, settings) }
  }

  @Test("six readings in a row are a step, and five are none, however often they come")
  func counts() {
    var watch = BatteryWatch()
    note(3.8, times: 100, &watch)
    for _ in 0..<20 {
      note(3.25, times: 5, &watch)
      #expect(watch.level != .empty && !watch.endsTakes)
      note(3.4, times: 1, &watch)
    }
    #expect(watch.level == .low)
    note(3.25, times: 6, &watch)
    #expect(watch.level == .empty && watch.endsTakes)
  }

  @Test("a step back takes a minute at 4 % above the limit, and below it no take begins by itself")
  func hysteresis() {
    var watch = BatteryWatch()
    note(3.8, times: 1, &watch)
    note(3.49, times: 6, &watch)
    #expect(watch.level == .low)
    note(3.29, times: 6, &watch)
    #expect(watch.level == .empty)
    // 3.432 V is 4 % above 3.3 V.
    note(3.42, times: 100, &watch)
    #expect(watch.level == .empty && !watch.endsTakes)
    note(3.44, times: 11, &watch)
    #expect(watch.level == .empty)
    note(3.44, times: 1, &watch)
    #expect(watch.level == .low)
    note(3.63, times: 30, &watch)
    #expect(watch.level == .low)
    note(3.65, times: 12, &watch)
    #expect(watch.level == .good)
  }

  @Test("a gauge that sticks ends no take, and one that sticks while the battery is empty is believed for an hour")
  func sticks() {
    var stuck = BatteryWatch()
    for _ in 0..<10_000 { stuck.note(3.1, settings) }
    #expect(stuck.level == .low && !stuck.endsTakes)
    var late = BatteryWatch()
    note(3.29, times: 6, &late)
    for _ in 0..<700 { late.note(3.25, settings) }
    #expect(late.level == .empty)
    for _ in 0..<50 { late.note(3.25, settings) }
    #expect(late.level != .empty && !late.endsTakes)
  }

  @Test("readings that jump, and those before a failed one, do not count")
  func jumps() {
    var watch = BatteryWatch()
    for index in 0..<1_000 { watch.note(index % 2 == 0 ? 2.1 : 3.2, settings) }
    #expect(watch.level == .good && !watch.endsTakes)
    note(3.8, times: 1, &watch)
    for _ in 0..<100 {
      note(3.2, times: 5, &watch)
      watch.interrupt()
    }
    #expect(watch.level == .good && !watch.endsTakes)
  }

  @Test("without limits the level is always good")
  func noLimits() {
    var watch = BatteryWatch()
    for index in 0..<100 { watch.note(2 + Double(index % 2) / 10_000, BatterySettings()) }
    #expect(watch.level == .good && !watch.endsTakes)
  }

  /// A trend of readings every five seconds.
  private func trend(hours: Double, percent: (Double) -> Double?, amperes: Double?) -> BatteryTrend {
    var trend = BatteryTrend()
    for index in 0...Int(hours * 720) {
      trend.note(percent: percent(Double(index) / 720), amperes: amperes, at: Instant(UInt64(index) * 5_000_000_000))
    }
    return trend
  }

  @Test("the hours left are the capacity by percentage and mean current, or none while it is charged")
  func hoursByCurrent() throws {
    let using = trend(hours: 0.5, percent: { _ in 50 }, amperes: 0.5)
    let hours = try #require(using.hours(percent: 50, ampereHours: 10))
    #expect(abs(hours - 10) < 1e-6)
    #expect(using.hours(percent: nil, ampereHours: 10) == nil && using.hours(percent: 50, ampereHours: nil) == nil)
    let charged = trend(hours: 0.5, percent: { _ in 50 }, amperes: -0.5)
    #expect(charged.hours(percent: 50, ampereHours: 10) == nil)
  }

  @Test("a current that is not known leaves no mean of what was measured before, but the fall of the percentage")
  func hoursBeyondRange() throws {
    var using = trend(hours: 1.5, percent: { 80 - 10 * $0 }, amperes: 0.5)
    using.note(percent: 65, amperes: nil, at: Instant(1_081 * 5_000_000_000))
    let hours = try #require(using.hours(percent: 65, ampereHours: 10))
    #expect(abs(hours - 6.5) < 0.1)
  }

  @Test("without a current they follow from the fall of the percentage in two hours, after half an hour and a percent")
  func hoursByPercentage() throws {
    let falling: (Double) -> Double? = { 80 - 10 * $0 }
    #expect(trend(hours: 0.4, percent: falling, amperes: nil).hours(percent: 76, ampereHours: nil) == nil)
    let hours = try #require(trend(hours: 3, percent: falling, amperes: nil).hours(percent: 50, ampereHours: nil))
    #expect(abs(hours - 5) < 0.1)
    // The first hours, with a load of twice as much, no longer count.
    let slower = trend(hours: 6, percent: { $0 < 3 ? 80 - 10 * $0 : 50 - 5 * ($0 - 3) }, amperes: nil)
    let left = try #require(slower.hours(percent: 35, ampereHours: nil))
    #expect(abs(left - 7) < 0.1)
    #expect(trend(hours: 3, percent: { _ in 60 }, amperes: nil).hours(percent: 60, ampereHours: nil) == nil)
    #expect(trend(hours: 3, percent: { 20 + 10 * $0 }, amperes: nil).hours(percent: 50, ampereHours: nil) == nil)
  }
}
