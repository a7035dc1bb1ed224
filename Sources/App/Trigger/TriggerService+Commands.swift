import Base
import Configuration
import Console
import Kit
import Record

/// How often each level was heard, in steps of 1 dB, and each motion seen, in steps of 1 % below 100.
struct LevelCounts {
  private static let stepCount = 145
  private var counts = InlineArray<870, UInt16>(repeating: 0)

  mutating func add(_ levels: TriggerLevels) {
    for place in 0...TriggerLevels.motion {
      let level = place == TriggerLevels.motion ? levels[place] - 100 : levels[place]
      let step = min(max(Int(-level), 0), Self.stepCount - 1)
      counts[place * Self.stepCount + step] &+= 1
    }
  }

  /// The level in dBFS, rounded up, above which the sound at a place was for a hundredth of the time.
  func noise(at place: Int) -> Double {
    var (total, above) = (0, 0)
    for step in 0..<Self.stepCount { total += Int(counts[place * Self.stepCount + step]) }
    for step in 0..<Self.stepCount {
      above += Int(counts[place * Self.stepCount + step])
      if above > 0, above * 100 >= total { return -Double(step) }
    }
    return TriggerLevels.silence
  }
}

extension Services {
  /// Runs `trigger`.
  mutating func run(_ command: TriggerCommand, at now: Instant) {
    if case .show = command {
    } else if trigger.settings.source.hasMotion, recording.capture.videoFormat == nil {
      return console.refuse("the camera is not open: arm the recorder first")
    } else if trigger.settings.source != .motion, recording.capture.audioFormat == nil {
      return console.refuse("the microphone is not open: arm the recorder first")
    }
    switch command {
    case .show(let form): console.pending = .trigger(.showing(form, since: now))
    case .watch:
      trigger.watched = TriggerRun()
      trigger.nextLine = 0
      let seconds = console.isTerminal ? Limits.triggerWatchSeconds : Limits.triggerLinesSeconds
      console.pending = .trigger(.watching(until: now + seconds * 1_000_000_000))
    case .learn(let seconds):
      trigger.learned = LevelCounts()
      console.pending = .trigger(.learning(from: now, until: now + UInt64(seconds) * 1_000_000_000))
    }
  }

  /// At each wake while one of the commands is pending.
  /// - Parameter isNew: whether levels have come.
  mutating func advanceTrigger(isNew: Bool, at now: Instant) {
    guard case .trigger(let task) = console.pending, console.canReply else { return }
    switch task {
    case .showing(let form, let start):
      if isNew || trigger.settings.source != .off && (trigger.levels != nil || trigger.motion != nil)
        || recording.capture.audioFormat == nil
        || now.distance(since: start) >= Limits.triggerSilenceMilliseconds * 1_000_000
      {
        let name = trigger.stateName(mayBegin: trigger.mayBegin(schedule.wish), at: now)
        trigger.report(form, name, &console)
      } else if console.takeInterrupt() {
        console.complete()
      }
    case .watching(let end):
      if console.isTerminal ? console.takeKey() : console.takeInterrupt() {
        if console.isTerminal { console.drawRow("") }
        console.complete()
      } else if now >= end {
        if console.isTerminal { console.drawRow("") }
        console.complete()
      } else if isNew {
        trigger.watch(&console)
      }
    case .learning(let start, let end):
      if console.takeInterrupt() { return console.complete() }
      // The filters settle first.
      if isNew, now.distance(since: start) >= 500_000_000 {
        if trigger.levels != nil || trigger.motion != nil { trigger.learned.add(trigger.measured) }
      }
      if now >= end { trigger.tellLearned(&console) }
    }
  }
}

extension TriggerService {
  /// For `status` and `trigger`.
  func stateName(mayBegin: Bool, at now: Instant) -> StaticString {
    if settings.source == .off { return "off" }
    if run.isRecording { return "recording" }
    if run.isResting(at: now) { return "resting" }
    return mayBegin ? "listening" : "waiting"
  }

