import Base
import Configuration
import Console
import Kit
import Record

/// Where the timecode is from.
enum TimecodeState: Equatable {
  /// There is none.
  case none
  /// It is read, and goes with its signal.
  case reading(TimecodeLine)
  /// It runs on without its signal, or follows it.
  case jammed(TimecodeLine, hasSignal: Bool)

  var line: TimecodeLine? {
    switch self {
    case .none: nil
    case .reading(let line), .jammed(let line, _): line
    }
  }
}

/// Knows the timecode of every sample, from what an input brings or has brought.
///
/// The worker that reads the sample ring decodes it, ten times a second. While no input is set nothing is asked.
struct TimecodeService: ~Copyable {
  private let place = StaysInPlace()
  private var settings: TimecodeSettings
  private var worker: Job<TimecodeRequest, TimecodeReply>
  private(set) var state = TimecodeState.none
  /// What the worker was asked last; nil before the first time.
  private var asked: TimecodeRequest?
  private var isAsked = false
  private var nextRequest: Instant = 0
  /// Where the timeline of the samples began that ``state`` counts in.
  private var origin: TimelinePosition = 0

  init(_ settings: TimecodeSettings, _ worker: consuming Job<TimecodeRequest, TimecodeReply>) {
    self.settings = settings
    self.worker = worker
  }

  /// Applies changed settings.
  mutating func follow(_ settings: TimecodeSettings) { self.settings = settings }

  /// At each wake: takes the worker's answer, and asks for the next.
  /// - Parameters:
  ///   - format: the microphone's; nil while there is none.
  ///   - start: where the microphone was opened. Closed, it counts no samples.
  mutating func step(_ format: AudioFormat?, from start: TimelinePosition, _ console: inout ConsoleSession) {
    let now = console.now
    if state != .none, format?.sampleRateHz != state.line?.sampleRateHz || start != origin {
      state = .none
      console.announce("timecode lost: the microphone was closed", as: .warning)
    }
    origin = start
    while worker.hasNews(for: console), case .unattended(let line, _) = worker.next(&console) {
      isAsked = false
      // An answer about an input that is no longer set, or from before the microphone was closed, does not count.
      let isCurrent = settings.channel == asked?.channel && settings.rate == asked?.rate && format == asked?.format
      hear(isCurrent ? line : nil, &console)
    }
    guard let channel = settings.channel, let format else {
      if !isAsked { hear(nil, &console) }
      return
    }
    guard !isAsked, now >= nextRequest else { return }
    let request = TimecodeRequest(format: format, channel: channel, rate: settings.rate)
    isAsked = worker.send(request, &console) != nil
    asked = request
    nextRequest = now + Limits.timecodeMilliseconds * 1_000_000
  }

  private mutating func hear(_ line: TimecodeLine?, _ console: inout ConsoleSession) {
    switch (state, line) {
    case (.none, let line?) where line.start >= Double(origin.rawValue):
      state = .reading(line)
      let timecode = Timecode(number: line.number, line.rate).text(line.rate)
      console.announce("timecode found: \(timecode) at \(line.rate.name)" as FixedText<64>)
    case (.reading, let line?): state = .reading(line)
    case (.reading, nil):
      state = .none
      console.announce("timecode lost", as: .warning)
    case (.jammed(_, let hadSignal), let line?):
      state = .jammed(line, hasSignal: true)
      if !hadSignal { console.announce("timecode: its signal is back") }
    case (.jammed(let line, hasSignal: true), nil):
      state = .jammed(line, hasSignal: false)
      console.announce("timecode: its signal is gone: it runs on")
    case (.none, _), (.jammed, nil): break
    }
  }

  /// The timecode of a sample; empty if there is none.
  func text(at position: TimelinePosition) -> FixedText<16> {
    guard let place = state.line?.place(at: position) else { return "" }
    return Timecode(number: place.number, place.rate).text(place.rate)
  }

  /// Runs `timecode`.
  mutating func run(_ command: TimecodeCommand, _ position: TimelinePosition, _ console: inout ConsoleSession) {
    switch (command, state) {
    case (.show(let form), _): report(form, position, &console)
    case (.jam, .none): console.refuse("there is no timecode: set [timecode] input, and connect it")
    case (.jam, _):
      if case .reading(let line) = state { state = .jammed(line, hasSignal: true) }
      console.answer("timecode: it runs on when its signal goes")
    case (.off, _):
      state = .none
      console.complete()
    }
  }

  private func report(_ form: StatusForm, _ position: TimelinePosition, _ console: inout ConsoleSession) {
    let line = state.line
    let name: StaticString
    let hasSignal: Bool
    switch state {
    case .none: (name, hasSignal) = (settings.channel == nil ? "off" : "none", false)
    case .reading: (name, hasSignal) = ("reading", true)
    case .jammed(_, let signal): (name, hasSignal) = ("jammed", signal)
    }
    console.beginReport(form)
    console.fact("state", "state", .name(name))
    console.fact("timecode", "timecode", text: FixedText(text(at: position).bytes))
    console.fact("rate", "rate", .name(line?.rate.name))
    console.fact("signal", "signal", .flag(hasSignal))
    console.fact("input", "input", .count(settings.channel))
    console.fact("drift, ppm", "ppm", .decimal(line?.partsPerMillion, decimals: 2))
    console.endReport()
  }
}

extension Services {
  /// At each wake.
  mutating func stepTimecode(at now: Instant) {
    timecode.step(recording.capture.audioFormat, from: recording.capture.startPosition, &console)
    let hadNone = recording.timecode == nil
    recording.timecode = timecode.state.line
    // It was connected during the take.
    if hadNone, recording.timecode != nil, recording.isTakeOpen {
      recording.enterTimecode(at: recording.capture.position(at: now))
    }
  }
}

extension Limits {
  /// How often the timecode is asked for: with a loop at rest, at each of its exchanges.
  static var timecodeMilliseconds: UInt64 { 90 }
}
