import Base
import Configuration
import Console
import Kit
import Machine
import Playback
import Record

/// Closes the devices between the windows of the schedule, and has the machine suspended or powered off until shortly
/// before the next. A person wakes it at any time.
struct SleepService {
  private let settings: ScheduleSettings
  private let prerollSeconds: Int64
  private let localTime: LocalTime
  private let file: KeptText
  private(set) var phase = SleepPhase.awake
  private var plan: SleepPlan?
  /// The plan that a machine without power had; nil once it is compared with the clock.
  private var keptPlan: SleepPlan?
  /// What keeps the machine awake; nil if nothing does.
  private(set) var hindrance: SleepHindrance?
  /// When a person or a take last needed the machine.
  private var lastNeed: Instant
  /// When it left ``SleepPhase/awake``.
  private var start: Instant = 0
  private var nextLook: Instant = 0
  private var isHurried = false
  /// The ticket of the script's run, until that has ended.
  private var ticket: UInt32?
  /// The window before which the script refused to sleep; 0 for none.
  private var refusedStart: Int64 = 0
  private var sleepCount = 0
  private var missCount = 0
  /// A missed wake that is in no take's ledger yet; empty for none.
  var missed: FixedText<96> = ""

  init(
    _ settings: ScheduleSettings, prerollSeconds: Int64, localTime: LocalTime, _ file: KeptText,
    in storage: inout Storage, at now: Instant
  ) {
    lastNeed = now
    self.settings = settings
    self.prerollSeconds = prerollSeconds
    self.localTime = localTime
    self.file = file
    var start: Int64 = 0
    file.readOrSetAside(from: &storage) { text in
      text.forEachLine { line in
        if let value = line.removingPrefix("window = ") { start = value.parseInteger(as: Int64.self) ?? 0 }
      }
      return text.isEmpty || ClockSource.plausibleUnixSeconds.contains(start)
    }
    if ClockSource.plausibleUnixSeconds.contains(start) { keptPlan = SleepPlan(start: start, wake: start, depth: .off) }
  }

  /// A button was pressed, a key was typed, or something else happened that nobody wants to sleep through.
  mutating func noteNeed(at now: Instant) { lastNeed = now }

  /// Whether the loop rests for seconds.
  var isIdle: Bool { phase == .idle }

  /// Whether it is on its way to sleep or back.
  var isChanging: Bool { phase != .awake && phase != .idle }

  /// Whether the machine is or was suspended, and nothing is dated yet by the time that it is now.
  var isWaking: Bool { phase == .down || phase == .woken }

  func isDue(at now: Instant) -> Bool {
    now >= nextLook || phase == .writing || phase == .woken || isIdle && lastNeed > start
  }

  /// Once a second, and while something is awaited.
  /// - Parameters:
  ///   - hindrance: what keeps the machine awake besides people and near windows; nil if nothing does.
  ///   - next: when the next window opens, in Unix seconds; nil if none does, or the clock is not set.
  mutating func step(
    _ facts: SleepFacts, _ hindrance: SleepHindrance?, next: Int64?, _ system: inout SystemJob,
    _ console: inout ConsoleSession
  ) -> SleepStep {
    let now = console.now
    nextLook = now + Limits.sleepLookMilliseconds * 1_000_000
    comparePlan(facts, &console)
    self.hindrance = hindrance ?? (phase == .awake ? planNext(facts, next, at: now) : nil)
    switch phase {
    case .awake:
      guard self.hindrance == nil, let plan else { return .none }
      isHurried = false
      (phase, start) = (.closing, now)
      console.announce("sleep: \(plan.depth.name) until \(text(plan.wake))" as FixedText<128>)
      return .close
    case .closing, .writing, .idle:
      guard let plan, self.hindrance == nil, lastNeed <= start, facts.unixSeconds < plan.wake else {
        return wakeUp(facts, &console)
      }
      goDown(plan, facts, &system, &console)
    // A script that does not end must not cost the window.
    case .down: if facts.unixSeconds >= (plan?.wake ?? 0) + Limits.sleepReplySeconds { phase = .woken }
    case .woken: return wakeUp(facts, &console)
    case .goingOff(let since):
      guard now.distance(since: since) >= Limits.goingOffSeconds * 1_000_000_000 else { break }
      console.announce("sleep: the machine is not powered off, it only idles", as: .warning)
      idle()
    }
    return .none
  }

  /// - Returns: what is in the way of sleeping until the next window; nil for nothing: ``plan`` is then made.
  private mutating func planNext(_ facts: SleepFacts, _ next: Int64?, at now: Instant) -> SleepHindrance? {
    guard let next else { return .noWindow }
    let wake = next - prerollSeconds - Int64(settings.wakeBeforeSeconds)
    let gap = wake - facts.unixSeconds
    guard gap >= Limits.leastIdleSeconds else { return .nearWindow }
    guard isHurried || now.distance(since: lastNeed) >= UInt64(settings.sleepAfterSeconds) * 1_000_000_000 else {
      return .person
    }
    let least = settings.sleep == .powerOff ? Limits.leastPowerOffSeconds : Limits.leastSuspendSeconds
    plan = SleepPlan(start: next, wake: wake, depth: gap < least || next == refusedStart ? .idle : settings.sleep)
    return nil
  }

