import Base
import CMath

/// The levels of the microphone's channels, and the peaks of the first two as a meter shows them: instant rise, and a
/// fall of 20 dB in 1.7 s, the return time of a type I peak meter (IEC 60268-18).
struct AudioMeter {
  /// The level of silence.
  static var floorDecibels: Float { -90 }
  private static var fallDecibelsPerNanosecond: Float { 20 / 1.7e9 }

  private var format: AudioFormat?
  /// Peaks since the last ``read(at:)``, 0 or more.
  private var peaks = InlineArray<8, Float>(repeating: 0)
  private var heldPeaks = InlineArray<8, HeldMaximum>(repeating: HeldMaximum(0))
  /// Sums of squares since ``windowStart``.
  private var energies = InlineArray<8, Double>(repeating: 0)
  private var frameCount = 0
  private var windowStart: Instant = 0
  /// The number of calls of ``read(at:)`` at which a channel had reached full scale.
  private var allClipCounts = InlineArray<8, UInt32>(repeating: 0)
  private var clipCountsAtReset = InlineArray<8, UInt32>(repeating: 0)
  private var shownDecibels = InlineArray<2, Float>(repeating: -90)
  private var lastRead: Instant = 0
  /// As of the last ``read(at:)``.
  private(set) var levels = SoundLevels()

  /// Sets the format of the samples that follow.
  mutating func start(_ format: AudioFormat) {
    self.format = format
    levels.channelCount = min(Int(format.channelCount), SoundLevels.capacity)
    forgetWindow()
  }

  /// Restarts the clip counts and the search for the lowest noise.
  mutating func resetLevels() {
    clipCountsAtReset = allClipCounts
    for channel in 0..<SoundLevels.capacity {
      levels[channel].noise = nil
      levels[channel].clipCount = 0
    }
    forgetWindow()
    windowStart = lastRead
  }

  /// Measures complete sample frames in the ring's format.
  /// - Returns: their peak, 1 at full scale.
  @discardableResult mutating func hear(_ frames: RawSpan) -> Float {
    guard let format else { return 0 }
    var loudest: Float = 0
    let heard = SampleMeasures(of: frames, format)
    for channel in 0..<levels.channelCount {
      peaks[channel] = max(peaks[channel], heard[channel].peak)
      energies[channel] += heard[channel].energy
      loudest = max(loudest, heard[channel].peak)
    }
    frameCount += frames.byteCount / format.bytesPerFrame
    return loudest
  }

  /// The number of calls of ``read(at:)`` at which the shown channels had reached full scale.
  var clipCounts: InlineArray<2, UInt32> { [allClipCounts[0], allClipCounts[secondShown]] }

  /// The channel that the second meter shows.
  private var secondShown: Int { levels.channelCount == 1 ? 0 : 1 }

  /// The levels in dBFS, -90…0: the first channel's, and the second's, or the first's again for mono.
  mutating func read(at now: Instant) -> InlineArray<2, Float> {
    let fall = Float(now.distance(since: lastRead)) * Self.fallDecibelsPerNanosecond
    lastRead = now
    for shown in 0..<2 {
      let peak = peaks[shown == 0 ? 0 : secondShown]
      let heard = peak > 0 ? 20 * log10f(peak) : Self.floorDecibels
      shownDecibels[shown] = min(max(heard, max(shownDecibels[shown] - fall, Self.floorDecibels)), 0)
    }
    for channel in 0..<levels.channelCount {
      heldPeaks[channel].follow(peaks[channel], for: SoundLimits.peakNanoseconds, at: now)
      levels[channel].peak = heldPeaks[channel].value
      if peaks[channel] >= SoundLimits.fullScale { allClipCounts[channel] &+= 1 }
      levels[channel].clipCount = allClipCounts[channel] &- clipCountsAtReset[channel]
      peaks[channel] = 0
    }
    if now.distance(since: windowStart) >= SoundLimits.windowNanoseconds { endWindow(at: now) }
    return shownDecibels
  }

  private mutating func endWindow(at now: Instant) {
    let rate = UInt64(format?.sampleRateHz ?? 0)
    // If the microphone delivered for only part of the window, that says little about its noise.
    let isReported = UInt64(frameCount) * 2_000_000_000 >= SoundLimits.windowNanoseconds * rate
    for channel in 0..<levels.channelCount {
      let rms = frameCount > 0 ? Float((energies[channel] / Double(frameCount)).squareRoot()) : 0
      levels[channel].rms = rms
      if isReported { levels[channel].noise = min(levels[channel].noise ?? rms, rms) }
    }
    forgetWindow()
    windowStart = now
  }

  private mutating func forgetWindow() {
    energies = InlineArray(repeating: 0)
    frameCount = 0
  }
}

/// The meter readings of every channel of the microphone.
package struct SoundLevels: BitwiseCopyable, Sendable {
  /// The most channels that a microphone can have.
  package static var capacity: Int { 8 }

  /// The microphone's; 0 before it was opened for the first time.
  package internal(set) var channelCount = 0
  private var channels = InlineArray<8, ChannelLevels>(repeating: ChannelLevels())

  /// - Parameter channel: from 0, less than ``capacity``.
  package internal(set) subscript(channel: Int) -> ChannelLevels {
    get { channels[channel] }
    set { channels[channel] = newValue }
  }

  /// An amplitude in dBFS; 1 is full scale. Silence, and anything below the resolution of 24 bits, is -144.
  package static func decibels(_ amplitude: Float) -> Double {
    amplitude > 0 ? Double(min(max(20 * log10f(amplitude), -144), 200)) : -144
  }
}

/// The meter readings of one channel. Amplitudes are fractions of full scale.
package struct ChannelLevels: BitwiseCopyable, Sendable {
  /// The largest sample magnitude, held for ``SoundLimits/peakNanoseconds``.
  package internal(set) var peak: Float = 0
  /// The root mean square over the last ``SoundLimits/windowNanoseconds``, including any DC offset: 0.707 for a sine at
  /// full scale.
  package internal(set) var rms: Float = 0
  /// The lowest ``rms`` since the reset: the noise of microphone and room. Nil before the first.
  package internal(set) var noise: Float?
  /// The number of meter readings since the reset at which the channel had reached full scale.
  package internal(set) var clipCount: UInt32 = 0

  /// Whether a complete window was measured; before that, silence says nothing.
  package var isMeasured: Bool { noise != nil || rms > 0 }
}
