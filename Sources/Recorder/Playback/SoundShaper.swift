import Values

/// Makes the volume of what is heard, and mixes the tone into it.
struct SoundShaper: BitwiseCopyable {
  private let format: AudioFormat
  private var volume: Ramp
  private var toneAmplitude = Ramp(at: 0)
  private var oscillator = Oscillator()

  init(format: AudioFormat, volume: Double) {
    self.format = format
    self.volume = Ramp(at: volume)
  }

  /// Whether frames are heard as they are.
  var isTransparent: Bool { volume.rests(at: 1) && toneAmplitude.rests(at: 0) }

  /// Whether the tone is heard, or still ebbs.
  var hasTone: Bool { !toneAmplitude.rests(at: 0) }

  /// - Parameter isHeard: whether something sounds now, which must not click.
  mutating func set(volume target: Double, isHeard: Bool) {
    let frameCount = PlaybackLimits.frames(milliseconds: PlaybackLimits.volumeRampMilliseconds, format)
    volume.aim(at: target, frameCount: isHeard ? frameCount : 0)
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

  /// Goes on over frames that the card took.
  mutating func advance(frameCount: Int) {
    for _ in 0..<frameCount { _ = nextFrame() }
  }

  /// Goes back over frames that the card took and dropped.
  mutating func rewind(frameCount: Int) { oscillator.rewind(frameCount: frameCount) }

  private mutating func nextFrame() -> (gain: Double, tone: Double) {
    let amplitude = toneAmplitude.next()
    // A tone that is not heard keeps its phase: it has none that anybody knows of.
    let tone = hasTone ? amplitude * oscillator.next() * format.sampleFormat.fullScale : 0
    return (volume.next(), tone)
  }
}
