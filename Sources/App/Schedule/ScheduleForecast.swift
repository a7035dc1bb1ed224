import Base
import Console
import Kit

/// What a forecast needs to know about the recorder.
struct ForecastFacts {
  var freeByteCount: UInt64
  /// The space that stays free on the card.
  var reserveByteCount: UInt64
  /// Nil if nothing can be recorded.
  var bytesPerSecond: Double?
  /// How much longer the takes are than the windows.
  var rounding = TakeRounding()
  /// Until the battery is empty at the present current; nil if unknown.
  var batteryHours: Double?
}

/// How much will be recorded on each of the next days, and when the card is full.
struct ScheduleForecast {
  private let start: Int64
  private var dayCount = 0
  /// Of the first week.
  private var seconds = InlineArray<7, Int64>(repeating: 0)
  /// The same with each take's pre-roll, which takes space as well.
  private var takeSeconds = InlineArray<7, Int64>(repeating: 0)
  private var totalSeconds: Int64 = 0
  /// When the card is full, in Unix seconds; nil if not within the days calculated.
  private var fullAt: Int64?

  init(from start: Int64) { self.start = start }

  /// Adds the next day.
  /// - Returns: whether the card is full, or the forecast goes far enough.
  mutating func addDay(_ walk: inout ScheduleWalk, _ facts: ForecastFacts) -> Bool {
    let begin = start + Int64(dayCount) * 86_400
    let recorded = walk.recorded(from: begin, to: begin + 86_400, for: facts.rounding)
    if dayCount < seconds.count { (seconds[dayCount], takeSeconds[dayCount]) = recorded }
    totalSeconds += recorded.takeSeconds
    dayCount += 1
    if fullAt == nil, let capacity = facts.seconds, totalSeconds >= capacity { fullAt = begin + 86_400 }
    return dayCount >= seconds.count && (fullAt != nil || dayCount >= Limits.forecastDays)
  }

  func report(
    _ form: StatusForm, _ facts: ForecastFacts, _ localTime: LocalTime, _ console: inout ConsoleSession
  ) {
    console.beginReport(form)
    console.beginRows("days", "24 h from                   recorded        bytes")
    for day in seconds.indices {
      let begin = localTime.civilTime(unixSeconds: start + Int64(day) * 86_400).iso8601
      console.beginRow()
      console.cell("begin", text: begin.bytes, columns: 26)
      console.cell(
        "seconds", .number(seconds[day]), as: "\(duration: UInt64(seconds[day]))", columns: 10)
      console.cell("bytes", .size(facts.bytesPerSecond.map { UInt64($0 * Double(takeSeconds[day])) }), columns: 13)
      console.endRow()
    }
    console.endRows()
    console.fact("bytes a second", "bytes_per_second", .count(facts.bytesPerSecond.map { UInt64($0) }))
    console.fact("free", "free_bytes", .size(facts.usableByteCount))
    console.fact(
      "card full by", "full_by", text: fullAt.map { localTime.civilTime(unixSeconds: $0).iso8601 } ?? "")
    console.fact("after days", "full_after_days", .count(fullAt.map { ($0 - start) / 86_400 }))
    let empty = facts.batteryHours.map { start + Int64(min($0, Limits.forecastHours) * 3600) }
    console.fact(
      "battery empty by", "battery_empty_by",
      text: empty.map { localTime.civilTime(unixSeconds: $0).iso8601 } ?? "")
    console.endReport()
  }
}

extension ForecastFacts {
  var usableByteCount: UInt64 { freeByteCount - min(freeByteCount, reserveByteCount) }

  /// How long the card lasts when recording all the time; nil if unknown.
  var seconds: Int64? {
    guard freeByteCount > 0, let bytesPerSecond, bytesPerSecond > 0 else { return nil }
    return Int64(Double(usableByteCount) / bytesPerSecond)
  }
}

extension Limits {
  /// How far a forecast looks: over a year, so that each season is in it. A day is calculated in a tick, so that it takes
  /// two seconds at most.
  static var forecastDays: Int { 400 }

  /// As far as a battery's end is told.
  static var forecastHours: Double { Double(forecastDays) * 24 }
}
