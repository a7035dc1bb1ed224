import Base
import Configuration
import Console
import Machine
import Record

/// What the recorder is doing, as the summary sees it.
struct SummaryFacts {
  let now: Instant
  let unixSeconds: Int64
  let clock: ClockSource
  /// How far it may be off at most, in nanoseconds; nil if unknown.
  let clockError: UInt64?
  /// Whether a rule wants a take.
  let isWanted: Bool
  let isRecording: Bool
  /// Why nothing is recorded, if nothing is.
  let reason: SummaryCount
  /// How many takes were begun since boot.
  let takeCount: Int64
  /// Sound lost since boot, in milliseconds.
  let lostMilliseconds: Int64
  let milliCelsius: Int32?
  let milliVolts: Int64?
  /// The level of the loudest channel in a take, in dBFS; nil without sound.
  let decibels: Double?
  let freeByteCount: UInt64
  let isDeployed: Bool
}

/// Accounts for each second: whether a rule wanted a take, whether one was recorded, and if not, why. Each day has a row
/// in `summary.csv`; the present one is kept in `summary-today`.
struct SummaryService: ~Copyable {
  private let place = StaysInPlace()
  private let rows: KeptLog
  private let kept: KeptText
  private(set) var today = SummaryDay()
  /// Since the deployment began.
  private(set) var total = SummaryCounts()
  /// When this was last kept while the clock was set, in Unix seconds; 0 for never.
  private var keptSeconds: Int64 = 0
  /// How far the time before the start is accounted for, and how far it has to be, in Unix seconds; nil once it is.
  private var gap: Range<Int64>?
  /// Why nothing was recorded during that time.
  private var gapReason = SummaryCount.recorderOff
  /// What the clock showed at the last step, in Unix seconds; 0 if it was not set.
  private var lastSeconds: Int64 = 0
  private var hasComparedClock = false
  private var isStartCounted = false
  private let start: Instant
  private var last: Instant
  private var nextStep: Instant = 0
  private var nextWrite: Instant = 0
  /// When the row began, for a clock that is not set.
  private var rowStart: Instant
  /// What was wanted and done from the last step on; nil before the first.
  private var before: (isWanted: Bool, isRecording: Bool, reason: SummaryCount)?
  private var takeCount: Int64 = 0
  private var lostMilliseconds: Int64 = 0
  private var isChanged = false
  private var isDeployed = false
  private var isFinished = false
  /// Until when the end of the program waits for the card.
  private var finishEnd: Instant?

  init(_ rows: KeptLog, _ kept: KeptText, in storage: inout Storage, at now: Instant) {
    self.rows = rows
    self.kept = kept
    start = now
    last = now
    rowStart = now
    rows.readOrSetAside(from: &storage)
    var (day, total, seconds) = (SummaryDay(), SummaryCounts(), Int64(0))
    kept.readOrSetAside(from: &storage) { text in
      var counts = SummaryCounts()
      var levels = DayLevels()
      text.forEachLine { line in
        if let rest = line.removingPrefix("levels = ") { levels = DayLevels(rest) }
        if let rest = line.removingPrefix("day = ") { day = SummaryDay(rest) }
        if let rest = line.removingPrefix("counts = ") { counts = SummaryCounts(rest) }
        if let rest = line.removingPrefix("deployment = ") { total = SummaryCounts(rest) }
        if let rest = line.removingPrefix("until = ") { seconds = rest.parseInteger(as: Int64.self) ?? 0 }
      }
      day.counts = counts
      day.levels = levels
      return true
    }
    today = day
    self.total = total
    let isPlausible = ClockSource.plausibleUnixSeconds.contains(seconds)
    keptSeconds = isPlausible ? seconds : 0
    if !isPlausible { today.day = 0 }
    skipWrittenRow()
  }

  /// If the power failed after a day's row was written, and before the next day was kept, the row is not written again.
  private mutating func skipWrittenRow() {
    let text = rows.text
    var start = max(text.count - 1, 0)
    while start > 0, text[start - 1] != UInt8(ascii: "\n") { start -= 1 }
    let date = CivilTime(unixSeconds: today.day * 86_400).isoDate
    guard today.day > 0, text.extracting(droppingFirst: start).starts(with: date.bytes) else { return }
    let next = today.day + 1
    today = SummaryDay()
    today.day = next
    keptSeconds = max(keptSeconds, next * 86_400)
  }

