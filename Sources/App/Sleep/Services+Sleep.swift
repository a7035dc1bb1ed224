import Base
import Configuration
import Console
import Kit
import Machine
import Playback
import Record

extension Services {
  /// At each exchange: sends the machine to sleep, or wakes it.
  mutating func stepSleep(_ machine: borrowing Hardware, at now: Instant) {
    let isTyped = console.isHearing || console.pending.map { if case .wait = $0 { false } else { true } } ?? false
    if isTyped || recording.hasOpenTake { sleep.noteNeed(at: now) }
    guard sleep.isDue(at: now) else { return }
    let isClockSet = machine.clock.source != .unset
    let state = recording.recorder.state
    let unixSeconds = machine.clock.unixSeconds
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
