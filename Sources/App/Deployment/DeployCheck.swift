import Base
import Configuration
import Console
import Machine
import Record

/// What would spoil a deployment, besides what ``Diagnosis`` knows; the worst first.
enum DeployFinding: UInt8 {
  case nothingBegins
  case scheduleOff
  case endedByPerson
  case neverOpens
  case cardFull
  case refusedFolder
  case deletesTakes
  case silentMicrophone
  // The findings from here on are not faults.
  case sunElsewhere
  case tooWarm
  case noPreroll
  case clockAlone
  case noDeployment

  var isWrong: Bool { rawValue < DeployFinding.sunElsewhere.rawValue }

  var text: StaticString {
    switch self {
    case .nothingBegins: "neither a schedule nor a trigger begins a take"
    case .scheduleOff: "the schedule is off"
    case .endedByPerson: "a person has ended the take of this window"
    case .neverOpens: "no rule records anything in these days"
    case .cardFull: "the card will be full before these days are over"
    case .refusedFolder: "a folder on the card refuses the recorder"
    case .deletesTakes: "retention removes takes that nobody has copied"
    case .silentMicrophone: "the microphone hears nothing at all"
    case .sunElsewhere: "the longitude is far from where utc_offset is the time"
    case .tooWarm: "it is warm already"
    case .noPreroll: "there is no pre-roll: the beginning of each take is missing"
    case .clockAlone: "only a battery keeps the clock, if there is one"
    case .noDeployment: "no deployment has been begun"
    }
  }

  var remedy: StaticString {
    switch self {
    case .nothingBegins: "set [schedule] rule1 or [trigger] on; or press record before you leave"
    case .scheduleOff: "schedule on follows it again"
    case .endedByPerson: "schedule on begins it again; otherwise the next window does"
    case .neverOpens: "schedule next shows when it begins; check its dates and the clock"
    case .cardFull: "use a larger card, or record less: schedule forecast tells when it is full"
    case .refusedFolder: "events tells which: give it to the recorder's user, and restart"
    case .deletesTakes: "set [retention] only_copied = yes, or days and min_free_bytes to 0"
    case .silentMicrophone: "make a noise and look at audio; check its switch, cable and gain"
    case .sunElsewhere: "a longitude west of Greenwich is negative; check utc_offset as well"
    case .tooWarm: "shade it, and let air reach it"
    case .noPreroll: "set [record] preroll_seconds, and [record] arm = boot"
    case .clockAlone: "restart it without a network, and look at clock"
    case .noDeployment: "deploy NAME begins one, and sums up what it records"
    }
  }
}

/// The findings of `deploy check`.
struct DeployCheck {
  let days: UInt16
  /// What the rules ask for in these days, including the takes' pre-rolls.
  let scheduledSeconds: Int64
  private var bits: UInt16 = 0

  init(days: UInt16, scheduledSeconds: Int64) {
    self.days = days
    self.scheduledSeconds = scheduledSeconds
  }

  mutating func add(_ finding: DeployFinding, if holds: Bool) {
    if holds { bits |= 1 << UInt16(finding.rawValue) }
  }

  /// Reports the findings, and adds them up.
  fileprivate func reportRows(_ console: inout ConsoleSession) -> (faults: Int, others: Int) {
    var (faults, others) = (0, 0)
    var number: UInt8 = 0
    while let finding = DeployFinding(rawValue: number) {
      number += 1
      guard bits & 1 << UInt16(finding.rawValue) != 0 else { continue }
      finding.isWrong ? (faults += 1) : (others += 1)
      console.reportFinding(.deployment, isWrong: finding.isWrong, "\(finding.text)", remedy: finding.remedy)
    }
    return (faults, others)
  }
}

extension Services {
  /// Answers `deploy check`.
  mutating func reportCheck(_ check: DeployCheck, _ form: StatusForm, _ clock: borrowing Clock, at now: Instant) {
    var check = check
    let diagnosis = diagnosis(clock, at: now)
    addFindings(to: &check, clock)
    console.beginReport(form)
    console.beginRows("findings")
    diagnosis.reportRows(isWrongOnly: true, &console)
    let found = check.reportRows(&console)
    console.endRows()
    let faults = diagnosis.wrongCount + found.faults
    console.member("days", .count(check.days))
    console.member("faults", .count(faults))
    console.member("verdict", .name(faults > 0 ? "fail" : found.others > 0 ? "look" : "pass"))
    switch (faults, found.others) {
    case (0, 0): console.line("verdict         leave it: nothing spoils the next \(check.days) days")
    case (0, _): console.line("verdict         you can leave it, if you know why each of these is so")
    default: console.line("verdict         do not leave it like this")
    }
    console.endReport()
  }

  private func addFindings(to check: inout DeployCheck, _ clock: borrowing Clock) {
    let settings = configuration.current
    let isTriggered = trigger.settings.source != .off
    let isClockSet = clock.source != .unset
    check.add(.nothingBegins, if: !schedule.hasRules && !isTriggered && recording.recorder.state != .recording)
    check.add(.scheduleOff, if: schedule.hasRules && schedule.isOff)
    let now = clock.unixNanoseconds / 1_000_000_000
    check.add(.endedByPerson, if: isClockSet && schedule.isEndedByPerson(at: now))
    check.add(.neverOpens, if: schedule.hasRules && isClockSet && check.scheduledSeconds == 0)
    // Nobody knows how much a trigger will record; a take begun by a person has no pauses.
    let wanted = schedule.hasRules ? check.scheduledSeconds : isTriggered ? 0 : Int64(check.days) * 86_400
    check.add(.cardFull, if: !schedule.isListening && forecastFacts.seconds.map { $0 < wanted } ?? false)
    check.add(.refusedFolder, if: recording.progress.hasRefusedFolder)
    let retention = settings.retention
    let isRemoved = retention.leastFreeByteCount > 0 || retention.days > 0 && retention.days < UInt32(check.days)
    check.add(.deletesTakes, if: isRemoved && !retention.takesOnlyCopied)
    check.add(.silentMicrophone, if: hearsNothing)
    let offset = context.localTime.utcOffsetSeconds(at: now)
    check.add(.sunElsewhere, if: settings.schedule.longitude.map { Self.isFar($0, fromOffset: offset) } ?? false)
    check.add(.tooWarm, if: heat.report.level > .cool)
    check.add(.noPreroll, if: settings.record.prerollSeconds == 0 || settings.record.arming == .atPress)
    check.add(.clockAlone, if: clock.source == .rtc)
    check.add(.noDeployment, if: !deployment.isOn)
  }

  /// Whether the sun is highest far from noon; by UTC it may be anywhere.
  private static func isFar(_ longitude: Double, fromOffset seconds: Int32) -> Bool {
    // No country's time is four hours away from the sun's.
    let hours = abs(longitude / 15 - Double(seconds) / 3600)
    return seconds != 0 && min(hours, 24 - hours) > 4
  }

  /// Whether each channel is quieter than a microphone can be.
  private var hearsNothing: Bool {
    let levels = recording.capture.levels
    guard recording.capture.microphone == .running, levels.channelCount > 0 else { return false }
    for channel in 0..<levels.channelCount where levels[channel].peak > Limits.deadPeak { return false }
    return true
  }
}

extension Limits {
  /// A peak that every microphone exceeds: the last two bits of 16, -84 dBFS.
  fileprivate static var deadPeak: Float { 2 / 32_768 }
}
