import Base
import Machine
import Configuration
import Console
import Machine

/// How hot the machine is, as the other services see it.
struct HeatReport {
  var level = HeatLevel.cool
  /// Nil without a sensor that can be read.
  var milliCelsius: Int32?
  /// What the firmware has reported in the last 30 s; nil if it reports nothing.
  var throttling: ThrottlingFlags?

  /// Whether the supply voltage is too low.
  var isUnderVoltage: Bool { throttling?.contains(.underVoltage) == true }
}

/// Has the temperature read, decides what is left out because of it, and reports that, and the firmware's flags for
/// supply and throttling, on the console and in the ledger.
struct HeatService {
  private(set) var report = HeatReport()
  private var watch: HeatWatch
  private var throttling = ThrottlingWatch()
  private var nextReading: Instant = 0
  /// Whether there has been a reading since boot: a machine may have no sensor.
  private var hasSensor = false
  private var failureCount = 0

  init(settings: HeatSettings) { watch = HeatWatch(settings: settings) }

  /// Applies new limits, from the next reading on.
  mutating func follow(_ settings: HeatSettings) { watch.follow(settings) }

  /// Whether there is a thermometer that cannot be read.
  var isLost: Bool { failureCount >= Limits.heatFailures }

  /// At each exchange.
  /// - Parameter position: the present position; nil while there is no timeline.
  mutating func step(
    _ thermometer: borrowing SharedDevice<some ThermometerDriver & ~Copyable>, _ ledger: inout LedgerNotes,
    at position: TimelinePosition?, _ console: inout ConsoleSession, at now: Instant
  ) {
    switch thermometer.takeAnswer()?.result {
    case nil: break
    case .done(let reading):
      if let flags = reading.throttling { take(flags, &ledger, at: position, &console) }
      take(reading.milliCelsius, &ledger, at: position, &console)
    case .failed(let failure): noteFailure(failure, &ledger, at: position, &console)
    }
    guard now >= nextReading else { return }
    nextReading = now + Limits.heatReadingMilliseconds * 1_000_000
    if thermometer.isLent {
      noteFailure(Self.failure("does not answer"), &ledger, at: position, &console)
    } else {
      thermometer.lend(.read)
    }
  }

  private mutating func take(
    _ milliCelsius: Int32?, _ ledger: inout LedgerNotes, at position: TimelinePosition?, _ console: inout ConsoleSession
  ) {
    guard let milliCelsius, Limits.plausibleMilliCelsius.contains(milliCelsius) else {
      if hasSensor || milliCelsius != nil {
        noteFailure(Self.failure("reports no temperature"), &ledger, at: position, &console)
      }
      return
    }
    if isLost { console.announce("thermometer works again") }
    failureCount = 0
    hasSensor = true
    report.milliCelsius = milliCelsius
    watch.note(milliCelsius: milliCelsius)
    follow(&ledger, at: position, &console)
  }

  /// One failed reading is ignored; after several in a row the temperature is unknown.
  private mutating func noteFailure(
    _ failure: DeviceFailure, _ ledger: inout LedgerNotes, at position: TimelinePosition?,
    _ console: inout ConsoleSession
  ) {
    guard !isLost else { return }
    failureCount += 1
    guard isLost else { return }
    console.announce(failure)
    report.milliCelsius = nil
    watch.giveUp()
    follow(&ledger, at: position, &console)
  }

  private static func failure(_ problem: StaticString) -> DeviceFailure {
    DeviceFailure(
      device: .thermometer, kind: .failed, subject: "", problem: problem,
      remedy: "heat protection is off until it does")
  }

  /// Reports a step of the watch.
  private mutating func follow(
    _ ledger: inout LedgerNotes, at position: TimelinePosition?, _ console: inout ConsoleSession
  ) {
    guard watch.level != report.level else { return }
    var line: FixedText<96> = "heat unknown"
    if let milliCelsius = report.milliCelsius { line = "heat \(Double(milliCelsius) / 1000, decimals: 1) °C" }
    switch (report.level, watch.level) {
    case (.cool, _): line.append(": the live view is off")
    case (_, .hot): line.append(": every second picture is left out")
    case (_, .warm): line.append(": all pictures are recorded again")
    case (_, .cool): line.append(": nothing is left out any more")
    }
    let level: EventLevel = watch.level > report.level ? .warning : .note
    report.level = watch.level
    tell(line, as: level, &ledger, at: position, &console)
  }

  private mutating func take(
    _ flags: ThrottlingFlags, _ ledger: inout LedgerNotes, at position: TimelinePosition?,
    _ console: inout ConsoleSession
  ) {
    for index in 0..<UInt8(ThrottlingReason.count) {
      guard let reason = ThrottlingReason(rawValue: index) else { continue }
      switch throttling.note(reason, isGiven: flags.contains(reason)) {
      case nil: break
      case true?: tell("firmware: \(reason.name)", as: .warning, &ledger, at: position, &console)
      case false?: tell("firmware: \(reason.name) is over", as: .note, &ledger, at: position, &console)
      }
    }
    report.throttling = throttling.flags
  }

