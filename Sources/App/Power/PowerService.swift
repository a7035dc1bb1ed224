import Base
import Console
import Machine

/// Has the keeper switch off what the configuration names, and switch it on again at the end; reports what is on.
struct PowerService {
  private var wishes: PowerWishes
  /// Whether the live view needs the HDMI connector.
  private let isDisplayUsed: Bool
  /// The newest state of each part; nil until it is known.
  private var report: PowerReport?
  /// Since when each part has been in its state, as far as the recorder has seen it.
  private var starts = PerPowerPart<Instant>(repeating: 0)
  /// Looks at the parts and changes them, as long as any is to be changed.
  private var look: PolledInquiry
  private var phase = Phase.starting

  private enum Phase: Equatable {
    /// A part that is absent is given time to appear.
    case starting
    case running
    /// The end of the program waits until then.
    case ending(until: Instant)
  }

  init(wishes: PowerWishes, isDisplayUsed: Bool) {
    self.wishes = wishes
    self.isDisplayUsed = isDisplayUsed
    look = PolledInquiry(due: wishes.isEmpty ? nil : 0)
  }

  /// What the keeper is to do.
  var order: PowerWishes {
    var order = wishes
    if isDisplayUsed { order.hdmi = .unchanged }
    return order
  }

  /// Applies changed settings.
  mutating func follow(_ wishes: PowerWishes) {
    self.wishes = wishes
    look.hasten(to: 0)
    phase = .running
  }

  /// At each exchange: parts that have appeared since the last look are switched off too.
  mutating func step(_ system: inout SystemJob, _ console: inout ConsoleSession) {
    guard look.isDue(at: console.now) else { return }
    look.ask(.power(order), againAfter: wishes.isEmpty ? nil : Limits.powerLookSeconds, &system, &console)
  }

  /// Takes a reply of the system if it is meant for this service.
  mutating func serve(_ reply: DeviceResult<InspectorReply>, _ ticket: UInt32, _ console: inout ConsoleSession) {
    if look.takesReply(ticket), case .done(.power(let report)) = reply { take(report, &console) }
  }

  /// Notes the state of the parts, and reports what could not be changed.
  mutating func take(_ fresh: PowerReport, _ console: inout ConsoleSession) {
    var fresh = fresh
    if isDisplayUsed, wishes.hdmi == .off { fresh[Int(PowerPart.hdmi.rawValue)].failure = Self.displayIsUsed }
    for index in fresh.indices {
      let old = report?[index]
      if old == nil { starts[index] = console.start ?? console.now }
      if let old, old.state != fresh[index].state { starts[index] = console.now }
      // The driver of a radio may be loaded later.
      if fresh[index].failure?.kind == .absent, phase == .starting { fresh[index].failure = nil }
      guard let failure = fresh[index].failure, failure.problemLine != old?.failure?.problemLine else { continue }
      console.announce(failure)
    }
    if phase == .starting { phase = .running }
    report = fresh
  }

  /// Called until the end of the program: has everything switched back.
  /// - Returns: whether that is done, or takes too long.
  mutating func finish(_ system: inout SystemJob, _ console: inout ConsoleSession) -> Bool {
    guard case .ending(let end) = phase else {
      guard look.isActive else { return true }
      phase = .ending(until: console.now + Limits.jobSpaceMilliseconds * 1_000_000)
      wishes = PowerWishes()
      look.ask(.power(wishes), againAfter: nil, &system, &console)
      return false
    }
    return !look.isOpen || console.now >= end
  }

  private static var displayIsUsed: DeviceFailure {
    DeviceFailure(
      device: .power, kind: .busy, subject: "\(PowerPart.hdmi.name)", problem: "is in use by the live view",
      remedy: "set [view] device = none, or set it to unchanged under [power]")
  }
}

extension PowerService {
  /// `power`.
  func report(_ form: StatusForm, _ console: inout ConsoleSession) {
    guard let report else { return console.complete() }
    console.beginReport(form)
    console.beginRows("parts", "part        setting       now                for")
    for index in report.indices {
      let part = PowerPart.all[index]
      console.beginRow()
      console.cell("name", .name(part.name), columns: 12)
      console.cell("setting", .name(wishes.word(for: part)), columns: 14)
      switch report[index].state {
      case .governor(let name): console.cell("state", text: name.bytes, columns: 13)
      case let state: console.cell("state", .word(state.name), columns: 13)
      }
      let seconds = console.now.distance(since: starts[index]) / 1_000_000_000
      console.cell("seconds", .count(seconds), as: "\(duration: seconds)", columns: 9)
      if let failure = report[index].failure {
        console.member("problem", .word(failure.problem))
        console.member("remedy", .word(failure.remedy))
      }
      console.endRow()
    }
    console.endRows()
    for index in report.indices where form == .lines {
      if let failure = report[index].failure { console.reply(failure.line) }
    }
    console.endReport()
  }

  /// What `status` says about the parts that are to be changed; nothing if there are none.
  func reportStatus(_ console: inout ConsoleSession) {
    guard !wishes.isEmpty, let report else { return }
    var states = FixedText<128>()
    console.beginObject("power")
    for index in report.indices {
      let part = PowerPart.all[index]
      guard wishes.includes(part) else { continue }
      let state = report[index].state.text
      console.member(part.name, text: state.bytes)
      if !states.isEmpty { states.append(", ") }
      states.append("\(part.name) \(state)" as FixedText<32>)
    }
    console.endObject()
    console.line("power        \(states)")
  }
}

extension PowerState {
  /// The name in text and machine-readable output; a governor has its own.
  fileprivate var name: StaticString {
    switch self {
    case .absent: "absent"
    case .on, .governor: "on"
    case .off: "off"
    }
  }

  fileprivate var text: FixedText<16> {
    if case .governor(let name) = self { name } else { "\(name)" }
  }
}

extension Limits {
  /// The interval between looks at parts that are to be off. Each reads some dozen files of sysfs; what is plugged in
  /// meanwhile stays on for so long.
  static var powerLookSeconds: UInt64 { 60 }
}