  /// The rows of the days before today.
  var text: Span<UInt8> {
    @_lifetime(borrow self)
    borrowing get { rows.text }
  }

  /// Whether to account for what has passed.
  func isDue(at now: Instant, isWanted: Bool, isRecording: Bool) -> Bool {
    let isChange = before.map { $0.isWanted != isWanted || $0.isRecording != isRecording } ?? false
    return (now >= nextStep || isChange) && !rows.isBeingWritten
  }

  /// Once a second, or when the loop wakes if that is later, and at each begin and end of a window or take.
  mutating func step(_ facts: SummaryFacts, _ schedule: inout ScheduleService) {
    nextStep = facts.now + Limits.summaryStepMilliseconds * 1_000_000
    isDeployed = facts.isDeployed
    if facts.clock != .unset, !hasComparedClock { compareClock(facts) }
    if gap == nil { noteJump(facts) }
    // One slice per exchange: it takes a few seconds in all.
    if let gap {
      nextStep = 0
      return fill(gap, &schedule)
    }
    followDay(facts)
    let hasEnded = before?.isRecording == true && !facts.isRecording
    account(facts)
    if hasEnded { isChanged = true }
    if isChanged || facts.now >= nextWrite { keep(facts) }
  }

  /// The first time that the clock is set: what passed since the last run was the recorder being off.
  private mutating func compareClock(_ facts: SummaryFacts) {
    hasComparedClock = true
    let began = facts.unixSeconds - Int64(facts.now.distance(since: start) / 1_000_000_000)
    let first = max(keptSeconds, began - Limits.summaryGapDays * 86_400)
    if keptSeconds > 0, first < began { gap = first..<began }
    if today.day == 0 { today.day = (gap?.lowerBound ?? facts.unixSeconds) / 86_400 }
    isChanged = true
  }

  /// Time that the clock has jumped over is accounted for like time without the recorder.
  private mutating func noteJump(_ facts: SummaryFacts) {
    let expected = lastSeconds + Int64(facts.now.distance(since: last) / 1_000_000_000)
    let isJump = lastSeconds > 0 && facts.unixSeconds - expected >= Limits.summaryJumpSeconds
    lastSeconds = facts.clock == .unset ? 0 : facts.unixSeconds
    guard isJump, facts.clock != .unset else { return }
    gap = max(expected, facts.unixSeconds - Limits.summaryGapDays * 86_400)..<facts.unixSeconds
    gapReason = .skipped
  }

  /// Once a second while no days are summed up.
  mutating func ignore(_ facts: SummaryFacts) {
    nextStep = facts.now + Limits.summaryStepMilliseconds * 1_000_000
    last = facts.now
    hasComparedClock = hasComparedClock || facts.clock != .unset
    lastSeconds = 0
    before = nil
    (takeCount, lostMilliseconds) = (facts.takeCount, facts.lostMilliseconds)
  }

  /// Accounts for the time without the recorder, up to the next midnight. Each day is kept before the next begins:
  /// after a power cut meanwhile none has two rows.
  private mutating func fill(_ gap: Range<Int64>, _ schedule: inout ScheduleService) {
    guard !kept.isBeingWritten else { return }
    if isChanged { return keep(until: gap.lowerBound, at: last) }
    let day = gap.lowerBound / 86_400
    if day != today.day { endRow(nextDay: day) }
    let end = min((day + 1) * 86_400, gap.upperBound)
    let milliseconds = schedule.scheduledSeconds(from: gap.lowerBound, to: end) * 1000
    add(milliseconds, to: .scheduled)
    add(milliseconds, to: gapReason)
    self.gap = end < gap.upperBound ? end..<gap.upperBound : nil
  }

