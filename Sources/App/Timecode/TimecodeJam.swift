import Base
import Kit
import Record

struct TimecodeJam: BitwiseCopyable, Equatable {
  /// By the system's clock: while the microphone is closed, and for a while after it was opened.
  var source: TimecodeSource
  /// By the microphone's samples; nil while it is closed.
  var line: TimecodeLine?
  /// Whether the line was made from the source: it is made anew while the microphone's clock is not known well.
  var goesBySystem = false
  /// Whether what it was taken from is heard.
  var hasSignal: Bool
  /// When that was heard last, in nanoseconds of the monotonic clock; negative if that was before this start.
  var heard: Int64

  func ageSeconds(at now: Instant) -> UInt64 { UInt64(max(Int64(clamping: now.rawValue) - heard, 0) / 1_000_000_000) }
}

/// The samples of a moment, by the system's clock.
struct TimecodeMoment {
  var now: Instant
  /// Nil while the microphone is closed.
  var format: AudioFormat?
  /// Where the microphone was opened. Closed, it counts no samples.
  var start: TimelinePosition
  /// The sample at ``now``.
  var position: Double
  var samplesPerNanosecond: Double

  func source(of line: TimecodeLine) -> TimecodeSource {
    TimecodeSource(
      rate: line.rate, instant: now, frames: line.frames(at: position),
      framesPerNanosecond: samplesPerNanosecond / line.length)
  }

  func line(of source: TimecodeSource, _ format: AudioFormat) -> TimecodeLine {
    let frames = source.frames(at: now)
    let whole = frames.rounded(.down)
    let length = samplesPerNanosecond / source.framesPerNanosecond
    return TimecodeLine(
      rate: source.rate, sampleRateHz: format.sampleRateHz, number: Int(whole),
      start: position - (frames - whole) * length, length: length)
  }
}

/// A jam as it is kept in a file across restarts: `25 900012.345678 12.345 1795221521123456789`: the rate, the frames
/// since midnight at a time, how much faster they count than they should in parts per million, and that time in
/// nanoseconds since 1970. Then how long before it the signal was heard last, in seconds.
struct KeptJam: BitwiseCopyable, Equatable {
  var rate: TimecodeRate
  var frames: Double
  var partsPerMillion: Double
  var unixNanoseconds: Int64
  var ageSeconds: UInt64

  init(_ jam: TimecodeJam, at now: Instant, unixNanoseconds: Int64) {
    rate = jam.source.rate
    frames = jam.source.frames(at: now)
    partsPerMillion = (jam.source.framesPerNanosecond * 1e9 / rate.hertz - 1) * 1e6
    self.unixNanoseconds = unixNanoseconds
    ageSeconds = jam.ageSeconds(at: now)
  }

  var text: FixedText<128> {
    "\(rate.name) \(frames, decimals: 6) \(partsPerMillion, decimals: 3) \(unixNanoseconds) \(ageSeconds)\n"
  }

  /// - Parameter line: without its end. Nil for any other text.
  init?(_ line: Span<UInt8>) {
    guard let rate = TimecodeRate(name: line.word(0)), let frames = line.word(1).parseDecimal(),
      let partsPerMillion = line.word(2).parseDecimal(),
      let unixNanoseconds = line.word(3).parseInteger(as: Int64.self),
      let ageSeconds = line.word(4).parseInteger(as: UInt64.self),
      abs(frames) < 1e9, abs(partsPerMillion) < 200_000, ageSeconds < 1_000_000
    else { return nil }
    self.rate = rate
    self.frames = frames
    self.partsPerMillion = partsPerMillion
    self.unixNanoseconds = unixNanoseconds
    self.ageSeconds = ageSeconds
  }

  /// The jam as it goes on now; nil if it is too old, or from the future.
  func jam(at now: Instant, unixNanoseconds: Int64) -> TimecodeJam? {
    let since = unixNanoseconds &- self.unixNanoseconds
    let age = since / 1_000_000_000 &+ Int64(ageSeconds)
    guard since >= 0, age < Int64(Limits.jamHours) * 3600 else { return nil }
    let framesPerNanosecond = rate.hertz * (1 + partsPerMillion / 1e6) / 1e9
    return TimecodeJam(
      source: TimecodeSource(
        rate: rate, instant: now, frames: frames + Double(since) * framesPerNanosecond,
        framesPerNanosecond: framesPerNanosecond),
      line: nil, goesBySystem: true, hasSignal: false, heard: Int64(clamping: now.rawValue) - age * 1_000_000_000)
  }
}