  fileprivate mutating func report(_ form: StatusForm, _ state: StaticString, _ console: inout ConsoleSession) {
    console.beginReport(form)
    console.fact("on", "on", .name(settings.source.name))
    console.fact("state", "state", .name(state))
    console.fact("when", "when", .name(settings.time.name))
    console.fact("start, dBFS", "start_dbfs", .decimal(settings.startDecibels, decimals: 1))
    console.fact("stop, dBFS", "stop_dbfs", .decimal(settings.stopDecibels, decimals: 1))
    console.fact("hold, s", "hold_seconds", .decimal(settings.holdSeconds, decimals: 1))
    console.fact("longest, s", "longest_seconds", .count(settings.longestSeconds))
    console.fact("rearm, s", "rearm_seconds", .decimal(settings.rearmSeconds, decimals: 1))
    console.beginRows("levels")
    for place in 0...bands.count {
      console.beginRow()
      console.cell("name", text: name(of: place).bytes, columns: 24)
      console.cell("dbfs", .decimal(levels?[place], decimals: 1), columns: 7)
      console.endRow()
    }
    console.endRows()
    console.fact("fired", "fired", .count(firedCount))
    console.fact("last by", "last_by", text: FixedText((fired?.fact.name ?? "").bytes))
    let value = fired?.fact.value
    let isMotion = fired?.fact.isMotion == true
    console.fact("last, dBFS", "last_dbfs", .decimal(isMotion ? nil : value, decimals: 1))
    let ago = fired.map { console.now.distance(since: $0.at) / 1_000_000_000 }
    console.fact("last, s ago", "last_seconds_ago", .count(ago))
    console.fact("motion start, %", "motion_start_percent", .decimal(settings.motionStartPercent, decimals: 1))
    console.fact("motion stop, %", "motion_stop_percent", .decimal(settings.motionStopPercent, decimals: 1))
    console.fact("motion, %", "motion_percent", .decimal(motion, decimals: 1))
    console.fact("last motion, %", "last_motion_percent", .decimal(isMotion ? value : nil, decimals: 1))
    console.endReport()
  }

  /// Shows the levels, and what would happen: in one row, or without a terminal in lines.
  fileprivate mutating func watch(_ console: inout ConsoleSession) {
    var settings = settings
    if settings.source == .off { settings.source = bands.count > 0 ? .band : .level }
    let heard = measured
    let verdict = watched.hear(heard, settings, mayBegin: true, at: console.now)
    if !console.isTerminal {
      switch verdict {
      case .begin(let place): console.reply("a take would begin: \(fact(of: place).text)")
      case .end: console.reply("the take would end")
      case .nothing, .rise: break
      }
      guard console.now >= nextLine else { return }
      nextLine = console.now + 1_000_000_000
    }
    var row = FixedText<160>()
    for place in 0...TriggerLevels.motion where shows(place) {
      row.append("\(name(of: place)) \(heard[place], decimals: 1)  " as FixedText<32>)
    }
    if watched.isRecording {
      row.append(console.words("would record"))
    } else if watched.isResting(at: console.now) {
      row.append(console.words("would rest"))
    } else {
      row.append(console.words("would wait"))
    }
    if console.isTerminal { console.drawRow(row) } else { console.quote(row) }
  }

  /// Whether `trigger watch` and `trigger learn` tell about a place: motion and sound only if they are looked at.
  private func shows(_ place: Int) -> Bool {
    place == TriggerLevels.motion
      ? settings.source.hasMotion : place <= bands.count && (settings.source != .motion || levels != nil)
  }

  /// Answers `trigger learn`: the noise of each band, and the thresholds above the loudest of them.
  fileprivate mutating func tellLearned(_ console: inout ConsoleSession) {
    var loudest = TriggerLevels.silence
    let usesBands = settings.source == .off ? bands.count > 0 : settings.source.hasBands
    for place in 0...bands.count where shows(place) {
      let noise = learned.noise(at: place)
      if usesBands == (place > 0) { loudest = max(loudest, noise) }
      console.reply("\(name(of: place)): \(noise, decimals: 0) dBFS or less for 99 % of the time")
    }
    if settings.source != .motion {
      let (start, stop) = (min(max(loudest + 6, -114), 0), min(max(loudest + 3, -117), -3))
      console.quote(
        "config trigger.start_db \(start, decimals: 0) trigger.stop_db \(stop, decimals: 0)" as FixedText<64>)
    }
    if settings.source.hasMotion {
      let moved = max(learned.noise(at: TriggerLevels.motion) + 100, 0)
      console.reply("motion: \(moved, decimals: 0) % of the picture or less for 99 % of the time")
      let (start, stop) = (min(moved + 3, 100), min(moved + 1, 99))
      console.quote(
        "config trigger.motion_start_percent \(start, decimals: 0) trigger.motion_stop_percent \(stop, decimals: 0)"
          as FixedText<96>)
    }
    console.complete()
  }
}

extension Limits {
  /// How long `trigger watch` runs at most if nobody presses a key, and how long it prints lines if nobody can.
  static var triggerWatchSeconds: UInt64 { 600 }
  static var triggerLinesSeconds: UInt64 { 10 }
}
