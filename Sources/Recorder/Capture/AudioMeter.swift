import CMath
import Values

/// The peak of the first two channels as a meter shows it: rising at once, falling by 20 dB in 1.7 s, the return time
/// of a peak meter of type I (IEC 60268-18).
struct AudioMeter {
  /// The level of silence.
  static var floorDecibels: Float { -90 }
  private static var fallDecibelsPerNanosecond: Float { 20 / 1.7e9 }

  private var format: AudioFormat?
  /// The peak since the last ``read(at:)``, 0 or more.
  private var peaks = InlineArray<2, Float>(repeating: 0)
  private var shownDecibels = InlineArray<2, Float>(repeating: -90)
  private var lastRead: Instant = 0
  /// At how many calls of ``read(at:)`` a channel had reached full scale.
  private(set) var clipCounts = InlineArray<2, UInt32>(repeating: 0)

  init() {}

  /// Sets the format of the samples that follow.
  mutating func start(_ format: AudioFormat) { self.format = format }

  /// Measures whole sample frames in the format of the ring.
  /// - Returns: their peak, 1 at full scale.
  @discardableResult mutating func hear(_ frames: RawSpan) -> Float {
    guard let format else { return 0 }
    let first = loudest(frames, format, channel: 0)
    let second = format.channelCount == 1 ? first : loudest(frames, format, channel: 1)
    peaks[0] = max(peaks[0], first)
    peaks[1] = max(peaks[1], second)
    return max(first, second)
  }

  /// The level in dBFS, -90…0: of the first channel, and of the second, or the first again for mono.
  mutating func read(at now: Instant) -> InlineArray<2, Float> {
    let fall = Float(now.distance(since: lastRead)) * Self.fallDecibelsPerNanosecond
    lastRead = now
    for channel in 0..<2 {
      let heard = peaks[channel] > 0 ? 20 * log10f(peaks[channel]) : Self.floorDecibels
      shownDecibels[channel] = min(max(heard, max(shownDecibels[channel] - fall, Self.floorDecibels)), 0)
      if peaks[channel] >= SoundLimits.fullScale { clipCounts[channel] &+= 1 }
      peaks[channel] = 0
    }
    return shownDecibels
  }
}

/// The largest magnitude of a channel's samples, 1 at full scale.
private func loudest(_ frames: RawSpan, _ format: AudioFormat, channel: Int) -> Float {
  let start = channel * format.sampleFormat.bytesPerSample
  return switch format.sampleFormat {
  case .int16: loudestInt16(frames, from: start, by: format.bytesPerFrame)
  case .int24: loudestInt24(frames, from: start, by: format.bytesPerFrame)
  case .float32: loudestFloat32(frames, from: start, by: format.bytesPerFrame)
  }
}

private func loudestInt16(_ frames: RawSpan, from start: Int, by stride: Int) -> Float {
  // Both ends of the range, because a magnitude costs more, and this looks at every sample for as long as the device is on.
  var lowest: Int16 = 0
  var highest: Int16 = 0
  var offset = start
  let end = frames.byteCount - 2
  while offset <= end {
    // Sound: any two bytes are a number, and the loop stays within bounds.
    let sample = unsafe frames.unsafeLoadUnaligned(fromByteOffset: offset, as: Int16.self)
    lowest = min(lowest, sample)
    highest = max(highest, sample)
    offset &+= stride
  }
  return max(Float(highest), -Float(lowest)) / 32_768
}

private func loudestInt24(_ frames: RawSpan, from start: Int, by stride: Int) -> Float {
  var lowest: Int32 = 0
  var highest: Int32 = 0
  var offset = start
  let end = frames.byteCount - 3
  while offset <= end {
    // Sound: any three bytes are a number, and the loop stays within bounds.
    let low = unsafe frames.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self)
    let high = unsafe frames.unsafeLoadUnaligned(fromByteOffset: offset + 2, as: Int8.self)
    let sample = Int32(high) << 16 | Int32(low)
    lowest = min(lowest, sample)
    highest = max(highest, sample)
    offset &+= stride
  }
  return max(Float(highest), -Float(lowest)) / 8_388_608
}

/// NaN counts as silence.
private func loudestFloat32(_ frames: RawSpan, from start: Int, by stride: Int) -> Float {
  var peak: Float = 0
  var offset = start
  while offset + 4 <= frames.byteCount {
    // Sound: any four bytes are a number or NaN, and the loop stays within bounds.
    let magnitude = unsafe frames.unsafeLoadUnaligned(fromByteOffset: offset, as: Float.self).magnitude
    if magnitude > peak { peak = magnitude }
    offset += stride
  }
  return peak
}
