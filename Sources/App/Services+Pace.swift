import Base
import Configuration
import Console
import Machine
import Media
import Record

extension Services {
  /// How soon the loop must look again. What is not considered here is found at the next exchange: late, never lost.
  func pace(_ machine: borrowing Hardware, at now: Instant) -> LoopPace {
    let isMoving =
      panel.isBusy(machine.buttons, at: now) || recording.isServingPress || !recording.capture.zoom.motion.isResting
      || framing.isMoving(at: now) || stills.isAwaited || applications.isBusy || console.pending?.wantsEachTick == true
    if isMoving { return .everyTick }
    let isFollowed =
      liveView.isFollowed || !recording.isSteady || console.pending?.wantsEachExchange == true || !console.isDrained
      || console.isHearing
    if isFollowed { return .everyExchange }
    guard playback.isBusy else { return isIdle ? .idle : .atRest }
    return playback.patienceNanoseconds.map { .everyFeed(nanoseconds: $0) } ?? .everyExchange
  }

  /// Whether nothing is recorded, and nothing has to be known at the moment at which that changes.
  private var isIdle: Bool {
    recording.recorder.state == .idle && recording.capture.isClosed && !sleep.isChanging && !position.seeksTime
      && (sleep.isIdle || recording.form.content == .audio || !orientation.isFollowed)
  }

  /// When something is next due that an exchange does not cover; the far future if nothing is.
  var nextInstant: Instant {
    var next = min(sleep.isIdle ? .max : orientation.nextReading ?? .max, schedule.nextChange)
    if case .wait(let end) = console.pending { next = min(next, end) }
    return next
  }
}

extension PendingCommand {
  /// Whether the command waits for something that a worker or a service will do soon.
  fileprivate var wantsEachTick: Bool {
    switch self {
    case .wait, .top, .watch, .followedEvents, .hangul, .trigger: false
    default: true
    }
  }

  /// Whether the command redraws changing content until a key is pressed.
  fileprivate var wantsEachExchange: Bool {
    switch self {
    case .top, .watch, .followedEvents, .hangul, .trigger: true
    default: false
    }
  }
}
