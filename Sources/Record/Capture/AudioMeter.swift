import Base
import CMath

/// The levels of the microphone's channels, and the peak of the first two as a meter shows it: rising at once, falling
/// by 20 dB in 1.7 s, the return time of a peak meter of type I (IEC 60268-18).
struct AudioMeter {
  /// The level of silence.
  static var floorDecibels: Float { -90 }
  private static var fallDecibelsPerNanosecond: Float { 20 / 1.7e9 }

  private var format: AudioFormat?
  /// Peak, 0 or more, since the last ``read(at:)``.
  private var peaks = InlineArray<8, Float>(repeating: 0)
  private var heldPeaks = InlineArray<8, HeldMaximum>(repeating: HeldMaximum(0))
  /// Since ``windowStart``.
  private var energies = InlineArray<8, Double>(repeating: 0)
  private var frameCount = 0
  private var windowStart: Instant = 0
  /// At how many calls of ``read(at:)`` a channel had reached full scale.
  private var allClipCounts = InlineArray<8, UInt32>(repeating: 0)
  private var clipCountsAtReset = InlineArray<8, UInt32>(repeating: 0)
  private var shownDecibels = InlineArray<2, Float>(repeating: -90)
  private var lastRead: Instant = 0
  /// As of the last ``read(at:)``.
  private(set) var levels = SoundLevels()

  init() {}

  /// Sets the format of the samples that follow.
  mutating func start(_ format: AudioFormat) {
    self.format = format
    levels.channelCount = min(Int(format.channelCount), SoundLevels.capacity)
    forgetWindow()
  }

  /// Begins to count clips and to seek the lowest noise again.
  mutating func resetLevels() {
    clipCountsAtReset = allClipCounts
    for channel in 0..<SoundLevels.capacity {
      levels[channel].noise = nil
      levels[channel].clipCount = 0
    }
    forgetWindow()
    windowStart = lastRead
  }

  /// Measures whole sample frames in the format of the ring.
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

  /// At how many calls of ``read(at:)`` the shown channels had reached full scale.
  var clipCounts: InlineArray<2, UInt32> { [allClipCounts[0], allClipCounts[secondShown]] }

  /// The channel that the second meter shows.
  private var secondShown: Int { levels.channelCount == 1 ? 0 : 1 }

  /// The level in dBFS, -90…0: of the first channel, and of the second, or the first again for mono.
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
    // The microphone may have delivered for a part of it alone, which says little of the noise.
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

/// What the meters tell of every channel of the microphone.
package struct SoundLevels: BitwiseCopyable, Sendable {
  /// As many channels as a microphone can have.
  package static var capacity: Int { 8 }

  /// The microphone's; 0 before it was opened for the first time.
  package internal(set) var channelCount = 0
  private var channels = InlineArray<8, ChannelLevels>(repeating: ChannelLevels())

  init() {}

  /// - Parameter channel: from 0 on, less than ``capacity``.
  package internal(set) subscript(channel: Int) -> ChannelLevels {
    get { channels[channel] }
    set { channels[channel] = newValue }
  }

  /// An amplitude in dBFS; 1 is full scale. Less than 24 bits can hold, and silence, is -144.
  package static func decibels(_ amplitude: Float) -> Double {
    amplitude > 0 ? Double(min(max(20 * log10f(amplitude), -144), 200)) : -144
  }
}

/// What the meters tell of one channel. Amplitudes are fractions of full scale.
package struct ChannelLevels: BitwiseCopyable, Sendable {
  /// The largest magnitude of a sample, held for ``SoundLimits/peakNanoseconds``.
  package internal(set) var peak: Float = 0
  /// The root of the mean square of the last ``SoundLimits/windowNanoseconds``, offset included: 0.707 for a sine at
  /// full scale.
  package internal(set) var rms: Float = 0
  /// The lowest ``rms`` since the reset: the noise of microphone and room. Nil before the first.
  package internal(set) var noise: Float?
  /// At how many readings of the meter since the reset the channel had reached full scale.
  package internal(set) var clipCount: UInt32 = 0

  /// Whether a whole window was heard: before that, silence says nothing.
  package var isMeasured: Bool { noise != nil || rms > 0 }
}
