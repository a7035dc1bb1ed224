import Base

/// The sound of the simulated world. Every sample is a function of its number, so a program that reads samples from a
/// file can check each one and find out which are missing.
///
/// It is quiet noise, different in each channel, with a click in all channels at every whole second of the world: 5 ms
/// of 1 kHz at −6 dBFS. The click starts at full strength with the first sample at or after the second.
package struct SimSound: Sendable {
  /// The click's peak in 24-bit steps: half of full scale.
  static var clickPeak: Double { 4_194_304 }

  private let timeline: SimTimeline
  private let noise: SimNoise
  private let sampleRateHz: UInt64
  private let hasClicks: Bool
  /// The length of a click in frames.
  private var clickFrameCount: UInt64 { sampleRateHz * 5 / 1000 }

  /// - Parameter worldStart: the instant of sample 0.
  package init(
    seed: UInt64, worldStart: Instant, sampleRateHz: UInt32, partsPerMillion: Int32 = 0, hasClicks: Bool = true
  ) {
    timeline = SimTimeline(start: worldStart, ticks: sampleRateHz, partsPerMillion: partsPerMillion)
    noise = SimNoise(seed: seed, stream: 3)
    self.sampleRateHz = UInt64(sampleRateHz)
    self.hasClicks = hasClicks
  }

  /// One sample in 24-bit steps, -8,388,608…8,388,607. A 16-bit sample is its upper 16 bits; a float is the value /
  /// 2²³.
  package func sample(ofFrame frame: UInt64, channel: Int) -> Int32 {
    let clickStart = timeline.firstTick(ofSecond: timeline.wholeSeconds(at: frame))
    return noiseSample(ofFrame: frame, channel: channel) + clickSample(atFrameOfClick: frame - clickStart)
  }

  /// Writes `frameCount` frames, starting with `frame`, to the start of `space`.
  /// - Parameters:
  ///   - factor: a false gain to simulate; samples beyond full scale are clipped.
  ///   - other: other sound in a frame, in 24-bit steps.
  package func write(
    frameCount: Int, from frame: UInt64, as format: AudioFormat, amplifiedBy factor: Int64 = 1,
    into space: inout MutableRawSpan, adding other: (UInt64) -> Int32 = { _ in 0 }
  ) {
    let end = frame + UInt64(frameCount)
    var next = frame
    var offset = 0
    while next < end {
      let second = timeline.wholeSeconds(at: next)
      let clickStart = timeline.firstTick(ofSecond: second)
      let secondEnd = min(end, timeline.firstTick(ofSecond: second + 1))
      while next < secondEnd {
        let click = clickSample(atFrameOfClick: next - clickStart) + other(next)
        for channel in 0..<Int(format.channelCount) {
          let sample = Int64(noiseSample(ofFrame: next, channel: channel) + click) * factor
          let cut = Int32(min(max(sample, -8_388_608), 8_388_607))
          space.store(sample24: cut, as: format.sampleFormat, atByteOffset: offset)
          offset += format.sampleFormat.bytesPerSample
        }
        next += 1
      }
    }
  }

  /// Uniform noise of ±8,192, with peaks 60 dB below full scale. One random number serves four channels.
  private func noiseSample(ofFrame frame: UInt64, channel: Int) -> Int32 {
    let bits = noise.bits(at: frame << 1 | UInt64(channel >> 2))
    return Int32(Int16(truncatingIfNeeded: bits >> UInt64(16 * (channel & 3)))) >> 2
  }

  private func clickSample(atFrameOfClick frame: UInt64) -> Int32 {
    guard hasClicks, frame < clickFrameCount else { return 0 }
    return Int32(Self.clickPeak * Self.cosine(turns: Double(frame * 1000 % sampleRateHz) / Double(sampleRateHz)))
  }

  /// Bhaskara's rational approximation: its error is below 0.002, and the bits are the same on every machine.
  static func cosine(turns: Double) -> Double {
    let shifted = turns < 0.75 ? turns + 0.25 : turns - 0.75
    let half = shifted < 0.5 ? 2 * shifted : 2 * shifted - 1
    let product = half * (1 - half)
    return (shifted < 0.5 ? 16 : -16) * product / (5 - 4 * product)
  }
}

extension MutableRawSpan {
  /// Stores one sample, little-endian.
  fileprivate mutating func store(sample24: Int32, as format: SampleFormat, atByteOffset offset: Int) {
    switch format {
    case .int16:
      storeBytes(of: Int16(sample24 >> 8).littleEndian, toByteOffset: offset, as: Int16.self)
    case .int24:
      storeBytes(of: UInt16(truncatingIfNeeded: sample24).littleEndian, toByteOffset: offset, as: UInt16.self)
      storeBytes(of: Int8(sample24 >> 16), toByteOffset: offset + 2, as: Int8.self)
    case .float32:
      let bits = (Float(sample24) / 8_388_608).bitPattern.littleEndian
      storeBytes(of: bits, toByteOffset: offset, as: UInt32.self)
    }
  }
}
