import Base
import Configuration

/// How full the battery is, in the steps at which the recorder acts.
enum BatteryLevel: UInt8 {
  case good
  /// Below `[power] warn_volts`.
  case low
  /// Below `[power] finish_volts`.
  case empty

  /// The name in machine-readable output.
  var name: StaticString {
    switch self {
    case .good: "good"
    case .low: "low"
    case .empty: "empty"
    }
  }
}

/// The level that follows from the readings. A step takes several readings in a row, so that a dip under load does not
/// count, and a step up takes a higher voltage than the one at which the step down was taken: without its load a battery
/// recovers a little.
///
/// Only a gauge that follows the battery ends takes: its readings must change, but by no more than a battery's can. One
/// that is stuck or implausible does not.
struct BatteryWatch {
  private(set) var level = BatteryLevel.good
  private var last: Double?
  /// Readings in a row below the two limits, and above the one at which the level ends.
  private var lowCount = 0
  private var emptyCount = 0
  private var recoveredCount = 0
  /// Readings in a row that equal the one before.
  private var equalCount = 0
  /// Whether one of the readings below the lower limit differs from the one before.
  private var hasMoved = false

  /// Whether the open take is to be finished.
  var endsTakes: Bool { emptyCount >= Limits.batteryReadings && hasMoved }

  mutating func note(_ volts: Double, _ settings: BatterySettings) {
    if let last, abs(volts - last) > Limits.batteryJump * last { interrupt() }
    let (warn, finish) = (settings.warnVolts ?? 0, settings.finishVolts ?? 0)
    equalCount = volts == last ? equalCount + 1 : 0
    lowCount = volts < warn ? lowCount + 1 : 0
    emptyCount = volts < finish ? emptyCount + 1 : 0
    if emptyCount <= 1 { hasMoved = false } else if equalCount == 0 { hasMoved = true }
    last = volts
    let limit = (level == .empty ? finish : warn) * (1 + Limits.batteryHysteresis)
    recoveredCount = volts >= limit ? recoveredCount + 1 : 0
    step(isLow: volts < warn * (1 + Limits.batteryHysteresis))
  }

  private mutating func step(isLow: Bool) {
    if level == .empty, equalCount >= Limits.batteryStuckReadings {
      // Whatever it says now, it does not follow the battery.
      level = .good
      interrupt()
    } else if endsTakes {
      level = .empty
    } else if level == .good, lowCount >= Limits.batteryReadings {
      level = .low
    } else if level != .good, recoveredCount >= Limits.batteryRecoveredReadings {
      level = level == .empty && isLow ? .low : .good
    }
  }

  /// Readings in a row begin anew.
  mutating func interrupt() {
    (lowCount, emptyCount, recoveredCount, equalCount) = (0, 0, 0, 0)
    hasMoved = false
    last = nil
  }
}

/// How long the battery lasts: by its capacity and the mean current of the last minutes, or else by how fast its
/// percentage falls.
struct BatteryTrend {
  private var meanAmperes = 0.0
  private var currentCount = 0
  /// The percentage every ten minutes of the last two hours, the newest last.
  private var percents = InlineArray<13, Double>(repeating: 0)
  private var count = 0
  private var nextPercent: Instant = 0

  mutating func note(percent: Double?, amperes: Double?, at now: Instant) {
    if let amperes {
      currentCount = min(currentCount + 1, Limits.batteryMeanReadings)
      meanAmperes += (amperes - meanAmperes) / Double(currentCount)
    } else {
      // A mean of what a monitor can measure would be too small.
      (meanAmperes, currentCount) = (0, 0)
    }
    guard let percent, now >= nextPercent else { return }
    nextPercent = now + Limits.batteryTrendSeconds * 1_000_000_000
    if count == percents.count {
      for index in 1..<count { percents[index - 1] = percents[index] }
      count -= 1
    }
    percents[count] = percent
    count += 1
  }

  /// - Returns: nil if it is not known, or while the battery is charged.
  func hours(percent: Double?, ampereHours: Double?) -> Double? {
    guard let percent else { return nil }
    if let ampereHours, currentCount > 0 {
      return meanAmperes >= Limits.leastAmperes ? ampereHours * percent / 100 / meanAmperes : nil
    }
    guard count > Limits.batteryTrendSteps else { return nil }
    let fall = percents[0] - percents[count - 1]
    guard fall >= 1 else { return nil }
    return percent / fall * Double(count - 1) * Double(Limits.batteryTrendSeconds) / 3600
  }
}

extension Limits {
  /// Readings in a row below a limit before it counts: half a minute. The start of a camera or a burst of writing pulls
  /// a battery down for seconds.
  static var batteryReadings: Int { 6 }

  /// Readings in a row above a limit before it no longer counts: a minute.
  static var batteryRecoveredReadings: Int { 12 }

  /// How far above a limit, as a part of it, the voltage must be before it no longer counts: 0.13 V at 3.3 V. A cell of
  /// 0.1 Ω recovers by that much when a load of 1.3 A ends.
  static var batteryHysteresis: Double { 0.04 }

  /// The part of its voltage by which a battery cannot change within a reading's interval: then it is another battery, or
  /// nonsense.
  static var batteryJump: Double { 0.1 }

  /// A gauge that shows the same value for an hour while the battery is nearly empty no longer follows it.
  static var batteryStuckReadings: Int { 720 }

  /// The readings over which the current is averaged: ten minutes.
  static var batteryMeanReadings: Int { 120 }

  /// With less current than this the battery is not being emptied, as far as a gauge can tell: a unit of an INA219
  /// across 0.1 Ω is 0.1 mA.
  static var leastAmperes: Double { 0.002 }

  /// The interval of the percentages from which the time left follows, and how many of them it takes: half an hour.
  static var batteryTrendSeconds: UInt64 { 600 }
  static var batteryTrendSteps: Int { 3 }
}