  /// The next step on the way to sleep, once the devices are closed.
  private mutating func goDown(
    _ plan: SleepPlan, _ facts: SleepFacts, _ system: inout SystemJob, _ console: inout ConsoleSession
  ) {
    guard facts.isClosed, phase != .idle else { return }
    guard plan.depth != .idle, ticket == nil else { return phase = .idle }
    guard !file.isBeingWritten else { return }
    guard phase == .writing else {
      file.write("window = \(plan.start)\n")
      return phase = .writing
    }
    // Without the file, only a missed wake is not reported after the next start.
    if let failure = file.failure { console.announce(failure) }
    let left = UInt64(max(plan.wake - facts.unixSeconds, 0))
    let order = SleepOrder(
      plan.depth == .suspend ? .suspend : .powerOff, board: settings.wakeBoard.name, unixSeconds: plan.wake,
      patienceSeconds: Limits.sleepScriptSeconds + (plan.depth == .suspend ? left : 0))
    ticket = system.send(.sleep(order), &console)
    if ticket != nil { phase = .down }
  }

  /// Takes a reply of the system if it is meant for this service.
  /// - Returns: whether the machine has been suspended and is awake again.
  mutating func serve(
    _ reply: DeviceResult<InspectorReply>, _ ticket: UInt32, _ console: inout ConsoleSession
  ) -> Bool {
    guard ticket == self.ticket else { return false }
    self.ticket = nil
    if case .failed(let failure) = reply {
      console.announce(failure)
      if phase == .down { idle() }
      return false
    }
    if plan?.depth != .powerOff { sleepCount += 1 }
    guard phase == .down else { return false }
    phase = plan?.depth == .powerOff ? .goingOff(since: console.now) : .woken
    return phase == .woken
  }

  /// Only idles until the next window, because the machine cannot do more.
  private mutating func idle() {
    refusedStart = plan?.start ?? 0
    phase = .idle
  }

  private mutating func wakeUp(_ facts: SleepFacts, _ console: inout ConsoleSession) -> SleepStep {
    if let plan, facts.unixSeconds > plan.start { noteMiss(plan.start, facts, &console) }
    console.announce("sleep: awake")
    phase = .awake
    plan = nil
    lastNeed = console.now
    if !file.isBeingWritten { file.write("") }
    return .open
  }

  /// After a start, once the clock is set: whether the machine should have been awake earlier.
  private mutating func comparePlan(_ facts: SleepFacts, _ console: inout ConsoleSession) {
    guard facts.isClockSet, !file.isBeingWritten, let kept = keptPlan.take() else { return }
    sleepCount += 1
    if facts.unixSeconds > kept.start { noteMiss(kept.start, facts, &console) }
    file.write("")
  }

  private mutating func noteMiss(_ start: Int64, _ facts: SleepFacts, _ console: inout ConsoleSession) {
    missCount += 1
    missed = "the wake for \(text(start)) was missed by \(facts.unixSeconds - start) s"
    console.announce(missed, as: .warning)
  }

  private func text(_ unixSeconds: Int64) -> FixedText<32> { localTime.civilTime(unixSeconds: unixSeconds).iso8601 }
}

extension SleepService {
  /// Runs `sleep`.
  mutating func run(_ command: SleepCommand, _ console: inout ConsoleSession) {
    switch command {
    case .show(let form): report(form, &console)
    case .now:
      switch hindrance {
      case nil, .person:
        isHurried = true
        nextLook = 0
        console.answer("the machine sleeps in a moment")
      case let other?: console.refuse("the machine stays awake: \(other.name)" as FixedText<96>)
      }
    }
  }

  private func report(_ form: StatusForm, _ console: inout ConsoleSession) {
    console.beginReport(form)
    console.fact("setting", "setting", .name(settings.sleep.name))
    console.fact("state", "state", .name(stateName))
    console.fact("board", "board", .name(settings.wakeBoard.name))
    console.fact("sleeps until", "wake", text: plan.map { text($0.wake) } ?? "")
    console.fact("for the window of", "window", text: plan.map { text($0.start) } ?? "")
    console.fact("kept awake by", "kept_awake_by", hindrance.map { .word($0.name) } ?? .none)
    console.fact("sleeps", "sleeps", .count(sleepCount))
    console.fact("missed wakes", "missed_wakes", .count(missCount))
    console.endReport()
  }

  /// The name in `status json`.
  var stateName: StaticString { phase == .awake ? "awake" : phase == .idle ? "idle" : plan?.depth.name ?? "awake" }
}

