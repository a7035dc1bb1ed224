import Base
import Configuration
import Console
import Kit
import Machine
import Record

/// Where the timecode is from.
enum TimecodeState: Equatable {
  case none
  /// A person has dropped it; it is found again once its signal has been gone.
  case dropped
  /// It is read, and goes with its signal.
  case reading(TimecodeLine)
  /// It runs on without its signal, or follows it.
  case jammed(TimecodeJam)

  /// Nil while no samples are counted.
  var line: TimecodeLine? {
    switch self {
    case .none, .dropped: nil
    case .reading(let line): line
    case .jammed(let jam): jam.line
    }
  }

  var jam: TimecodeJam? { if case .jammed(let jam) = self { jam } else { nil } }
}

/// Knows the timecode of every sample, from what an input brings or has brought.
///
/// The worker that reads the sample ring decodes it, ten times a second. While no input is set nothing is asked.
struct TimecodeService: ~Copyable {
  private let place = StaysInPlace()
  private(set) var settings: TimecodeSettings
  private var worker: Job<TimecodeRequest, TimecodeReply>
  private(set) var state = TimecodeState.none
  /// What comes in beside a jam that it is not; nil if nothing does.
  private var other: TimecodeLine?
  /// What begins and ends takes.
  var run = TimecodeRun()
  /// What the worker was asked last; nil before the first time.
  private var asked: TimecodeRequest?
  private var isAsked = false
  private var nextRequest: Instant = 0
  /// Where the timeline of the samples began that ``state`` counts in, when that was, and how many it counts a second.
  private var origin: TimelinePosition = 0
  private var opened: Instant = 0
  private var sampleRateHz: UInt32?
  private let file: KeptText
  /// The jam before this start, until the clock is known to be right.
  private var kept: KeptJam?
  /// When the jam is to be written next; nil if it need not be.
  private var nextKeeping: Instant?
  /// When the clock may be asked next.
  private var nextClock: Instant = 0
  /// Whether it is sent, and the time of day from which it counts if there is none.
  private(set) var isSending: Bool
  private var timeOfDay: (source: TimecodeSource, unixOffset: Int64)?

  init(
    _ settings: TimecodeSettings, _ worker: consuming Job<TimecodeRequest, TimecodeReply>, _ file: KeptText,
    in storage: inout Storage
  ) {
    self.settings = settings
    self.worker = worker
    self.file = file
    isSending = settings.isSent
    var kept: KeptJam?
    file.readOrSetAside(from: &storage) { text in
      text.forEachLine { line in kept = KeptJam(line) }
      return text.isEmpty || kept != nil
    }
    self.kept = kept
  }

  /// Applies changed settings.
  mutating func follow(_ settings: TimecodeSettings) {
    if settings.isSent != self.settings.isSent { isSending = settings.isSent }
    self.settings = settings
  }

  /// At each wake: takes the worker's answer, and asks for the next.
  mutating func step(_ moment: TimecodeMoment, _ console: inout ConsoleSession) {
    let now = console.now
    followMicrophone(moment, &console)
    while worker.hasNews(for: console), case .unattended(let line, _) = worker.next(&console) {
      isAsked = false
      // An answer about an input that is no longer set, or from before the microphone was closed, does not count.
      let isCurrent =
        settings.channel == asked?.channel && settings.rate == asked?.rate && moment.format == asked?.format
      hear(isCurrent ? line : nil, moment, &console)
    }
    guard let channel = settings.channel, let format = moment.format else {
      if !isAsked { hear(nil, moment, &console) }
      return
    }
    guard !isAsked, now >= nextRequest else { return }
    let request = TimecodeRequest(format: format, channel: channel, rate: settings.rate)
    isAsked = worker.send(request, &console) != nil
    asked = request
    nextRequest = now + Limits.timecodeMilliseconds * 1_000_000
  }

