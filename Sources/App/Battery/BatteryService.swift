import Base
import Configuration
import Console
import Machine

/// The battery, as the other services see it.
struct BatteryReport {
  /// Nil without a gauge that can be read.
  var reading: BatteryReading?
  /// The gauge's own, or by the voltage of lithium-ion cells; nil if neither is known.
  var percent: Double?
  /// Until the battery is empty, if it goes on like this; nil if unknown, or while it is charged.
  var hoursLeft: Double?
  fileprivate var watch = BatteryWatch()
  /// Whether the newest voltage is below the one at which takes are finished.
  var isBelowFinish = false

  var level: BatteryLevel { watch.level }

  /// Whether the open take is to be finished.
  var endsTakes: Bool { watch.endsTakes }

  /// Whether a person's press begins no take. Takes that begin by themselves wait until the battery has recovered.
  var refusesPress: Bool { level == .empty && isBelowFinish }

  /// `3.842 V, 71 %, 0.412 A`, the same in every language.
  var text: FixedText<64> {
    var text = FixedText<64>()
    guard let reading else { return text }
    text.append("\(reading.volts, decimals: 3) V" as FixedText<16>)
    if let percent { text.append(", \(percent, decimals: 0) %" as FixedText<16>) }
    if let amperes = reading.amperes { text.append(", \(amperes, decimals: 3) A" as FixedText<16>) }
    return text
  }
}

/// Has the battery read, and reports when its gauge is found or lost, and when it is low, nearly empty, or has recovered.
struct BatteryService {
  private(set) var report = BatteryReport()
  private var settings: BatterySettings
  private var trend = BatteryTrend()
  /// The far future if the battery is not measured.
  fileprivate var nextReading: Instant
  /// To be set on a simulated board, once its battery is not being read.
  fileprivate var simulatedVolts: Double?
  /// Whether there has been a reading since boot: most machines have no gauge.
  fileprivate var hasGauge = false
  private var failureCount = 0
  /// When the machine may be switched off, or asked again to; nil before the start is known.
  private var nextSwitchOff: Instant?
  /// The ticket of that request until it is answered.
  private var ticket: UInt32?

  init(settings: BatterySettings) {
    self.settings = settings
    nextReading = settings.busName == nil && settings.inputName == nil ? .max : 0
  }

  /// Applies changed settings, from the next reading on.
  mutating func follow(_ settings: BatterySettings) { self.settings = settings }

  /// Whether there is a gauge that cannot be read.
  var isLost: Bool { failureCount >= Limits.batteryFailures }

  /// At each exchange.
  mutating func step(
    _ battery: borrowing SharedDevice<some BatteryDriver & ~Copyable>, _ console: inout ConsoleSession, at now: Instant
  ) {
    switch battery.takeAnswer()?.result {
    case nil: break
    case .done(nil): nextReading = now + Limits.batterySearchSeconds * 1_000_000_000
    case .done(let reading?): take(reading, &console, at: now)
    case .failed(let failure): noteFailure(failure, &console)
    }
    guard now >= nextReading else { return }
    nextReading = now + Limits.batteryReadingSeconds * 1_000_000_000
    if !battery.isLent {
      battery.lend(.read)
    } else if hasGauge {
      // The bus is stuck, or another device's driver holds up the worker.
      noteFailure(.battery("", "does not answer"), &console)
    }
  }

  private mutating func take(_ reading: BatteryReading, _ console: inout ConsoleSession, at now: Instant) {
    report.reading = reading
    report.percent =
      reading.percent
      ?? (settings.cellCount == 0 ? nil : LithiumCell.percent(atVolts: reading.volts / Double(settings.cellCount)))
    trend.note(percent: report.percent, amperes: reading.amperes, at: now)
    report.hoursLeft = trend.hours(percent: report.percent, ampereHours: settings.ampereHours)
    if !hasGauge {
      console.announce("battery found: \(reading.name), \(report.text)" as FixedText<160>)
    } else if isLost {
      console.announce("battery works again")
    }
    hasGauge = true
    failureCount = 0
    let before = report.level
    report.watch.note(reading.volts, settings)
    report.isBelowFinish = settings.finishVolts.map { reading.volts < $0 } ?? false
    tell(report.level, after: before, &console)
  }

