import Base

/// Applies the volume to what is heard, and mixes the tone into it.
struct SoundShaper: BitwiseCopyable {
  private let format: AudioFormat
  private let fade: Fade
  private var gain: Ramp
  private var toneAmplitude = Ramp(at: 0)
  private var oscillator = Oscillator()

  init(format: AudioFormat, volume: Double, fade: Fade = Fade()) {
    self.format = format
    self.fade = fade
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
    gain.aim(at: target, frameCount: isHeard ? fadeFrames : 0, fade.easing)
  }

  /// - Parameter tone: nil ends it.
  mutating func set(tone: Tone?) {
    guard let tone else { return toneAmplitude.aim(at: 0, frameCount: fadeFrames, fade.easing) }
    oscillator.set(hertz: tone.hertz, sampleRateHz: format.sampleRateHz)
    toneAmplitude.aim(at: Oscillator.amplitude(decibels: tone.levelDecibels), frameCount: fadeFrames, fade.easing)
  }

  /// Shapes the first `frameCount` frames of `frames` in place.
  mutating func shape(_ frames: inout MutableRawSpan, frameCount: Int) {
    let sampleFormat = format.sampleFormat
    let bytesPerSample = sampleFormat.bytesPerSample
    var offset = 0
    for _ in 0..<frameCount {
      let (gain, tone) = nextFrame()
      for _ in 0..<format.channelCount {
        let sample = sampleFormat.load(from: frames.bytes, at: offset)
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

  private var fadeFrames: Int { PlaybackLimits.frames(milliseconds: fade.milliseconds, format) }

  private mutating func nextFrame() -> (gain: Double, tone: Double) {
    let amplitude = toneAmplitude.next()
    // The phase of a silent tone is not advanced: where it starts cannot be heard.
    let tone = hasTone ? amplitude * oscillator.next() * format.sampleFormat.fullScale : 0
    return (gain.next(), tone)
  }
}