  /// A timecode that is only read is lost with the microphone. A jam goes on by the system's clock, and for a while after
  /// the microphone is opened, until that one's clock is known.
  private mutating func followMicrophone(_ moment: TimecodeMoment, _ console: inout ConsoleSession) {
    if moment.format?.sampleRateHz != sampleRateHz || moment.start != origin {
      sampleRateHz = moment.format?.sampleRateHz
      origin = moment.start
      opened = moment.now
      other = nil
      if case .reading = state {
        state = .none
        console.announce("timecode lost: the microphone was closed", as: .warning)
      }
      if var jam = state.jam {
        if jam.hasSignal { console.announce("timecode: its signal is gone: it runs on") }
        (jam.line, jam.goesBySystem, jam.hasSignal) = (nil, true, false)
        state = .jammed(jam)
      }
    }
    guard let format = moment.format, var jam = state.jam else { return }
    if jam.line == nil || jam.goesBySystem && moment.now < opened + Limits.jamSettlingSeconds * 1_000_000_000 {
      jam.line = moment.line(of: jam.source, format)
    } else if let line = jam.line, moment.now.distance(since: jam.source.instant) >= 1_000_000_000 {
      jam.source = moment.source(of: line)
    }
    state = .jammed(jam)
  }

  private mutating func hear(_ heard: TimecodeLine?, _ moment: TimecodeMoment, _ console: inout ConsoleSession) {
    let line = heard.flatMap { $0.start >= Double(origin.rawValue) ? $0 : nil }
    run.hear(line, at: moment.position, moment.now)
    switch (state, line) {
    case (.dropped, nil): state = .none
    case (.none, let line?):
      state = .reading(line)
      console.announce("timecode found: \(Self.text(of: line))" as FixedText<64>)
      if settings.jam == .always { jam(line, moment) }
    case (.reading, let line?): state = .reading(line)
    case (.reading, nil):
      state = .none
      console.announce("timecode lost", as: .warning)
    case (.jammed(let jam), _): state = .jammed(follow(line, jam, moment, &console))
    case (.none, nil), (.dropped, _): break
    }
  }

  /// A jam follows its own signal, and no other unless it is asked to.
  private mutating func follow(
    _ line: TimecodeLine?, _ old: TimecodeJam, _ moment: TimecodeMoment, _ console: inout ConsoleSession
  ) -> TimecodeJam {
    var jam = old
    guard let line else {
      other = nil
      guard jam.hasSignal else { return jam }
      jam.hasSignal = false
      nextKeeping = moment.now
      console.announce("timecode: its signal is gone: it runs on")
      return jam
    }
    // Without a signal it may have gone wrong by 20 ppm.
    let slack = Double(jam.ageSeconds(at: moment.now)) * line.rate.hertz * 20e-6
    let isOwn =
      jam.line.map { $0.rate == line.rate && abs($0.distance(to: line, at: moment.position)) < 0.5 + slack } ?? false
    guard isOwn || settings.jam == .always else {
      jam.hasSignal = false
      if other == nil {
        console.announce("timecode: another one comes in, \(Self.text(of: line)): it is not taken over", as: .warning)
      }
      other = line
      return jam
    }
    if !isOwn {
      console.announce("timecode: another one is taken over: \(Self.text(of: line))" as FixedText<128>)
      nextKeeping = moment.now
    } else if !jam.hasSignal {
      console.announce("timecode: its signal is back")
    }
    other = nil
    jam.line = line
    jam.goesBySystem = false
    jam.hasSignal = true
    jam.heard = Int64(clamping: moment.now.rawValue)
    return jam
  }

  private mutating func jam(_ line: TimecodeLine, _ moment: TimecodeMoment) {
    state = .jammed(
      TimecodeJam(
        source: moment.source(of: line), line: line, hasSignal: true, heard: Int64(clamping: moment.now.rawValue)))
    (other, kept) = (nil, nil)
    nextKeeping = moment.now
  }

  /// `10:00:00:12 at 25`
  private static func text(of line: TimecodeLine) -> FixedText<32> {
    Timecode(number: line.number, line.rate).label(line.rate)
  }

