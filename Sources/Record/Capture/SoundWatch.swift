import Base

/// Sound that is certainly not intended.
package enum SoundTrouble: UInt8, Sendable {
  /// All samples of all channels are 0.
  case silent
  /// In every channel, all samples have the same value.
  case frozen
  /// One of the first two channels is at full scale all the time.
  case clipping
}

/// Detects from its samples a microphone that is dead or clips all the time.
struct SoundWatch {
  private var format: AudioFormat?
  /// The number of consecutive identical frames.
  private var sameFrameCount: UInt64 = 0
  /// The peak of the latest samples.
  private var lastPeak: Float = 0
  /// The number of frames of clipping, including pauses.
  private var clippingFrameCount: UInt64 = 0
  /// The number of frames since the last that clipped.
  private var pauseFrameCount: UInt64 = 0

  /// Sets the format of the samples that follow, from a card that was just opened; nil keeps the format.
  mutating func start(_ format: AudioFormat? = nil) {
    self.format = format ?? self.format
    sameFrameCount = 0
    clippingFrameCount = 0
  }

  /// The trouble that has lasted for ``SoundLimits/patienceSeconds``.
  var trouble: SoundTrouble? {
    guard let format else { return nil }
    let patience = SoundLimits.patienceSeconds * UInt64(format.sampleRateHz)
    if sameFrameCount >= patience { return lastPeak == 0 ? .silent : .frozen }
    return clippingFrameCount >= patience ? .clipping : nil
  }

  /// Examines complete sample frames in the ring's format.
  /// - Parameter peak: the largest magnitude in any channel.
  mutating func hear(_ frames: RawSpan, peak: Float) {
    guard let format else { return }
    let frameCount = UInt64(frames.byteCount / format.bytesPerFrame)
    guard frameCount > 0 else { return }
    let isSame = peak == lastPeak && (peak == 0 || repeatsFirstFrame(frames, format.bytesPerFrame))
    sameFrameCount = isSame ? sameFrameCount + frameCount : 0
    lastPeak = peak
    let clips = peak >= SoundLimits.fullScale && hasClippingChannel(frames, format)
    pauseFrameCount = clips ? 0 : pauseFrameCount + frameCount
    let isPausing = pauseFrameCount < SoundLimits.clippingPauseSeconds * UInt64(format.sampleRateHz)
    clippingFrameCount = clips || (isPausing && clippingFrameCount > 0) ? clippingFrameCount + frameCount : 0
  }
}

/// Whether every frame equals the one before it.
@_optimize(speed) private func repeatsFirstFrame(_ frames: RawSpan, _ bytesPerFrame: Int) -> Bool {
  var offset = bytesPerFrame
  // Tested once, at the end: a test of each vector costs more than the vector, and this is called only for frames with
  // the same peak as those before.
  var changes = SIMD4<UInt64>()
  // Safe: any 32 bytes are four numbers, and the loop stays within bounds.
  while offset &+ 32 <= frames.byteCount {
    let words = unsafe frames.unsafeLoadUnaligned(fromByteOffset: offset, as: SIMD4<UInt64>.self)
    let before = unsafe frames.unsafeLoadUnaligned(fromByteOffset: offset &- bytesPerFrame, as: SIMD4<UInt64>.self)
    changes |= words ^ before
    offset &+= 32
  }
  guard changes[0] | changes[1] | changes[2] | changes[3] == 0 else { return false }
  while offset < frames.byteCount {
    // Safe: any byte is a number, and the loop stays within bounds.
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

/// What the meters measure, and what counts as unintended sound.
package enum SoundLimits {
  /// The integration time of the mean level: the momentary one of EBU Tech 3341.
  package static var windowNanoseconds: UInt64 { 400_000_000 }

  /// How long a peak is held: long enough to be read, as on the display.
  package static var peakNanoseconds: UInt64 { 2_000_000_000 }

  /// How long a microphone must be dead or clip before it is reported: no pause between two words and no applause
  /// lasts this long, and somebody who has just begun a take still learns of it in time.
  static var patienceSeconds: UInt64 { 10 }

  /// A channel clips if at least one in this many samples is at full scale, like the one before it. An undistorted sine
  /// at full scale has one in 200 (twice the arccosine of 32,767 / 32,768, over π), and one that is 1 dB too loud has
  /// one in 3, as long as a period has at least ten samples.
  static var samplesPerClippedOne: Int { 100 }

  /// The magnitude of full scale: the largest positive 16-bit number.
  package static var fullScale: Float { 32_767 / 32_768 }

  /// Clipping with pauses of up to this length counts as continuous: people breathe.
  static var clippingPauseSeconds: UInt64 { 1 }
}
