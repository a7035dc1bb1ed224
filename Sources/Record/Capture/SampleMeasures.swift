import Base

/// Peak and energy of every channel over complete frames.
struct SampleMeasures {
  private var channels = InlineArray<8, SampleMeasure>(repeating: SampleMeasure())

  init(of frames: RawSpan, _ format: AudioFormat) {
    let channelCount = min(Int(format.channelCount), channels.count)
    let hasVectors = format.sampleFormat == .int16 && Self.vectorByteCount % format.bytesPerFrame == 0
    let heard = hasVectors ? hearVectors(frames, channelCount) : 0
    for channel in 0..<channelCount {
      channels[channel].hear(frames, from: heard + channel * format.sampleFormat.bytesPerSample, format)
    }
  }

  /// - Parameter channel: from 0, less than ``SoundLevels/capacity``.
  subscript(channel: Int) -> SampleMeasure { channels[channel] }

  private static var vectorByteCount: Int { 16 }

  /// Processes eight 16-bit samples at a time, because this examines every sample for as long as the device is on. A
  /// vector holds complete frames, so that each channel always has the same lanes.
  ///
  /// The squares of a call are summed in single precision: for 19,200 frames of one channel, 2,400 in each lane, the
  /// error is within 2,400 / 2²⁴, less than a thousandth of a decibel.
  /// - Returns: how many bytes were processed: all but the last that do not fill a vector.
  @_optimize(speed) private mutating func hearVectors(_ frames: RawSpan, _ channelCount: Int) -> Int {
    // Both ends of the range, because a magnitude costs more.
    var lowest = SIMD8<Int16>()
    var highest = SIMD8<Int16>()
    var squares = SIMD8<Float>()
    let end = frames.byteCount - frames.byteCount % Self.vectorByteCount
    // Safe: any sixteen bytes are eight numbers, and the loop stays within bounds; a check of each vector would cost a
    // quarter of the loop.
    unsafe frames.withUnsafeBytes { frames in
      guard let start = frames.baseAddress else { return }
      for offset in stride(from: 0, to: end, by: Self.vectorByteCount) {
        let samples = unsafe start.loadUnaligned(fromByteOffset: offset, as: SIMD8<Int16>.self)
        lowest = pointwiseMin(lowest, samples)
        highest = pointwiseMax(highest, samples)
        let numbers = SIMD8<Float>(SIMD8<Int32>(truncatingIfNeeded: samples))
        squares += numbers * numbers
      }
    }
    for lane in 0..<8 {
      let peak = max(Float(highest[lane]), -Float(lowest[lane])) / 32_768
      channels[lane % channelCount].add(peak: peak, energy: Double(squares[lane]) / 0x1p30)
    }
    return end
  }
}

/// Peak and energy of one channel over complete frames.
struct SampleMeasure {
  /// The largest magnitude, 1 at full scale.
  var peak: Float = 0
  /// The sum of the squares of the samples, 1 at full scale.
  var energy = 0.0

  fileprivate mutating func add(peak: Float, energy: Double) {
    self.peak = max(self.peak, peak)
    self.energy += energy
  }

  /// Processes one channel of `frames`, whose samples are one frame apart.
  fileprivate mutating func hear(_ frames: RawSpan, from start: Int, _ format: AudioFormat) {
    switch format.sampleFormat {
    case .int16: hearInt16(frames, from: start, by: format.bytesPerFrame)
    case .int24: hearInt24(frames, from: start, by: format.bytesPerFrame)
    case .float32: hearFloat32(frames, from: start, by: format.bytesPerFrame)
    }
  }

  @_optimize(speed) private mutating func hearInt16(_ frames: RawSpan, from start: Int, by stride: Int) {
    var lowest: Int16 = 0
    var highest: Int16 = 0
    // 2³³ squares of at most 2³⁰ fit.
    var sum: Int64 = 0
    var offset = start
    let end = frames.byteCount - 2
    while offset <= end {
      // Safe: any two bytes are a number, and the loop stays within bounds.
      let sample = unsafe frames.unsafeLoadUnaligned(fromByteOffset: offset, as: Int16.self)
      lowest = min(lowest, sample)
      highest = max(highest, sample)
      sum &+= Int64(Int32(sample) &* Int32(sample))
      offset &+= stride
    }
    add(peak: max(Float(highest), -Float(lowest)) / 32_768, energy: Double(sum) / 0x1p30)
  }

  /// A sample is loaded with the byte after it, which is shifted out; the last one has none.
  @_optimize(speed) private mutating func hearInt24(_ frames: RawSpan, from start: Int, by stride: Int) {
    var heard = HeardInt24()
    // Safe: any bytes are a number, and the loop stays within bounds.
    unsafe frames.withUnsafeBytes { frames in
      guard let bytes = frames.baseAddress else { return }
      var offset = start
      while offset &+ 4 <= frames.count {
        heard.add((unsafe bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self) &<< 8) &>> 8)
        offset &+= stride
      }
      guard offset &+ 3 == frames.count else { return }
      let low = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self)
      let high = unsafe bytes.load(fromByteOffset: offset &+ 2, as: Int8.self)
      heard.add(Int32(high) << 16 | Int32(low))
    }
    add(peak: max(Float(heard.highest), -Float(heard.lowest)) / 8_388_608, energy: Double(heard.squares) / 0x1p46)
  }

  /// NaN counts as silence.
  @_optimize(speed) private mutating func hearFloat32(_ frames: RawSpan, from start: Int, by stride: Int) {
    var offset = start
    while offset + 4 <= frames.byteCount {
      // Safe: any four bytes are a number or NaN, and the loop stays within bounds.
      let sample = unsafe frames.unsafeLoadUnaligned(fromByteOffset: offset, as: Float.self)
      if sample.magnitude > peak { peak = sample.magnitude }
      if !sample.isNaN { energy += Double(sample) * Double(sample) }
      offset += stride
    }
  }
}

/// The extremes and the squares of 24-bit samples.
private struct HeardInt24 {
  var lowest: Int32 = 0
  var highest: Int32 = 0
  /// 2¹⁷ squares of at most 2⁴⁶ fit: six times what a call gets.
  var squares: Int64 = 0

  @inline(__always) mutating func add(_ sample: Int32) {
    lowest = min(lowest, sample)
    highest = max(highest, sample)
    squares &+= Int64(sample) &* Int64(sample)
  }
}
