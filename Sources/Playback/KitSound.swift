import Base
import CMath
import Kit
import Machine

/// What the kit plays while no file plays: a metronome, plucked strings, a slate's beep, and a test chirp.
///
/// It is rendered into its own buffer, because a card may take fewer frames than it is offered and the strings' samples
/// cannot be computed again.
struct KitSound: ~Copyable {
  private(set) var clicks: ClickTrack?
  private var strings: PluckedStrings
  private var slate: Click
  private var chirp: Chirp
  /// Frames until the beep or chirp begins; nil once the card has taken its first frame.
  private var framesToSlate: Int?
  private var buffer: FixedBuffer
  /// Rendered frames that the card has not taken, at the beginning of the buffer.
  private var renderedFrames = 0
  private let sampleRateHz: UInt32

  /// - Parameter capacityFrames: the most frames that are offered to the card at a time.
  /// - Returns: nil if too little of `memory` is left.
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

  /// Starts the metronome, or changes its rhythm.
  mutating func count(_ rhythm: Rhythm) {
    if clicks == nil { clicks = ClickTrack(rhythm, sampleRateHz: sampleRateHz) } else { clicks?.change(to: rhythm) }
  }

  /// Makes a beat begin after this many frames, counted from the next one that the card is given.
  mutating func align(nextBeatAfter frames: Int) { clicks?.align(nextBeatAfter: frames - renderedFrames) }

  /// The beat that is heard, 0 for the accent.
  /// - Parameter queuedFrames: the frames that the card has been given and has not played.
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

  /// Drops the part of a beep or chirp that the card has not taken.
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
      // Safe: every bit pattern is a Float.
      let sample = unsafe samples.unsafeLoad(fromByteOffset: frame * MemoryLayout<Float>.stride, as: Float.self)
      for _ in 0..<format.channelCount {
        let mixed = format.sampleFormat.load(from: frames.bytes, at: offset) + Double(sample) * scale
        format.sampleFormat.store(mixed, into: &frames, at: offset)
        offset += format.sampleFormat.bytesPerSample
      }
    }
  }

  /// Notes that the card took frames.
  /// - Returns: how many of them precede the first frame of the beep or chirp; nil if they do not contain it.
  mutating func advance(frameCount: Int) -> Int? {
    let slateStart = framesToSlate.flatMap { $0 < frameCount ? $0 : nil }
    framesToSlate = slateStart == nil ? framesToSlate.map { $0 - frameCount } : nil
    let rest = renderedFrames - frameCount
    let byteCount = MemoryLayout<Float>.stride
    var bytes = buffer.mutableBytes
    for frame in 0..<max(rest, 0) where frameCount > 0 {
      // Safe: as above.
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
    // Safe: every bit pattern is a Float, and the buffer is aligned to a cache line.
    var all = unsafe bytes._unsafeMutableView(as: Float.self)
    var samples = all._mutatingExtracting(range)
    for index in 0..<range.count { samples[index] = 0 }
    clicks?.render(frameCount: range.count, into: &samples)
    strings.render(frameCount: range.count, into: &samples)
    slate.render(into: &samples, 0..<range.count)
    chirp.render(into: &samples, 0..<range.count)
  }
}

/// A sine for aligning levels or showing that the recorder is alive.
package struct Tone: BitwiseCopyable, Equatable, Sendable {
  /// 20…20,000 Hz, below half of the card's rate.
  package var hertz: Double
  /// Peak level, -120…0 dBFS.
  package var levelDecibels: Double

  package init(hertz: Double, levelDecibels: Double) {
    self.hertz = hertz
    self.levelDecibels = levelDecibels
  }
}

/// Selects the tone that sounds: the one that was set, or the standby tone while in standby.
struct ToneSettings: BitwiseCopyable {
  /// Its level is given as that of a tone, and used only until a tone was set.
  var standby: Tone
  /// The tone that was set; nil if it is off.
  var tone: Tone?
  var isStandby = false

  /// Nil for silence.
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

  /// Goes back by frames that were generated but not heard.
  mutating func rewind(frameCount: Int) {
    phase -= cyclesPerFrame * Double(frameCount)
    phase -= phase.rounded(.down)
  }

  static func sine(cycles: Double) -> Double { sin(2 * .pi * cycles) }

  /// A level of -120…0 dBFS as a fraction of full scale: 10^(level / 20).
  static func amplitude(decibels: Double) -> Double { pow(10, decibels / 20) }
}

/// The schedule of `play at`: when to start, and how precisely the last start was met.
struct CueSchedule: BitwiseCopyable {
  /// A start that was made and has not been measured yet.
  private struct Start: BitwiseCopyable {
    let asked: Instant
    /// The number of frames that the card had been given before the first one of this start.
    let givenFrames: UInt64
  }

  /// When the first frame is to be heard, by the monotonic clock. Meaningful only in the cued states.
  var instant: Instant = 0
  private var start: Start?
  /// How late the last measured start was; nil before the first.
  private(set) var errorNanoseconds: Int64?

  /// Whether the card should be running already, so that it can place the first frame.
  func isNear(at now: Instant) -> Bool {
    now + UInt64(PlaybackLimits.cueLeadMilliseconds) * 1_000_000 >= instant
  }

  /// Frames from `now` until the start.
  func frames(from now: Instant, _ format: AudioFormat) -> Int {
    guard instant > now else { return 0 }
    return Int((Double(instant - now) * Double(format.sampleRateHz) / 1e9).rounded())
  }

  /// Notes that the first frame goes to the card after `givenFrames` others.
  mutating func begin(givenFrames: UInt64) {
    start = Start(asked: instant, givenFrames: givenFrames)
  }

  /// Cancels the measurement of a start that was disturbed.
  mutating func forgetStart() { start = nil }

  /// Measures a start by when the card's next frame will be heard, and how many frames it was given until then.
  /// - Returns: nil if there is no start to measure.
  mutating func measure(_ look: SpeakerState, givenFrames: UInt64, _ format: AudioFormat) -> PlayerEvent? {
    guard let start, look.isRunning else { return nil }
    let nanoseconds = Double(givenFrames - start.givenFrames) * 1e9 / Double(format.sampleRateHz)
    let actual = look.nextFrameInstant.earlier(by: UInt64(nanoseconds.rounded()))
    self.start = nil
    errorNanoseconds = Int64(start.asked.distance(to: actual))
    return .started(asked: start.asked, actual: actual)
  }
}