  private mutating func followDay(_ facts: SummaryFacts) {
    if facts.clock != .unset {
      let day = facts.unixSeconds / 86_400
      if today.day == 0 { today.day = day }
      if day != today.day { endRow(nextDay: day) }
    } else if facts.now.distance(since: rowStart) >= 86_400 * 1_000_000_000 {
      endRow(nextDay: 0)
    }
  }

  /// Only while the rows are not being written.
  private mutating func endRow(nextDay: Int64) {
    if rows.text.isEmpty { _ = rows.append(SummaryDay.head.utf8Bytes) }
    // A program that has changed the file may leave out the last one.
    if !rows.text.hasSuffix("\n") { _ = rows.append(("\r\n" as StaticString).utf8Bytes) }
    _ = rows.append(today.row.bytes)
    rows.write()
    let before = today
    today = SummaryDay()
    today.day = nextDay
    today.freeByteCount = before.freeByteCount
    today.clock = before.clock
    today.clockError = before.clockError
    rowStart = last
    isChanged = true
  }

  private mutating func account(_ facts: SummaryFacts) {
    let milliseconds = Int64(facts.now.distance(since: last) / 1_000_000)
    last = last + UInt64(milliseconds) * 1_000_000
    if !isStartCounted { add(1, to: .starts) }
    isStartCounted = true
    // What has passed was as at the last step. Only why nothing is recorded may have become known since.
    let now = (isWanted: facts.isWanted, isRecording: facts.isRecording, reason: facts.reason)
    let passed = before ?? now
    before = now
    if passed.isRecording { add(milliseconds, to: .recorded) }
    if passed.isWanted {
      add(milliseconds, to: .scheduled)
      let isMissed = facts.isWanted && !facts.isRecording
      if !passed.isRecording { add(milliseconds, to: isMissed ? facts.reason : passed.reason) }
    }
    add(facts.takeCount - takeCount, to: .takes)
    takeCount = facts.takeCount
    add(max(facts.lostMilliseconds - lostMilliseconds, 0), to: .lost)
    lostMilliseconds = facts.lostMilliseconds
    if let celsius = facts.milliCelsius.map({ Int64($0) }) {
      today.coldest = min(today.coldest ?? celsius, celsius)
      today.hottest = max(today.hottest ?? celsius, celsius)
    }
    if let volts = facts.milliVolts {
      today.lowest = min(today.lowest ?? volts, volts)
      today.highest = max(today.highest ?? volts, volts)
    }
    if let decibels = facts.decibels, facts.clock != .unset {
      today.levels.hear(decibels, hour: Int(facts.unixSeconds % 86_400 / 3600))
    }
    today.freeByteCount = Int64(clamping: facts.freeByteCount)
    today.clock = facts.clock
    today.clockError = facts.clockError.map { Int64($0 / 1_000_000) }
  }

  private mutating func add(_ number: Int64, to count: SummaryCount) {
    today.counts[count] += number
    if isDeployed { total[count] += number }
  }

  /// A deployment begins.
  mutating func beginTotal() {
    total = SummaryCounts()
    isChanged = true
  }

  /// A day is kept only once the row of the one before is on the card: the power may fail between the two.
  private mutating func keep(_ facts: SummaryFacts) {
    guard !kept.isBeingWritten, !rows.isBeingWritten else { return }
    // The rest is accounted for at the next start.
    keep(until: gap?.lowerBound ?? (facts.clock != .unset ? facts.unixSeconds : keptSeconds), at: facts.now)
  }

  private mutating func keep(until unixSeconds: Int64, at now: Instant) {
    keptSeconds = unixSeconds
    kept.write(KeptText.Content(today.kept(total: total, until: keptSeconds).bytes))
    isChanged = false
    nextWrite = now + Limits.summaryWriteSeconds * 1_000_000_000
  }

