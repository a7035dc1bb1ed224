import Values

/// Applies the volume to what is heard, and mixes the tone into it.
struct SoundShaper: BitwiseCopyable {
  private let format: AudioFormat
  private var gain: Ramp
  private var toneAmplitude = Ramp(at: 0)
  private var oscillator = Oscillator()

  init(format: AudioFormat, volume: Double) {
    self.format = format
    gain = Ramp(at: volume)
  }

  /// The volume that was set, 0.0…1.0; it may still be ramping there.
  var volume: Double { gain.target }

  /// Whether frames pass unchanged.
  var isTransparent: Bool { gain.rests(at: 1) && toneAmplitude.rests(at: 0) }

  /// Whether the tone is heard, fading out included.
  var hasTone: Bool { !toneAmplitude.rests(at: 0) }

  /// - Parameter isHeard: whether something is heard now, which must not click.
  mutating func set(volume target: Double, isHeard: Bool) {
    let frameCount = PlaybackLimits.frames(milliseconds: PlaybackLimits.volumeRampMilliseconds, format)
    gain.aim(at: target, frameCount: isHeard ? frameCount : 0)
  }

  /// - Parameter tone: nil ends it.
  mutating func set(tone: Tone?) {
    let frameCount = PlaybackLimits.frames(milliseconds: PlaybackLimits.toneRampMilliseconds, format)
    guard let tone else { return toneAmplitude.aim(at: 0, frameCount: frameCount) }
    oscillator.set(hertz: tone.hertz, sampleRateHz: format.sampleRateHz)
    toneAmplitude.aim(at: Oscillator.amplitude(decibels: tone.levelDecibels), frameCount: frameCount)
  }

  /// Shapes the first `frameCount` frames of `frames` in place.
  mutating func shape(_ frames: inout MutableRawSpan, frameCount: Int) {
    let sampleFormat = format.sampleFormat
    let bytesPerSample = sampleFormat.bytesPerSample
    var offset = 0
    for _ in 0..<frameCount {
      let (gain, tone) = nextFrame()
      for _ in 0..<format.channelCount {
        let sample = sampleFormat.load(from: frames, at: offset)
        sampleFormat.store(sample * gain + tone, into: &frames, at: offset)
        offset += bytesPerSample
      }
    }
  }

  /// Advances by frames that the card took.
  mutating func advance(frameCount: Int) {
    for _ in 0..<frameCount { _ = nextFrame() }
  }

  /// Goes back by frames that the card took and dropped.
  mutating func rewind(frameCount: Int) { oscillator.rewind(frameCount: frameCount) }

  private mutating func nextFrame() -> (gain: Double, tone: Double) {
    let amplitude = toneAmplitude.next()
    // The phase of a silent tone is not advanced: where it starts cannot be heard.
    let tone = hasTone ? amplitude * oscillator.next() * format.sampleFormat.fullScale : 0
    return (gain.next(), tone)
  }
}

/// A quantity that moves to another value in a straight line, frame by frame.
struct Ramp: BitwiseCopyable {
  private(set) var value: Double
  private(set) var target: Double
  private var step = 0.0
  private var framesLeft = 0

  init(at value: Double) {
    self.value = value
    target = value
  }

  /// Whether it is and stays at `value`.
  func rests(at value: Double) -> Bool { self.value == value && target == value }

  /// Moves to `target` within this many frames, from its present value.
  mutating func aim(at target: Double, frameCount: Int) {
    self.target = target
    framesLeft = frameCount
    step = (target - value) / Double(max(1, frameCount))
    if frameCount == 0 { value = target }
  }

  /// The value of the next frame.
  mutating func next() -> Double {
    guard framesLeft > 0 else { return value }
    framesLeft -= 1
    value = framesLeft == 0 ? target : value + step
    return value
  }
}
