import Base

/// Applies the volume to the output and mixes the tone into it.
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

  /// The volume that was set, 0.0…1.0; the gain may still be ramping towards it.
  var volume: Double { gain.target }

  /// Whether frames pass unchanged.
  var isTransparent: Bool { gain.rests(at: 1) && toneAmplitude.rests(at: 0) }

  var hasTone: Bool { !toneAmplitude.rests(at: 0) }

  /// - Parameter isHeard: whether something is heard now, so that the change must not click.
  mutating func set(volume target: Double, isHeard: Bool) {
    gain.aim(at: target, frameCount: isHeard ? fadeFrames : 0, fade.easing)
  }

  /// - Parameter tone: nil to end it.
  mutating func set(tone: Tone?) {
    guard let tone else { return toneAmplitude.aim(at: 0, frameCount: fadeFrames, fade.easing) }
    oscillator.set(hertz: tone.hertz, sampleRateHz: format.sampleRateHz)
    toneAmplitude.aim(at: Oscillator.amplitude(decibels: tone.levelDecibels), frameCount: fadeFrames, fade.easing)
  }

  /// Shapes the first `frameCount` frames of `frames` in place.
  @export(interface)
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

  mutating func advance(frameCount: Int) {
    for _ in 0..<frameCount { _ = nextFrame() }
  }

  /// Goes back by frames that the card took and then dropped.
  mutating func rewind(frameCount: Int) { oscillator.rewind(frameCount: frameCount) }
  private var fadeFrames: Int { PlaybackLimits.frames(milliseconds: fade.milliseconds, format) }

  private mutating func nextFrame() -> (gain: Double, tone: Double) {
    let amplitude = toneAmplitude.next()
    // The phase of a silent tone is not advanced: its starting point cannot be heard.
    let tone = hasTone ? amplitude * oscillator.next() * format.sampleFormat.fullScale : 0
    return (gain.next(), tone)
  }
}

extension SampleFormat {
  /// The largest sample value; 1 for floating point.
  var fullScale: Double {
    switch self {
    case .int16: 32_767
    case .int24: 8_388_607
    case .float32: 1
    }
  }

  /// The sample at a byte offset, in the format's own units.
  func load(from bytes: RawSpan, at offset: Int) -> Double {
    // The fraction is exact: no format has more bits than a Float.
    Double(fraction(at: offset, in: bytes)) * -lowest
  }

  /// Stores a sample at a byte offset, clipped, and rounded for integer formats. NaN becomes silence.
  func store(_ sample: Double, into bytes: inout MutableRawSpan, at offset: Int) {
    let clipped = sample.isNaN ? 0 : min(fullScale, max(sample, lowest))
    switch self {
    case .int16, .int24: store(Int32(clipped < 0 ? clipped - 0.5 : clipped + 0.5), into: &bytes, at: offset)
    case .float32: bytes.storeBytes(of: Float(clipped), toByteOffset: offset, as: Float.self)
    }
  }

  private var lowest: Double { self == .float32 ? -1 : -fullScale - 1 }
}

/// How the volume and the tone change, so that no change clicks.
package struct Fade: BitwiseCopyable, Equatable, Sendable {
  /// The duration of a change, 1…10,000.
  package var milliseconds: UInt32
  /// The shape of the change.
  package var easing: Easing

  /// By default a straight line of 20 ms, too short to be heard as a fade.
  package init(milliseconds: UInt32 = 20, easing: Easing = .linear) {
    self.milliseconds = milliseconds
    self.easing = easing
  }
}

/// A value that moves to a target, frame by frame.
struct Ramp: BitwiseCopyable {
  private(set) var value: Double
  private(set) var target: Double
  private var start: Double
  private var easing = Easing.linear
  private var frameCount = 0
  private var framesLeft = 0

  init(at value: Double) {
    self.value = value
    start = value
    target = value
  }

  /// Whether it has settled at `value`.
  func rests(at value: Double) -> Bool { framesLeft == 0 && self.value == value }

  /// Moves from the present value to `target` within `frameCount` frames.
  mutating func aim(at target: Double, frameCount: Int, _ easing: Easing = .linear) {
    self.target = target
    self.easing = easing
    self.frameCount = frameCount
    start = value
    framesLeft = frameCount
    if frameCount == 0 { value = target }
  }

  /// The value for the next frame. It stays between the start and the target: an easing that overshoots would make it
  /// louder than what was set.
  mutating func next() -> Double {
    guard framesLeft > 0 else { return value }
    framesLeft -= 1
    let progress = Double(frameCount - framesLeft) / Double(frameCount)
    let eased = start + (target - start) * easing.value(at: progress)
    value = framesLeft == 0 ? target : min(max(eased, min(start, target)), max(start, target))
    return value
  }
}