  /// Reports a step of the watch.
  private func tell(_ level: BatteryLevel, after before: BatteryLevel, _ console: inout ConsoleSession) {
    guard level != before else { return }
    let text = report.text
    switch (before, level) {
    case (_, .empty):
      console.announce("battery nearly empty, \(text): no take begins by itself" as FixedText<128>, as: .fault)
    case (.empty, _): console.announce("battery has recovered, \(text): takes begin again" as FixedText<128>)
    case (_, .low): console.announce("battery low, \(text)" as FixedText<96>, as: .warning)
    case (_, .good): console.announce("battery is no longer low, \(text)" as FixedText<96>)
    }
  }

  /// A failed reading costs nothing. After several in a row the battery is unknown, as if there were none.
  private mutating func noteFailure(_ failure: DeviceFailure, _ console: inout ConsoleSession) {
    guard !isLost else { return }
    report.watch.interrupt()
    report.isBelowFinish = false
    failureCount += 1
    guard isLost else { return }
    hasGauge = true
    console.announce(failure)
    report = BatteryReport()
    trend = BatteryTrend()
  }

  /// Has the machine switched off if that is configured. Call it while the battery is nearly empty and no take is open.
  mutating func switchOff(_ system: inout SystemJob, _ console: inout ConsoleSession) {
    guard settings.ending == .off, ticket == nil else { return }
    let due = nextSwitchOff ?? (console.start ?? console.now) + Limits.switchOffSeconds * 1_000_000_000
    nextSwitchOff = due
    guard console.now >= due else { return }
    nextSwitchOff = console.now + Limits.switchOffSeconds * 1_000_000_000
    console.announce("battery nearly empty: the machine is switched off", as: .fault)
    ticket = system.send(.switchOff, &console)
  }

  /// Takes a reply of the system if it is meant for this service.
  mutating func serve(_ reply: DeviceResult<InspectorReply>, _ ticket: UInt32, _ console: inout ConsoleSession) {
    guard ticket == self.ticket else { return }
    self.ticket = nil
    if case .failed(let failure) = reply { console.announce(failure) }
  }
}

extension Services {
  /// At each exchange: follows the battery.
  mutating func stepBattery(_ machine: inout Hardware, at now: Instant) {
    if !machine.battery.isLent, let volts = battery.simulatedVolts.take() {
      machine.battery.device.inject(volts: volts)
    }
    battery.step(machine.battery, &console, at: now)
    recording.follow(battery.report, &machine, &console, at: now)
    guard battery.report.level == .empty, recording.standing == .none, !recording.hasOpenTake else { return }
    battery.switchOff(&inquiries.system, &console)
  }

  /// Runs `battery`.
  mutating func setBattery(volts: Double, on machine: borrowing Hardware) {
    guard machine.simulatedWorld != nil else {
      return console.refuse("this board has a real battery" as FixedText<64>)
    }
    // Unknown until the first answer.
    guard battery.hasGauge || battery.nextReading == 0 || machine.battery.isLent else {
      return console.refuse("no battery is simulated: set [sim] battery" as FixedText<64>)
    }
    battery.simulatedVolts = volts
    console.complete()
  }
}

extension Limits {
  /// The interval between readings of the battery: it empties within hours.
  static var batteryReadingSeconds: UInt64 { 5 }

  /// The interval at which a gauge is looked for: most machines have none, and a look wakes the device worker.
  static var batterySearchSeconds: UInt64 { 60 }

  /// Failed readings in a row before the battery counts as unknown.
  static var batteryFailures: Int { 3 }

  /// How long after the start the machine may be switched off because of its battery, so that somebody can connect a
  /// supply or change the setting, and how often it is tried.
  static var switchOffSeconds: UInt64 { 120 }
}
