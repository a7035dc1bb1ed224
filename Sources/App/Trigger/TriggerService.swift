import Base
import Configuration
import Console
import Kit
import Machine
import Media
import Record

/// Begins takes by sound or motion, and ends those. A person's press wins: a take that a person began is left alone.
///
/// The levels are measured by the worker that reads the sample ring, ten times a second, so that the loop only compares
/// numbers; motion by the worker that reads the picture ring, five times a second. What it finds is at most 0.3 s old,
/// and the pre-roll holds more than that.
struct TriggerService: ~Copyable {
  private let place = StaysInPlace()
  private(set) var settings: TriggerSettings
  private(set) var bands: SoundBands
  private var sound: Poll<TriggerRequest, TriggerLevels>
  private var picture: Poll<MotionRequest, Double>
  var run = TriggerRun()
  /// What `trigger watch` would do.
  var watched = TriggerRun()
  /// The rate that was last announced as too low.
  private var lowRateHz: UInt32 = 0
  /// What began the newest take, and when.
  var fired: (fact: TriggerFact, at: Instant)?
  var firedCount: UInt32 = 0
  /// When the next rise may be noted during a take.
  var nextNote: Instant = 0
  var learned = LevelCounts()
  /// When `trigger watch` prints the next line, if there is no terminal.
  var nextLine: Instant = 0

  init(
    _ settings: TriggerSettings, _ worker: consuming Job<TriggerRequest, TriggerReply>,
    _ watcher: consuming Job<MotionRequest, MotionReply>
  ) {
    self.settings = settings
    bands = settings.bands
    sound = Poll(worker, everyMilliseconds: Limits.triggerMilliseconds)
    picture = Poll(watcher, everyMilliseconds: Limits.motionMilliseconds)
  }

  /// Applies changed settings.
  mutating func follow(_ settings: TriggerSettings) {
    self.settings = settings
    bands = settings.bands
  }

  /// The name of what is measured at a place: `level`, `2000-5000 Hz`.
  func name(of place: Int) -> FixedText<16> {
    if place == TriggerLevels.motion { return "motion" }
    return place > 0 ? bands[place - 1]?.name ?? "" : "level"
  }

  /// The newest levels; nil while there is no sound.
  var levels: TriggerLevels? { sound.newest }

  /// The part of the picture that moves, in percent; nil while there are no pictures, or they do not count.
  var motion: Double? { picture.newest }

  /// The newest levels, and motion.
  var measured: TriggerLevels {
    var measured = levels ?? TriggerLevels()
    measured[TriggerLevels.motion] = motion ?? 0
    return measured
  }

  /// What an interrupted take that no person began does at boot: with a trigger set, it ends like one that a trigger
  /// began.
  static func wish(_ settings: Settings) -> ScheduleWish {
    if settings.schedule.hasRules { return .unknown }
    return settings.trigger.source == .off ? .anything : .take(.trigger(nil))
  }

  /// The same once the schedule is known.
  func wish(_ schedule: ScheduleWish) -> ScheduleWish {
    guard settings.source != .off, schedule != .unknown else { return schedule }
    if settings.isScheduled { return schedule.cause == nil ? .nothing : .take(.trigger(nil)) }
    return schedule.cause == nil ? .take(.trigger(nil)) : schedule
  }

  /// Whether a take may begin, as far as the schedule is concerned.
  func mayBegin(_ schedule: ScheduleWish) -> Bool { !settings.isScheduled || schedule.cause != nil }

  /// Takes the workers' answers, and asks for the next.
  /// - Parameters:
  ///   - format: the microphone's; nil while there is none, or its levels do not count.
  ///   - hasCamera: whether there are pictures.
  /// - Returns: whether there is something new: levels, motion, or that there are none.
  mutating func follow(_ format: AudioFormat?, hasCamera: Bool, _ console: inout ConsoleSession) -> Bool {
    if let format { tellLowRate(format.sampleRateHz, &console) }
    let isHeard = sound.step(format.map { TriggerRequest(format: $0, bands: bands) }, &console)
    let zones = MotionRequest(zones: settings.motionZones, sensitivity: settings.motionSensitivity)
    let isSeen = picture.step(hasCamera && settings.source.hasMotion ? zones : nil, &console)
    return isHeard || isSeen
  }

  private mutating func tellLowRate(_ rateHz: UInt32, _ console: inout ConsoleSession) {
    guard bands.highestHz > rateHz / 2, lowRateHz != rateHz else { return }
    lowRateHz = rateHz
    console.announce(
      "trigger: the microphone's rate is \(rateHz) Hz: above half of it no band hears anything" as FixedText<128>,
      as: .warning)
  }

  /// Notes what begins a take.
  mutating func fire(_ place: Int, at now: Instant) -> TriggerFact {
    let fact = fact(of: place)
    fired = (fact, now)
    firedCount += 1
    return fact
  }

  func fact(of place: Int) -> TriggerFact {
    TriggerFact(
      name: name(of: place), value: measured[place], isMotion: place == TriggerLevels.motion,
      start: place == TriggerLevels.motion ? settings.motionStartPercent : settings.startDecibels)
  }
}

