import Base
import CMath
import Kit
import Machine

/// What the kit sounds while no file plays: a metronome, plucked strings, the beep of a slate, and the chirp of a test.
///
/// It is rendered in pieces of its own. A card may take fewer frames than it is offered, and what strings have sounded
/// cannot be computed again.
struct KitSound: ~Copyable {
  private(set) var clicks: ClickTrack?
  private var strings: PluckedStrings
  private var slate: Click
  private var chirp: Chirp
  /// Frames to the first of the beep or the chirp, until the card has taken it.
  private var framesToSlate: Int?
  private var buffer: FixedBuffer
  /// Rendered frames that the card has not taken: the first of the buffer.
  private var renderedFrames = 0
  private let sampleRateHz: UInt32

  /// - Parameter capacityFrames: the most that is offered to the card at a time.
  /// - Returns: nil when `memory` has too little left.
  init?(sampleRateHz: UInt32, capacityFrames: Int, in memory: inout BootMemory) {
    guard let strings = PluckedStrings(sampleRateHz: sampleRateHz, in: &memory),
      let buffer = FixedBuffer(byteCount: capacityFrames * MemoryLayout<Float>.stride, in: &memory)
    else { return nil }
    self.strings = strings
    slate = Click(sampleRateHz: Int(sampleRateHz))
    chirp = Chirp(sampleRateHz: Int(sampleRateHz))
    self.buffer = buffer
    self.sampleRateHz = sampleRateHz
  }

  var isSounding: Bool {
    clicks != nil || strings.isSounding || slate.isSounding || chirp.isSounding || framesToSlate != nil
  }

  /// Starts the metronome, or changes what it counts.
  mutating func count(_ rhythm: Rhythm) {
    if clicks == nil { clicks = ClickTrack(rhythm, sampleRateHz: sampleRateHz) } else { clicks?.change(to: rhythm) }
  }

  /// Lets a beat begin after this many frames, counted from the next that the card is given.
  mutating func align(nextBeatAfter frames: Int) { clicks?.align(nextBeatAfter: frames - renderedFrames) }

  /// The beat that is heard, 0 for the accent.
  /// - Parameter queuedFrames: what the card has been given and has not played.
  func beat(queuedFrames: Int) -> Int { clicks?.beat(heardLaterBy: queuedFrames + renderedFrames) ?? 0 }

  mutating func stopCounting() {
    clicks = nil
    if !isSounding { renderedFrames = 0 }
  }

  mutating func beginSlate() {
    slate.begin(.slate)
    framesToSlate = renderedFrames
  }

  mutating func beginChirp() {
    chirp.begin()
    framesToSlate = renderedFrames
  }

  /// Forgets what the card has not taken of a beep or a chirp.
  mutating func cancelSlate() {
    slate = Click(sampleRateHz: Int(sampleRateHz))
    chirp = Chirp(sampleRateHz: Int(sampleRateHz))
    framesToSlate = nil
    if !isSounding { renderedFrames = 0 }
  }

  mutating func strum(_ shape: ChordShape, _ tuning: Tuning) { strings.strum(shape, tuning) }
  mutating func release() { strings.release() }

  mutating func damp() {
    strings.damp()
    if !isSounding { renderedFrames = 0 }
  }

  /// Adds the next frames to those in `buffer`, on every channel.
  /// - Parameter gain: 0.0…1.0.
  mutating func mix(into buffer: inout FixedBuffer, frameCount: Int, _ format: AudioFormat, gain: Double) {
    render(upTo: frameCount)
    var frames = buffer.mutableBytes
    add(to: &frames, frameCount: frameCount, format, gain: gain)
  }

  private func add(to frames: inout MutableRawSpan, frameCount: Int, _ format: AudioFormat, gain: Double) {
    let samples = buffer.bytes
    let scale = gain * format.sampleFormat.fullScale
    var offset = 0
    for frame in 0..<frameCount {
      // Sound: every pattern of bits is a Float.
      let sample = unsafe samples.unsafeLoad(fromByteOffset: frame * MemoryLayout<Float>.stride, as: Float.self)
      for _ in 0..<format.channelCount {
        let mixed = format.sampleFormat.load(from: frames.bytes, at: offset) + Double(sample) * scale
        format.sampleFormat.store(mixed, into: &frames, at: offset)
        offset += format.sampleFormat.bytesPerSample
      }
    }
  }

  /// The card took frames.
  /// - Returns: how many of them came before the beep or chirp that begins with one of them; nil if none does.
  mutating func advance(frameCount: Int) -> Int? {
    let slateStart = framesToSlate.flatMap { $0 < frameCount ? $0 : nil }
    framesToSlate = slateStart == nil ? framesToSlate.map { $0 - frameCount } : nil
    let rest = renderedFrames - frameCount
    let byteCount = MemoryLayout<Float>.stride
    var bytes = buffer.mutableBytes
    for frame in 0..<max(rest, 0) where frameCount > 0 {
      // Sound: as above.
      let sample = unsafe bytes.unsafeLoad(fromByteOffset: (frame + frameCount) * byteCount, as: Float.self)
      bytes.storeBytes(of: sample, toByteOffset: frame * byteCount, as: Float.self)
    }
    renderedFrames = max(rest, 0)
    return slateStart
  }