  /// The present timecode; empty if there is none.
  func text(_ moment: TimecodeMoment) -> FixedText<16> {
    if let line = state.line {
      return Timecode(number: Int(line.frames(at: moment.position + 0.01).rounded(.down)), line.rate).text(line.rate)
    }
    guard let source = state.jam?.source else { return "" }
    return Timecode(number: Int(source.frames(at: moment.now).rounded(.down)), source.rate).text(source.rate)
  }

  /// What is to be sent; nil for nothing.
  /// - Parameter unixOffset: Unix time minus that of the monotonic clock, in nanoseconds.
  mutating func sent(_ moment: TimecodeMoment, unixOffset: Int64) -> TimecodeSource? {
    guard isSending else {
      timeOfDay = nil
      return nil
    }
    if let line = state.line { return moment.source(of: line) }
    if let source = state.jam?.source { return source }
    let rate = settings.rate ?? .video25
    if let timeOfDay, timeOfDay.source.rate == rate, timeOfDay.unixOffset == unixOffset { return timeOfDay.source }
    let day = max(Int64(clamping: moment.now.rawValue) &+ unixOffset, 0) % 86_400_000_000_000
    // Drop-frame keeps up with the time of day; the others show it, and count from there.
    let hertz = rate.isDrop ? TimecodeRate.video29Drop.hertz : Double(rate.framesPerSecond)
    let source = TimecodeSource(
      rate: rate, instant: moment.now, frames: Double(day) * hertz / 1e9, framesPerNanosecond: rate.hertz / 1e9)
    timeOfDay = (source, unixOffset)
    return source
  }

  /// Whether ``keep(_:at:)`` needs to know the time.
  func wantsClock(at now: Instant) -> Bool {
    now >= nextClock && (kept != nil || nextKeeping.map { now >= $0 } ?? false)
  }

  /// Takes up the jam from before this start, or writes the present one: only while the clock is known to be right.
  mutating func keep(_ clock: ClockReading, _ console: inout ConsoleSession) {
    nextClock = clock.now + 1_000_000_000
    guard clock.source == .synchronised, !file.isBeingWritten else { return }
    if let jam = kept.take()?.jam(at: clock.now, unixNanoseconds: clock.unixNanoseconds) {
      state = .jammed(jam)
      console.announce(
        "timecode: jammed before this start, its signal was heard \(duration: jam.ageSeconds(at: clock.now)) ago"
          as FixedText<128>)
    }
    guard nextKeeping != nil, let jam = state.jam else { return nextKeeping = nil }
    file.write(FixedText(KeptJam(jam, at: clock.now, unixNanoseconds: clock.unixNanoseconds).text.bytes))
    nextKeeping = jam.hasSignal ? clock.now + Limits.jamKeepingSeconds * 1_000_000_000 : nil
  }

  /// Runs `timecode`.
  /// - Parameter refusal: why the speaker sends none now; nil if it can.
  mutating func run(
    _ command: TimecodeCommand, _ moment: TimecodeMoment, refusal: FixedText<128>?, _ console: inout ConsoleSession
  ) {
    switch (command, state) {
    case (.show(let form), _): report(form, moment, isSent: isSending && refusal == nil, &console)
    case (.jam, .none), (.jam, .dropped):
      console.refuse("there is no timecode: set [timecode] input, and connect it")
    case (.jam, _):
      if case .reading(let line) = state { jam(line, moment) } else if let other { jam(other, moment) }
      console.answer("timecode: it runs on when its signal goes")
    case (.off, _):
      guard !file.isBeingWritten else { return console.refuse("the card does not answer: try again in a moment") }
      if state.jam != nil || kept != nil { file.write("") }
      state = state == .none ? .none : .dropped
      (other, kept, nextKeeping) = (nil, nil, nil)
      console.complete()
    case (.send(let isWanted), _):
      if isWanted, let refusal { return console.refuse(refusal) }
      isSending = isWanted
      console.complete()
    }
  }

