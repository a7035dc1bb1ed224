import Base
import Configuration
import Kit

/// What a trigger makes of the levels, one after another.
struct TriggerRun {
  private enum Phase {
    /// Until this instant nothing begins.
    case waiting(from: Instant)
    /// A take is open since this instant.
    case recording(since: Instant)
  }

  enum Verdict: Equatable {
    case nothing
    /// A take begins, because of the level at this place.
    case begin(place: Int)
    /// The level at this place rose above the threshold, and no take begins.
    case rise(place: Int)
    /// The take ends: it was quiet for long enough, or the take is too long.
    case end(isQuiet: Bool)
  }

  private var phase = Phase.waiting(from: 0)
  /// The places that are loud, or moving, each a bit: from the higher threshold up, until they are below the lower one.
  private var loud: UInt8 = 0
  /// When one of them was loud last.
  private var lastLoud: Instant = 0

  /// Follows the newest levels.
  /// - Parameter mayBegin: whether a take can begin now.
  mutating func hear(
    _ levels: TriggerLevels, _ settings: TriggerSettings, mayBegin: Bool, at now: Instant
  ) -> Verdict {
    let source = settings.source
    var loudest: Int?
    var highest = 0.0
    let before = loud
    for place in 0...TriggerLevels.motion {
      let isMotion = place == TriggerLevels.motion
      let counts =
        isMotion
        ? source.hasMotion
        : source.hasBands ? (1..<settings.bands.count + 1).contains(place) : source.hasSound && place == 0
      let excess = levels[place] - (isMotion ? settings.motionStartPercent : settings.startDecibels)
      if counts, excess >= 0 {
        loud |= 1 << UInt8(place)
        if loudest == nil || excess > highest { (loudest, highest) = (place, excess) }
      } else if !counts || levels[place] < (isMotion ? settings.motionStopPercent : settings.stopDecibels) {
        loud &= ~(1 << UInt8(place))
      }
    }
    if loud != 0 { lastLoud = now }
    switch phase {
    case .waiting(let start):
      guard mayBegin, now >= start, let loudest else { break }
      phase = .recording(since: now)
      return .begin(place: loudest)
    case .recording(let start):
      let isQuiet = now.distance(since: lastLoud) >= nanoseconds(settings.holdSeconds)
      let longest = UInt64(settings.longestSeconds) * 1_000_000_000
      guard isQuiet || longest > 0 && now.distance(since: start) >= longest else { break }
      rest(from: now, settings)
      return .end(isQuiet: isQuiet)
    }
    return loudest.flatMap { before & 1 << UInt8($0) == 0 ? .rise(place: $0) : nil } ?? .nothing
  }

  /// Follows a take that goes on, and ends like one that began now.
  mutating func goOn(at now: Instant) {
    guard case .waiting = phase else { return }
    phase = .recording(since: now)
    lastLoud = now
  }

  /// Begins nothing for a while, as after a take.
  mutating func rest(from now: Instant, _ settings: TriggerSettings, atLeastMilliseconds milliseconds: UInt64 = 0) {
    phase = .waiting(from: now + max(nanoseconds(settings.rearmSeconds), milliseconds * 1_000_000))
  }

  var isRecording: Bool { if case .recording = phase { true } else { false } }

  /// Whether nothing begins yet because of the last take.
  func isResting(at now: Instant) -> Bool { if case .waiting(let start) = phase { now < start } else { false } }

  private func nanoseconds(_ seconds: Double) -> UInt64 { UInt64(seconds * 1e9) }
}