/// A question that a worker is asked again and again, and its newest answer.
private struct Poll<Request: BitwiseCopyable, Answer: BitwiseCopyable>: ~Copyable {
  /// The newest answer; nil if there was none for ``Limits/triggerSilenceMilliseconds``.
  private(set) var newest: Answer?
  private var worker: Job<Request, Answer?>
  private let nanoseconds: UInt64
  private var isAsked = false
  private var nextRequest: Instant = 0
  /// When the newest answer came, or was missed.
  private var answeredAt: Instant = 0

  init(_ worker: consuming Job<Request, Answer?>, everyMilliseconds milliseconds: UInt64) {
    self.worker = worker
    nanoseconds = milliseconds * 1_000_000
  }

  /// - Parameter request: nil if there is nothing to ask about.
  /// - Returns: whether an answer has come, or is missing.
  mutating func step(_ request: Request?, _ console: inout ConsoleSession) -> Bool {
    let now = console.now
    var isNew = false
    while worker.hasNews(for: console), case .unattended(let answer, _) = worker.next(&console) {
      isAsked = false
      guard let answer else { continue }
      newest = answer
      isNew = true
    }
    if let request, !isAsked, now >= nextRequest {
      isAsked = worker.send(request, &console) != nil
      nextRequest = now + nanoseconds
    }
    if !isNew, now.distance(since: answeredAt) >= Limits.triggerSilenceMilliseconds * 1_000_000 {
      newest = nil
      isNew = true
    }
    if isNew { answeredAt = now }
    return isNew
  }
}

/// Why a trigger begins a take.
struct TriggerFact: Equatable {
  /// What was loud, or moved: `level`, `2000-5000 Hz`, `motion`.
  let name: FixedText<16>
  /// Its level in dBFS, or motion in percent.
  let value: Double
  let isMotion: Bool
  /// The threshold.
  let start: Double

  /// `2000-5000 Hz: -31.2 dBFS, start_db -40.0`, `motion: 7.8 %, motion_start_percent 3.0`
  var text: FixedText<64> {
    isMotion
      ? "\(name): \(value, decimals: 1) %, motion_start_percent \(start, decimals: 1)"
      : "\(name): \(value, decimals: 1) dBFS, start_db \(start, decimals: 1)"
  }
}

extension Services {
  /// At each wake: follows the sound.
  mutating func stepTrigger(_ machine: inout Hardware, at now: Instant) {
    var isWatched = false
    if case .trigger = console.pending { isWatched = true }
    let standing = recording.standing
    guard trigger.settings.source != .off || isWatched else {
      if standing == .byTrigger { recording.run(.endOfTrigger(isQuiet: true), &machine, &console, at: now) }
      return
    }
    let hearsSound = trigger.settings.source.hasSound || isWatched
    let isNew = trigger.follow(
      hearsSound ? recording.capture.audioFormat : nil, hasCamera: recording.capture.videoFormat != nil, &console)
    if isNew, trigger.settings.source != .off { follow(trigger.measured, standing, &machine, at: now) }
    if isWatched { advanceTrigger(isNew: isNew, at: now) }
  }

  private mutating func follow(
    _ levels: TriggerLevels, _ standing: TakeStanding, _ machine: inout Hardware, at now: Instant
  ) {
    let settings = trigger.settings
    switch standing {
    case .byTrigger: trigger.run.goOn(at: now)
    case .none, .byPerson, .bySchedule, .byTimecode:
      guard trigger.run.isRecording else { break }
      // A person has ended the take, the schedule has taken it over, or it has failed.
      let start = trigger.fired?.at ?? 0
      let hasFailed = recording.recorder.state == .failed || recording.lossOfTake.map { $0 >= start } ?? false
      let milliseconds = hasFailed ? Limits.scheduleRetryMilliseconds : 0
      trigger.run.rest(from: now, settings, atLeastMilliseconds: milliseconds)
    case .changing: break
    }
    let mayBegin = standing == .none && !recording.lacksPower && trigger.mayBegin(schedule.wish)
    switch trigger.run.hear(levels, settings, mayBegin: mayBegin, at: now) {
    case .nothing: break
    case .begin(let place):
      recording.run(.begin(.trigger(trigger.fire(place, at: now))), &machine, &console, at: now)
    case .rise(let place):
      guard recording.isTakeOpen, now >= trigger.nextNote else { break }
      trigger.nextNote = now + Limits.triggerNoteMilliseconds * 1_000_000
      recording.ledger.note("trigger \(trigger.fact(of: place).text)", at: recording.capture.position(at: now))
    case .end(let isQuiet):
      if standing == .byTrigger { recording.run(.endOfTrigger(isQuiet: isQuiet), &machine, &console, at: now) }
    }
  }
}

extension Limits {
  /// How often the levels are asked for: with a loop at rest, at each of its exchanges.
  static var triggerMilliseconds: UInt64 { 90 }

  /// How often the picture is looked at.
  static var motionMilliseconds: UInt64 { 180 }

  /// After this long without levels it counts as silent, so that a take without a microphone ends.
  static var triggerSilenceMilliseconds: UInt64 { 1000 }

  /// The shortest time between two entries of a take's ledger about what rose above the threshold.
  static var triggerNoteMilliseconds: UInt64 { 1000 }
}

/// How a trigger reacts to the levels, one after another.
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
