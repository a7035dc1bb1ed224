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
  private var worker: Job<TriggerRequest, TriggerReply>
  private var watcher: Job<MotionRequest, MotionReply>
  var run = TriggerRun()
  /// What `trigger watch` would do.
  var watched = TriggerRun()
  /// The newest levels; nil while there is no sound.
  private(set) var levels: TriggerLevels?
  /// The part of the picture that moves, in percent; nil while there are no pictures, or they do not count.
  private(set) var motion: Double?
  /// When that became known.
  private var seenAt: Instant = 0
  private var isWatcherAsked = false
  private var nextLook: Instant = 0
  /// When the newest levels came, or were missed.
  private(set) var heardAt: Instant = 0
  private var isAsked = false
  private var nextRequest: Instant = 0
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
    self.worker = worker
    self.watcher = watcher
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

  /// Takes the worker's answer, and asks for the next.
  /// - Parameter format: the microphone's; nil while there is none.
  /// - Returns: whether there is something new: levels, or silence for lack of them.
  mutating func listen(_ format: AudioFormat?, _ console: inout ConsoleSession) -> Bool {
    let now = console.now
    var isNew = false
    while worker.hasNews(for: console), case .unattended(let heard, _) = worker.next(&console) {
      isAsked = false
      guard let heard else { continue }
      levels = heard
      isNew = true
    }
    if let format, !isAsked, now >= nextRequest {
      isAsked = worker.send(TriggerRequest(format: format, bands: bands), &console) != nil
      nextRequest = now + Limits.triggerMilliseconds * 1_000_000
      tellLowRate(format.sampleRateHz, &console)
    }
    if !isNew, now.distance(since: heardAt) >= Limits.triggerSilenceMilliseconds * 1_000_000 {
      levels = nil
      isNew = true
    }
    if isNew { heardAt = now }
    return isNew
  }

  /// The same for the picture.
  mutating func look(hasCamera: Bool, _ console: inout ConsoleSession) -> Bool {
    let now = console.now
    var isNew = false
    while watcher.hasNews(for: console), case .unattended(let seen, _) = watcher.next(&console) {
      isWatcherAsked = false
      guard let seen else { continue }
      motion = seen
      seenAt = now
      isNew = true
    }
    if hasCamera, settings.source.hasMotion, !isWatcherAsked, now >= nextLook {
      let request = MotionRequest(zones: settings.motionZones, sensitivity: settings.motionSensitivity)
      isWatcherAsked = watcher.send(request, &console) != nil
      nextLook = now + Limits.motionMilliseconds * 1_000_000
    }
    if motion != nil, now.distance(since: seenAt) >= Limits.triggerSilenceMilliseconds * 1_000_000 {
      motion = nil
      isNew = true
    }
    return isNew
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
    let isSeen = trigger.look(hasCamera: recording.capture.videoFormat != nil, &console)
    let isNew = trigger.listen(hearsSound ? recording.capture.audioFormat : nil, &console) || isSeen
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
      guard recording.recorder.state == .recording, now >= trigger.nextNote else { break }
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