  /// At the end of the program, until true: keeps what is known.
  /// - Parameters:
  ///   - facts: nil if nothing is summed up.
  ///   - isDeploymentKept: whether the file of the deployment is on the card.
  mutating func finish(_ facts: SummaryFacts?, isDeploymentKept: Bool, at now: Instant) -> Bool {
    let end = finishEnd ?? now + Limits.jobSpaceMilliseconds * 1_000_000
    finishEnd = end
    if let facts, !isFinished, !kept.isBeingWritten, !rows.isBeingWritten {
      if gap == nil { account(facts) }
      keep(facts)
      isFinished = true
    }
    let isDone = facts == nil || isFinished && !kept.isBeingWritten && !rows.isBeingWritten
    return isDone && isDeploymentKept || now >= end
  }
}

extension Services {
  /// Whether the recorder works by itself, so that its days are summed up.
  var isSummedUp: Bool {
    context.settings.schedule.hasRules || trigger.settings.source != .off || deployment.isOn
  }

  /// At each exchange: accounts for what has passed.
  mutating func stepSummary(_ clock: borrowing Clock, at now: Instant) {
    let (isWanted, isRecording) = (schedule.isWanted, recording.isTakeOpen)
    guard summary.isDue(at: now, isWanted: isWanted, isRecording: isRecording) else { return }
    let facts = summaryFacts(clock, at: now)
    isSummedUp ? summary.step(facts, &schedule) : summary.ignore(facts)
  }

  /// At the end of the program.
  /// - Returns: whether there is nothing left to wait for.
  mutating func finishSummary(_ clock: borrowing Clock, at now: Instant) -> Bool {
    let facts = isSummedUp ? summaryFacts(clock, at: now) : nil
    return summary.finish(facts, isDeploymentKept: deployment.isKept, at: now)
  }

  private func summaryFacts(_ clock: borrowing Clock, at now: Instant) -> SummaryFacts {
    let rate = UInt64(max(recording.capture.audioFormat?.sampleRateHz ?? 48_000, 1))
    let source = clock.source
    return SummaryFacts(
      now: now, unixSeconds: clock.unixSeconds, clock: source,
      clockError: self.clock.mostNanoseconds(source, at: now), isWanted: schedule.isWanted,
      isRecording: recording.isTakeOpen, reason: missReason,
      takeCount: Int64(recording.recorder.newestTake),
      lostMilliseconds: Int64(recording.captureLosses.frameCount * 1000 / rate),
      milliCelsius: heat.report.milliCelsius,
      milliVolts: battery.report.reading.map { Int64($0.volts * 1000) }, decibels: soundLevel,
      freeByteCount: recording.progress.freeByteCount, isDeployed: deployment.isOn)
  }

  private var soundLevel: Double? {
    let levels = recording.capture.levels
    guard recording.isTakeOpen, recording.capture.microphone == .running, levels[0].isMeasured else { return nil }
    var loudest = levels[0].rms
    for channel in 1..<max(levels.channelCount, 1) { loudest = max(loudest, levels[channel].rms) }
    return Double(SoundLevels.decibels(loudest))
  }

  /// Why nothing is recorded, if nothing is.
  private var missReason: SummaryCount {
    if schedule.isOff { return .scheduleOff }
    if recording.lacksPower { return .powerFailing }
    switch recording.recorder.state {
    case .failed where recording.capture.isClosed: return .noDevice
    case .failed: return console.newestFailure(of: .storage)?.kind == .full ? .cardFull : .takeFailed
    case .idle, .opening, .preparing, .recording, .finishing, .closing, .emptying: break
    }
    if schedule.isListening { return recording.capture.audioFormat == nil ? .notArmed : .quiet }
    return schedule.hasPersonEnded ? .endedByPerson : .notArmed
  }
}

extension Limits {
  /// How often the summary looks: a take that begins or ends is accounted for to the second.
  static var summaryStepMilliseconds: UInt64 { 1000 }

  /// How often the present day is kept, besides at the end of each take: a write costs the card two flushes, and what a
  /// power cut takes is accounted for as the recorder being off.
  static var summaryWriteSeconds: UInt64 { 600 }

  /// A clock that is this far ahead of the time that has passed has jumped: both are known to the second, and a step may
  /// be one second late.
  static var summaryJumpSeconds: Int64 { 3 }

  /// How long a time without the recorder is accounted for: as many rows as `summary.csv` holds.
  static var summaryGapDays: Int64 { 400 }
}