enum SleepPhase: Equatable {
  case awake
  /// The devices are being closed.
  case closing
  /// The window until which the machine sleeps is being written to the card.
  case writing
  /// The devices are closed, and nothing more is done.
  case idle
  /// The script runs.
  case down
  case woken
  /// The machine should be without power soon.
  case goingOff(since: Instant)
}

private struct SleepPlan {
  /// When the window opens, in Unix seconds.
  let start: Int64
  /// When the machine is to be awake.
  let wake: Int64
  let depth: SleepSetting
}

struct SleepFacts {
  let unixSeconds: Int64
  let isClockSet: Bool
  /// Whether microphone and camera are closed, and the rings are empty.
  let isClosed: Bool
}

/// What the caller must do with the devices.
enum SleepStep {
  case none
  case close
  case open
}

/// What keeps the machine awake.
enum SleepHindrance: UInt8 {
  case off
  case noRules
  case scheduleOff
  case clockUnset
  case trigger
  case window
  case noWindow
  case nearWindow
  case take
  case failure
  case playback
  case update
  case person

  /// At most 40 columns.
  var name: StaticString {
    switch self {
    case .off: "[schedule] sleep is off"
    case .noRules: "there is no rule"
    case .scheduleOff: "the schedule is off"
    case .clockUnset: "the clock is not set"
    case .trigger: "the trigger listens all the time"
    case .window: "a window is open"
    case .noWindow: "no window follows"
    case .nearWindow: "the next window is near"
    case .take: "a take is open"
    case .failure: "the last take could not be saved"
    case .playback: "something is played, or listened to"
    case .update: "an update is under way"
    case .person: "somebody has just used it"
    }
  }
}

extension Limits {
  /// How often the machine's sleep is considered.
  static var sleepLookMilliseconds: UInt64 { 1000 }

  /// A gap for which the devices are not worth closing, and gaps that are too short to suspend or to power off: a
  /// Raspberry Pi boots in half a minute, and each start costs as much as a minute of waiting.
  static var leastIdleSeconds: Int64 { 10 }
  static var leastSuspendSeconds: Int64 { 60 }
  static var leastPowerOffSeconds: Int64 { 300 }

  /// How long a board's script may take: its chip is asked a dozen times over a slow bus.
  static var sleepScriptSeconds: UInt64 { 30 }

  /// How long after the planned time the script may still be about to end.
  static var sleepReplySeconds: Int64 { 2 }

  /// How long a machine may take to power itself off: an open file is finished within two minutes.
  static var goingOffSeconds: UInt64 { 180 }
}

extension Services {
  /// At each exchange: sends the machine to sleep, or wakes it.
  mutating func stepSleep(_ machine: borrowing Hardware, at now: Instant) {
    let isTyped = console.isHearing || console.pending.map { if case .wait = $0 { false } else { true } } ?? false
    if isTyped || recording.hasOpenTake { sleep.noteNeed(at: now) }
    guard sleep.isDue(at: now) else { return }
    let state = recording.recorder.state
    let unixSeconds = machine.clock.unixSeconds
    // The system is asked only if the time itself does not tell.
    let isClockSet = ClockSource.plausibleUnixSeconds.contains(unixSeconds) || machine.clock.source != .unset
    let hindrance = isClockSet ? sleepHindrance : .clockUnset
    let step = sleep.step(
      SleepFacts(
        unixSeconds: unixSeconds, isClockSet: isClockSet,
        isClosed: state == .idle || state == .failed && recording.capture.isClosed),
      hindrance, next: hindrance == nil ? schedule.nextStart(after: unixSeconds) : nil, &inquiries.system, &console)
    if sleep.isWaking { clock.hasten() }
    recording.follow(step, at: now)
    if !sleep.missed.isEmpty {
      recording.missedWake = sleep.missed
      sleep.missed.removeAll()
    }
  }

  /// What keeps the machine awake whatever the time is and whoever is near.
  private var sleepHindrance: SleepHindrance? {
    if context.settings.schedule.sleep == .off { return .off }
    if !schedule.hasRules { return .noRules }
    if schedule.isOff { return .scheduleOff }
    if trigger.settings.source != .off, !trigger.settings.isScheduled { return .trigger }
    if schedule.isWanted { return .window }
    if playback.isBusy || liveView.isFollowed { return .playback }
    if updates.isBusy { return .update }
    switch recording.recorder.state {
    case .recording, .finishing, .opening: return .take
    case .failed: return recording.capture.isClosed ? nil : .failure
    case .idle, .preparing, .closing, .emptying: return nil
    }
  }
}

extension RecordingService {
  /// Closes the devices until the machine is awake again, or opens them.
  mutating func follow(_ step: SleepStep, at now: Instant) {
    switch step {
    case .none: break
    case .close:
      isAsleep = true
      closeDevices(on: .devicesChanged, at: now)
    case .open:
      isAsleep = false
      if settings.record.arming == .atBoot, recorder.state == .idle { arm(at: now) }
    }
  }
}