  private func tell(
    _ line: FixedText<96>, as level: EventLevel, _ ledger: inout LedgerNotes, at position: TimelinePosition?,
    _ console: inout ConsoleSession
  ) {
    console.announce(line, as: level)
    if let position { ledger.note(line, at: position) }
  }
}

/// The levels of heat: each leaves out what the one before does, and more. Sound is never left out.
enum HeatLevel: UInt8, Comparable {
  case cool
  /// No live view.
  case warm
  /// No live view, and only every second picture is kept.
  case hot

  static func < (one: HeatLevel, other: HeatLevel) -> Bool { one.rawValue < other.rawValue }

  /// The level that a temperature calls for: one step up or down, or the same.
  fileprivate func next(_ milliCelsius: Int32, _ limits: HeatLimits) -> HeatLevel {
    switch self {
    case .cool: milliCelsius >= limits.warm ? .warm : .cool
    case .warm where milliCelsius >= limits.hot: .hot
    case .warm: milliCelsius <= limits.warm - Limits.heatHysteresisMilliCelsius ? .cool : .warm
    case .hot: milliCelsius <= limits.hot - Limits.heatHysteresisMilliCelsius ? .warm : .hot
    }
  }
}

/// The temperatures from which it is warm, and hot, in thousandths of a degree Celsius.
private struct HeatLimits {
  let warm: Int32
  let hot: Int32

  init(_ settings: HeatSettings) {
    warm = settings.warmCelsius * 1000
    hot = settings.hotCelsius * 1000
  }
}

/// The heat level that follows from the thermometer's readings. A step up takes several readings in a row that call for
/// it, and a step down takes more.
struct HeatWatch {
  private(set) var level = HeatLevel.cool
  private var limits: HeatLimits
  private var wanted = HeatLevel.cool
  private var wantedCount = 0

  init(settings: HeatSettings) { limits = HeatLimits(settings) }

  /// Applies new limits, from the next reading on.
  mutating func follow(_ settings: HeatSettings) { limits = HeatLimits(settings) }

  /// The only place where the level changes, except ``giveUp()``.
  mutating func note(milliCelsius: Int32) {
    let next = level.next(milliCelsius, limits)
    wantedCount = next == wanted ? wantedCount + 1 : 1
    wanted = next
    if wantedCount >= (next > level ? Limits.heatRisingReadings : Limits.heatFallingReadings) { level = next }
  }

  /// The temperature is unknown now: nothing is left out. The processor protects itself.
  mutating func giveUp() {
    level = .cool
    wantedCount = 0
  }
}

/// The firmware's flags for supply and throttling, without the flicker of a supply that fails at every load: a reason
/// ends once it has been absent for several readings.
struct ThrottlingWatch {
  private(set) var flags = ThrottlingFlags()
  private var quietCounts = InlineArray<4, Int>(repeating: 0)

  init() { precondition(quietCounts.count == ThrottlingReason.count, "a reason is not counted") }

  /// Takes one reading for one reason.
  /// - Returns: whether the reason is present now, if that has changed.
  mutating func note(_ reason: ThrottlingReason, isGiven: Bool) -> Bool? {
    let index = Int(reason.rawValue)
    quietCounts[index] = isGiven ? 0 : quietCounts[index] + 1
    let isOver = quietCounts[index] >= Limits.heatFallingReadings
    guard flags.contains(reason) ? isOver : isGiven else { return nil }
    flags[reason] = isGiven
    return isGiven
  }
}

extension Limits {
  /// The interval between readings of the temperature. The processor itself heats and cools within seconds, its heat
  /// sink and case within minutes.
  static var heatReadingMilliseconds: UInt64 { 1000 }

  /// Readings in a row that call for a step up before it is taken: two wrong ones have no effect, and in 3 s a
  /// processor at full load that has just reached the limit warms by a few degrees at most.
  static var heatRisingReadings: Int { 3 }

  /// Readings in a row that call for a step down, or lack a reason of the firmware, before it is over. With 30 s a
  /// machine that gets hot again as soon as it works, or a supply that fails at every load, makes at most four lines a
  /// minute. A ledger of 280 lines then lasts more than an hour.
  static var heatFallingReadings: Int { 30 }

  /// A step down is taken this far below its limit: resuming what was left out must not bring the heat back by itself.
  /// The two limits of the default configuration are 7 °C apart.
  static var heatHysteresisMilliCelsius: Int32 { 5_000 }

  /// Failed readings in a row before the temperature counts as unknown.
  static var heatFailures: Int { 5 }

  /// The temperatures that a running processor can have. Above 125 °C, the most that silicon is specified for, the
  /// sensor is wrong, and so it is below the coldest place where somebody records.
  static var plausibleMilliCelsius: ClosedRange<Int32> { -90_000...125_000 }
}