  private func report(_ form: StatusForm, _ moment: TimecodeMoment, isSent: Bool, _ console: inout ConsoleSession) {
    let line = state.line
    let name: StaticString
    let hasSignal: Bool
    switch state {
    case .none, .dropped: (name, hasSignal) = (settings.channel == nil ? "off" : "none", false)
    case .reading: (name, hasSignal) = ("reading", true)
    case .jammed(let jam): (name, hasSignal) = ("jammed", jam.hasSignal)
    }
    console.beginReport(form)
    console.fact("state", "state", .name(name))
    console.fact("timecode", "timecode", text: FixedText(text(moment).bytes))
    console.fact("rate", "rate", .name(line?.rate.name ?? state.jam?.source.rate.name))
    console.fact("signal", "signal", .flag(hasSignal))
    console.fact("input", "input", .count(settings.channel))
    console.fact("drift, ppm", "ppm", .decimal(line?.partsPerMillion, decimals: 2))
    console.fact("heard, s ago", "age_seconds", .count(state.jam?.ageSeconds(at: moment.now)))
    console.fact("another", "another", text: other.map { Self.text(of: $0) } ?? "")
    console.fact("sent", "sent", .flag(isSent))
    console.endReport()
  }
}

extension Services {
  /// The samples now.
  func timecodeMoment(at now: Instant) -> TimecodeMoment {
    TimecodeMoment(
      now: now, format: recording.capture.audioFormat, start: recording.capture.startPosition,
      position: recording.capture.exactPosition(at: now),
      samplesPerNanosecond: Double(recording.capture.timelineRateHz)
        * (1 + recording.capture.driftPartsPerMillion / 1e6) / 1e9)
  }

  /// At each wake.
  mutating func stepTimecode(_ machine: inout Hardware, at now: Instant) {
    let moment = timecodeMoment(at: now)
    timecode.step(moment, &console)
    if timecode.wantsClock(at: now) { timecode.keep(ClockReading(machine.clock), &console) }
    playback.sentTimecode = timecode.sent(moment, unixOffset: clock.dates.offset)
    let hadNone = recording.timecode == nil
    recording.timecode = timecode.state.line
    // It was connected during the take.
    if hadNone, recording.timecode != nil, recording.isTakeOpen {
      recording.enterTimecode(at: recording.capture.position(at: now))
    }
    followTimecode(&machine, at: now)
  }

  /// Begins and ends takes by timecode. A person's press wins: a take that a person began is left alone, and one that a
  /// person ended is not begun again before the timecode starts anew.
  private mutating func followTimecode(_ machine: inout Hardware, at now: Instant) {
    let standing = recording.standing
    if standing == .byTimecode, timecode.run.begun == nil { timecode.run.goOn(at: now) }
    let isOff = timecode.settings.takes == .off
    if timecode.run.ends(at: now) || isOff, standing == .byTimecode {
      recording.run(.endOfTimecode(hasJumped: timecode.run.hasJumped), &machine, &console, at: now)
      timecode.run.end()
    }
    switch standing {
    case .changing, .byTimecode: return
    case .byPerson, .bySchedule, .byTrigger: return timecode.run.rest()
    case .none:
      guard let begun = timecode.run.begun else { break }
      let hasFailed = recording.recorder.state == .failed || recording.lossOfTake.map { $0 >= begun } ?? false
      timecode.run.end(failed: hasFailed || recording.lacksPower ? now : nil)
    }
    guard !isOff, timecode.run.begins(at: now), !recording.lacksPower, let line = timecode.run.line else { return }
    timecode.run.begin(at: now)
    let place = line.place(at: recording.capture.position(at: now))
    let text = Timecode(number: place.number, line.rate).label(line.rate)
    recording.run(.begin(.timecode(text)), &machine, &console, at: now)
  }
}

extension Limits {
  /// How often the timecode is asked for: with a loop at rest, at each of its exchanges.
  static var timecodeMilliseconds: UInt64 { 90 }
}