extension Span<UInt8> {
  /// A word, counted from 0; empty if there are not so many.
  @_lifetime(copy self)
  fileprivate func word(_ number: Int) -> Span<UInt8> {
    var rest = self
    for _ in 0..<number { rest = rest.afterFirstWord }
    return rest.firstWord
  }
}

/// When incoming timecode begins and ends takes.
struct TimecodeRun {
  private enum State {
    /// Nothing comes, or what comes has had its take.
    case resting
    /// A take should begin as soon as one can, but not before this.
    case waiting(until: Instant)
    /// A take that it has begun is open, since then.
    case open(since: Instant)
    /// So is one, but another timecode comes now, whose take follows.
    case jumped(since: Instant)
  }

  private var state = State.resting
  /// What came last; nil while nothing comes.
  private(set) var line: TimecodeLine?
  /// When that was, or when a take that goes on after an interruption may end at the earliest.
  private var lastHeard: Instant = 0

  /// When the open take began; nil if it has begun none.
  var begun: Instant? {
    switch state {
    case .resting, .waiting: nil
    case .open(let begun), .jumped(let begun): begun
    }
  }

  /// What ends that take.
  var hasJumped: Bool { if case .jumped = state { true } else { false } }

  /// - Parameters:
  ///   - heard: what comes; nil for nothing.
  ///   - position: of the newest sample.
  mutating func hear(_ heard: TimecodeLine?, at position: Double, _ now: Instant) {
    guard let heard else { return }
    lastHeard = max(lastHeard, now)
    let isSame = line.map { $0.rate == heard.rate && abs($0.distance(to: heard, at: position)) < 0.5 } ?? false
    if !isSame, case .resting = state { state = .waiting(until: 0) }
    if !isSame, line != nil, case .open(let begun) = state { state = .jumped(since: begun) }
    line = heard
  }

  /// - Returns: whether the take that it has begun ends.
  mutating func ends(at now: Instant) -> Bool {
    guard now.distance(since: lastHeard) >= Limits.timecodeHoldMilliseconds * 1_000_000 else { return hasJumped }
    line = nil
    state = begun.map { .open(since: $0) } ?? .resting
    return begun != nil
  }

  /// For a take that goes on after an interruption.
  mutating func goOn(at now: Instant) {
    begin(at: now)
    lastHeard = now + Limits.timecodeHoldMilliseconds * 2_000_000
  }

  func begins(at now: Instant) -> Bool { if case .waiting(let start) = state { now >= start } else { false } }

  mutating func begin(at now: Instant) { state = .open(since: now) }

  /// What comes gets no take.
  mutating func rest() { state = .resting }

  /// The take that it has begun has ended.
  /// - Parameter failure: when it was found to have failed: another one follows, as long as the timecode runs.
  mutating func end(failed failure: Instant? = nil) {
    let retry = failure.map { $0 + Limits.scheduleRetryMilliseconds * 1_000_000 }
    state = (retry ?? (hasJumped ? 0 : nil)).map { .waiting(until: $0) } ?? .resting
  }
}

extension TimecodeLine {
  /// Frames since midnight, not wrapped.
  func frames(at position: Double) -> Double { Double(number) + (position - start) / length }

  /// How many frames `other` is ahead, by the shorter way around the day.
  func distance(to other: TimecodeLine, at position: Double) -> Double {
    let day = Double(rate.framesPerDay)
    let distance = other.frames(at: position) - frames(at: position)
    return distance - (distance / day).rounded() * day
  }
}

extension Limits {
  /// A jam is not believed longer than this.
  static var jamHours: UInt64 { 24 }

  /// After this long without timecode, a take that it began ends. A new timecode is known after a second.
  static var timecodeHoldMilliseconds: UInt64 { 1_500 }

  /// For so long after the microphone was opened its clock is compared with the system's, before a jam goes by it alone.
  static var jamSettlingSeconds: UInt64 { 10 }

  /// How often a jam is written while its signal is there.
  static var jamKeepingSeconds: UInt64 { 600 }
}
