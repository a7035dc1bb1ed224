import Base
import CMath

/// Does to the card's frames what ``SoundProcessing`` asks for, in this order: stitching, the low cut, the safety
/// channels, the gain, the limiter. All channels are delayed alike.
package struct SoundProcessor: ~Copyable {
  /// Frames that are processed at once.
  package static var chunkFrames: Int { 1024 }
  private static var channelCapacity: Int { 8 }

  private let processing: SoundProcessing
  /// The format of the recorded sound if the card's is not to be kept.
  private let wanted: SampleFormat?
  private let gain: Float
  private let safetyGain: Float
  private var card = AudioFormat(sampleRateHz: 48_000, channelCount: 1, sampleFormat: .int16)
  package private(set) var output = AudioFormat(sampleRateHz: 48_000, channelCount: 1, sampleFormat: .int16)
  private var stitches: InlineArray<4, InputStitch>
  private var lowCuts = InlineArray<8, FilterSection>(repeating: FilterSection())
  private var limiter: PeakLimiter?
  /// The frames that the limiter has not let through, with room for all channels; in a ring.
  private var waiting: FixedBuffer
  /// Frames in ``waiting``.
  package private(set) var waitingCount = 0
  private var nextWaiting = 0
  private var noise = SplitMix64(seed: 1)
  private var raw: FixedBuffer

  /// - Returns: nil if `memory` is used up.
  package init?(_ processing: SoundProcessing, wanted: SampleFormat?, in memory: inout BootMemory) {
    let frameByteCount = 4 * Self.channelCapacity
    guard let raw = FixedBuffer(byteCount: Self.chunkFrames * frameByteCount, in: &memory),
      let waiting = FixedBuffer(byteCount: PeakLimiter.capacityFrames * frameByteCount, in: &memory)
    else { return nil }
    self.processing = processing
    self.wanted = wanted
    gain = Float(pow(10, processing.gainDecibels / 20))
    safetyGain = Float(pow(10, (processing.safetyDecibels ?? 0) / 20))
    stitches = InlineArray(repeating: InputStitch(decibels: processing.stitchDecibels ?? 0, sampleRateHz: 48_000))
    self.raw = raw
    self.waiting = waiting
  }

  /// Starts anew with a card that has just been opened.
  /// - Returns: the format of the recorded sound.
  package mutating func start(_ card: AudioFormat) -> AudioFormat {
    self.card = card
    output = processing.output(ofCard: card, wanted: wanted)
    let rate = card.sampleRateHz
    stitches = InlineArray(repeating: InputStitch(decibels: processing.stitchDecibels ?? 0, sampleRateHz: rate))
    if let edge = processing.lowCutHz {
      let filter = FilterSection(edge: min(Double(edge) / Double(rate), 0.49), isHighPass: true)
      lowCuts = InlineArray(repeating: filter)
    }
    let isLimited = output.sampleFormat != .float32
    limiter = processing.limiterDecibels.flatMap {
      isLimited ? PeakLimiter(ceilingDecibels: $0, sampleRateHz: rate) : nil
    }
    waitingCount = 0
    nextWaiting = 0
    return output
  }

  /// How much louder the first of two stitched inputs is, as measured; nil if it was not measured.
  package var stitchedDecibels: Double? {
    processing.stitchDecibels != nil && stitches[0].isMeasured ? stitches[0].decibels : nil
  }

  /// Has the chunk filled with the card's frames.
  /// - Parameter frameCount: at most ``chunkFrames``.
  package mutating func fillChunk<Failure: Error, Result>(
    frameCount: Int, _ fill: (inout MutableRawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let byteCount = frameCount * card.bytesPerFrame
    var bytes = raw.mutableBytes
    var chunk = bytes._mutatingExtracting(first: byteCount)
    return try fill(&chunk)
  }

  /// Processes the frames of the chunk.
  /// - Parameter place: the first frame in `target` to be written.
  /// - Returns: the frames written; fewer while the limiter fills its delay.
  @_optimize(speed)
  package mutating func process(_ frameCount: Int, into target: inout MutableRawSpan, at place: Int) -> Int {
    var written = 0
    for frame in 0..<frameCount {
      let samples = take(frame)
      guard limiter != nil else {
        write(samples, &target, at: place + written)
        written += 1
        continue
      }
      if let delayed = delay(samples) {
        write(delayed, &target, at: place + written)
        written += 1
      }
    }
    for channel in 0..<Int(card.channelCount) { lowCuts[channel].settle() }
    return written
  }

  /// Writes what the limiter still holds, as if nothing came after it.
  /// - Returns: the frames written, as many as fit.
  package mutating func drain(into target: inout MutableRawSpan, at place: Int) -> Int {
    let count = min(waitingCount, target.byteCount / output.bytesPerFrame - place)
    for index in 0..<count {
      let gain = limiter!.gain(ahead: 0)
      var samples = takeWaiting()
      amplify(&samples, by: gain)
      write(samples, &target, at: place + index)
    }
    return count
  }

  /// A frame of all output channels.
  private typealias Samples = InlineArray<8, Float>

  /// Reads a frame of the chunk, up to the gain.
  @inline(__always)
  private func sample(_ channel: Int, ofFrame frame: Int) -> Float {
    let offset = frame * card.bytesPerFrame + channel * card.sampleFormat.bytesPerSample
    let sample = card.sampleFormat.fraction(at: offset, in: raw.bytes)
    return sample.isFinite ? sample : 0
  }

  @inline(__always)
  private mutating func take(_ frame: Int) -> Samples {
    var samples = Samples(repeating: 0)
    let count = mainCount
    for channel in 0..<count {
      var sample: Float
      if processing.stitchDecibels != nil {
        let (loud, quiet) = (self.sample(2 * channel, ofFrame: frame), self.sample(2 * channel + 1, ofFrame: frame))
        sample = stitches[channel].join(loud: loud, quiet: quiet)
      } else {
        sample = self.sample(channel, ofFrame: frame)
      }
      if processing.lowCutHz != nil { sample = Float(lowCuts[channel].pass(Double(sample))) }
      samples[channel] = sample * gain
      if processing.safetyDecibels != nil { samples[count + channel] = sample * safetyGain }
    }
    return samples
  }

  /// The channels without the safety channels.
  private var mainCount: Int { Int(output.channelCount) / (processing.safetyDecibels == nil ? 1 : 2) }

  /// - Returns: the frame that is due; nil while the delay fills.
  @inline(__always)
  private mutating func delay(_ samples: Samples) -> Samples? {
    var peak: Float = 0
    for channel in 0..<mainCount { peak = max(peak, samples[channel].magnitude) }
    let gain = limiter!.gain(ahead: peak)
    var due: Samples?
    if waitingCount == limiter!.lookaheadFrames {
      var oldest = takeWaiting()
      amplify(&oldest, by: gain)
      due = oldest
    }
    let offset = (nextWaiting + waitingCount) % PeakLimiter.capacityFrames * MemoryLayout<Samples>.stride
    var bytes = waiting.mutableBytes
    bytes.storeBytes(of: samples, toByteOffset: offset, as: Samples.self)
    waitingCount += 1
    return due
  }

  private mutating func takeWaiting() -> Samples {
    // Safe: any bytes are eight numbers, and the span checks its bounds.
    let samples = unsafe waiting.bytes.unsafeLoad(
      fromByteOffset: nextWaiting * MemoryLayout<Samples>.stride, as: Samples.self)
    nextWaiting = (nextWaiting + 1) % PeakLimiter.capacityFrames
    waitingCount -= 1
    return samples
  }

  private func amplify(_ samples: inout Samples, by gain: Float) {
    for channel in 0..<mainCount { samples[channel] *= gain }
  }

  @inline(__always)
  private mutating func write(_ samples: Samples, _ target: inout MutableRawSpan, at frame: Int) {
    let isDithered = output.sampleFormat == .int16 && !processing.keepsSamples
    var offset = frame * output.bytesPerFrame
    for channel in 0..<Int(output.channelCount) {
      let sample = samples[channel]
      switch output.sampleFormat {
      case .float32: target.storeBytes(of: sample, toByteOffset: offset, as: Float.self)
      case .int16:
        let isAltered = isDithered || channel >= mainCount
        let number = Self.whole(sample * 32_768 + (isAltered ? dither() : 0), 32_767)
        output.sampleFormat.store(number, into: &target, at: offset)
      case .int24:
        output.sampleFormat.store(Self.whole(sample * 8_388_608, 8_388_607), into: &target, at: offset)
      }
      offset += output.sampleFormat.bytesPerSample
    }
  }

  /// Rounded and clipped.
  @inline(__always)
  private static func whole(_ sample: Float, _ largest: Float) -> Int32 {
    Int32(min(max(sample.rounded(), -largest - 1), largest))
  }

  /// Triangular noise of one step either way, which makes the rounding to 16 bits inaudible.
  private mutating func dither() -> Float {
    let bits = noise.next()
    return (Float(bits & 0xFFFF) - Float(bits >> 16 & 0xFFFF)) / 65_536
  }
}