  private mutating func render(upTo frameCount: Int) {
    guard frameCount > renderedFrames else { return }
    Self.render(&clicks, &strings, &slate, &chirp, into: &buffer, renderedFrames..<frameCount)
    renderedFrames = frameCount
  }

  private static func render(
    _ clicks: inout ClickTrack?, _ strings: inout PluckedStrings, _ slate: inout Click, _ chirp: inout Chirp,
    into buffer: inout FixedBuffer, _ range: Range<Int>
  ) {
    var bytes = buffer.mutableBytes
    // Sound: every pattern of bits is a Float, and the buffer begins on a cache line.
    var all = unsafe bytes._unsafeMutableView(as: Float.self)
    var samples = all._mutatingExtracting(range)
    for index in 0..<range.count { samples[index] = 0 }
    clicks?.render(frameCount: range.count, into: &samples)
    strings.render(frameCount: range.count, into: &samples)
    slate.render(into: &samples, 0..<range.count)
    chirp.render(into: &samples, 0..<range.count)
  }
}

/// A sine for aligning levels, or as a sign of life.
package struct Tone: BitwiseCopyable, Equatable, Sendable {
  /// 20…20,000 Hz, below half of the card's rate.
  package var hertz: Double
  /// Its peak, -120…0 dBFS.
  package var levelDecibels: Double

  package init(hertz: Double, levelDecibels: Double) {
    self.hertz = hertz
    self.levelDecibels = levelDecibels
  }
}

/// Which tone sounds: the one that was set, or the standby tone while in standby.
struct ToneSettings: BitwiseCopyable {
  /// Its level is that of a tone, used only until one was set.
  var standby: Tone
  /// The tone that was set; nil when it is off.
  var tone: Tone?
  var isStandby = false

  init(standby: Tone) { self.standby = standby }

  /// Nil: silence.
  var sounding: Tone? {
    guard isStandby else { return tone }
    let level = (tone?.levelDecibels ?? standby.levelDecibels) - PlaybackLimits.standbyDecibels
    return Tone(hertz: standby.hertz, levelDecibels: max(level, -120))
  }
}

/// A sine whose phase never jumps, however its frequency changes.
struct Oscillator: BitwiseCopyable {
  /// In cycles, 0..<1.
  private var phase = 0.0
  private var cyclesPerFrame = 0.0

  /// - Parameter hertz: below half of `sampleRateHz`.
  mutating func set(hertz: Double, sampleRateHz: UInt32) { cyclesPerFrame = hertz / Double(sampleRateHz) }

  mutating func next() -> Double {
    let value = Self.sine(cycles: phase)
    phase += cyclesPerFrame
    if phase >= 1 { phase -= 1 }
    return value
  }

  /// Goes back by frames that were generated and not heard.
  mutating func rewind(frameCount: Int) {
    phase -= cyclesPerFrame * Double(frameCount)
    phase -= phase.rounded(.down)
  }

  static func sine(cycles: Double) -> Double { sin(2 * .pi * cycles) }

  /// A level of -120…0 dBFS as a fraction of full scale: 10^(level / 20).
  static func amplitude(decibels: Double) -> Double { pow(10, decibels / 20) }
}

/// The schedule of `play at`: when to start, and how exactly the last start was met.
struct CueSchedule: BitwiseCopyable {
  /// A start that was made and not yet measured.
  private struct Start: BitwiseCopyable {
    let asked: Instant
    /// Frames that the card had been given before the first one.
    let givenFrames: UInt64
  }

  /// When the first frame is to sound, by the monotonic clock. Meaningful only in the cued states.
  var instant: Instant = 0
  private var start: Start?
  /// How late the last measured start was; nil before the first.
  private(set) var errorNanoseconds: Int64?

  /// Whether the card should be running by now, so that it can place the first frame.
  func isNear(at now: Instant) -> Bool {
    now + UInt64(PlaybackLimits.cueLeadMilliseconds) * 1_000_000 >= instant
  }

  /// Frames from `now` until the start.
  func frames(from now: Instant, _ format: AudioFormat) -> Int {
    guard instant > now else { return 0 }
    return Int((Double(instant - now) * Double(format.sampleRateHz) / 1e9).rounded())
  }

  /// The first frame goes to the card after this many others.
  mutating func begin(givenFrames: UInt64) {
    start = Start(asked: instant, givenFrames: givenFrames)
  }

  /// A start that was disturbed is not measured.
  mutating func forgetStart() { start = nil }

  /// Measures a start from when the card's next frame will sound, and how many it was given until then.
  /// - Returns: nil when there is no start to measure.
  mutating func measure(_ look: SpeakerState, givenFrames: UInt64, _ format: AudioFormat) -> PlayerEvent? {
    guard let start, look.isRunning else { return nil }
    let nanoseconds = Double(givenFrames - start.givenFrames) * 1e9 / Double(format.sampleRateHz)
    let actual = look.nextFrameInstant.earlier(by: UInt64(nanoseconds.rounded()))
    self.start = nil
    errorNanoseconds = Int64(start.asked.distance(to: actual))
    return .started(asked: start.asked, actual: actual)
  }
}
