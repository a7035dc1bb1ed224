import Base

/// Sound that cannot be meant.
package enum SoundTrouble: UInt8, Sendable {
  /// All samples of all channels are 0.
  case silent
  /// All samples of a channel are the same, in all channels.
  case frozen
  /// One of the first two channels is at full scale all the time.
  case clipping
}

/// Tells a microphone that is dead, or that clips all the time, by its samples.
struct SoundWatch {
  private var format: AudioFormat?
  /// How many frames in a row have been the same.
  private var sameFrameCount: UInt64 = 0
  /// The peak of the samples heard last.
  private var lastPeak: Float = 0
  /// How many frames clip, with pauses.
  private var clippingFrameCount: UInt64 = 0
  /// How many frames have been heard since the last that clipped.
  private var pauseFrameCount: UInt64 = 0

  init() {}

  /// Sets the format of the samples that follow, which are of a card that was just opened; nil for the same as before.
  mutating func start(_ format: AudioFormat? = nil) {
    self.format = format ?? self.format
    sameFrameCount = 0
    clippingFrameCount = 0
  }

  /// What has been wrong for ``SoundLimits/patienceSeconds``.
  var trouble: SoundTrouble? {
    guard let format else { return nil }
    let patience = SoundLimits.patienceSeconds * UInt64(format.sampleRateHz)
    if sameFrameCount >= patience { return lastPeak == 0 ? .silent : .frozen }
    return clippingFrameCount >= patience ? .clipping : nil
  }

  /// Looks at whole sample frames in the format of the ring.
  /// - Parameter peak: the largest magnitude in any channel.
  mutating func hear(_ frames: RawSpan, peak: Float) {
    guard let format else { return }
    let frameCount = UInt64(frames.byteCount / format.bytesPerFrame)
    guard frameCount > 0 else { return }
    let isSame = peak == lastPeak && repeatsFirstFrame(frames, format.bytesPerFrame)
    sameFrameCount = isSame ? sameFrameCount + frameCount : 0
    lastPeak = peak
    let clips = peak >= SoundLimits.fullScale && hasClippingChannel(frames, format)
    pauseFrameCount = clips ? 0 : pauseFrameCount + frameCount
    let isPausing = pauseFrameCount < SoundLimits.clippingPauseSeconds * UInt64(format.sampleRateHz)
    clippingFrameCount = clips || (isPausing && clippingFrameCount > 0) ? clippingFrameCount + frameCount : 0
  }
}

/// Whether every frame is like the one before it.
@_optimize(speed) private func repeatsFirstFrame(_ frames: RawSpan, _ bytesPerFrame: Int) -> Bool {
  var offset = bytesPerFrame
  // Tested once at the end: a test for each vector costs more than the vectors, and frames with the peak of those
  // before are rarely different.
  var changes = SIMD4<UInt64>()
  // Sound: any 32 bytes are four numbers, and the loop stays within bounds.
  while offset &+ 32 <= frames.byteCount {
    let words = unsafe frames.unsafeLoadUnaligned(fromByteOffset: offset, as: SIMD4<UInt64>.self)
    let before = unsafe frames.unsafeLoadUnaligned(fromByteOffset: offset &- bytesPerFrame, as: SIMD4<UInt64>.self)
    changes |= words ^ before
    offset &+= 32
  }
  guard changes[0] | changes[1] | changes[2] | changes[3] == 0 else { return false }
  while offset < frames.byteCount {
    // Sound: any byte is a number, and the loop stays within bounds.
    let byte = unsafe frames.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    guard unsafe byte == frames.unsafeLoad(fromByteOffset: offset - bytesPerFrame, as: UInt8.self) else { return false }
    offset += 1
  }
  return true
}

private func hasClippingChannel(_ frames: RawSpan, _ format: AudioFormat) -> Bool {
  let sampleCount = frames.byteCount / format.bytesPerFrame
  for channel in 0..<min(Int(format.channelCount), 2) {
    var clippedCount = 0
    var wasFull = false
    for index in 0..<sampleCount {
      let offset = index * format.bytesPerFrame + channel * format.sampleFormat.bytesPerSample
      let isFull = format.sampleFormat.fraction(at: offset, in: frames).magnitude >= SoundLimits.fullScale
      // A single one can be the peak of a tone that just fits.
      if isFull, wasFull { clippedCount += 1 }
      wasFull = isFull
    }
    if clippedCount * SoundLimits.samplesPerClippedOne >= sampleCount { return true }
  }
  return false
}

/// What the meters measure, and what counts as sound that cannot be meant.
package enum SoundLimits {
  /// The time over which the mean level is reported: the momentary one of EBU Tech 3341.
  package static var windowNanoseconds: UInt64 { 400_000_000 }

  /// How long a peak is held: long enough to be read, as on the display.
  package static var peakNanoseconds: UInt64 { 2_000_000_000 }

  /// A microphone is dead, or clips all the time, once it has been so for this long: no pause between two words and no
  /// applause lasts as long, and somebody who has just begun a take still hears of it.
  static var patienceSeconds: UInt64 { 10 }

  /// The least share of the samples that are at full scale, like the one before, by which a channel clips: one in so
  /// many. An undistorted sine at full scale has one in 200 (twice the arccosine of 32,767 / 32,768, in π), and one
  /// that is 1 dB too loud one in 3, at least as long as a period has ten samples.
  static var samplesPerClippedOne: Int { 100 }

  /// The magnitude of full scale: the largest positive number of 16 bits.
  package static var fullScale: Float { 32_767 / 32_768 }

  /// What clips with pauses up to this long clips all the time: people breathe.
  static var clippingPauseSeconds: UInt64 { 1 }
}
