import Base

/// Peak and energy of every channel over complete frames.
struct SampleMeasures {
  private var channels = InlineArray<8, SampleMeasure>(repeating: SampleMeasure())

  init(of frames: RawSpan, _ format: AudioFormat) {
    let channelCount = min(Int(format.channelCount), channels.count)
    let heard = lanes % channelCount == 0 ? hearVectors(frames, format) : 0
    for channel in 0..<channelCount {
      channels[channel].hear(frames, from: heard + channel * format.sampleFormat.bytesPerSample, format)
    }
  }

  /// - Parameter channel: from 0, less than ``SoundLevels/capacity``.
  subscript(channel: Int) -> SampleMeasure { channels[channel] }

  /// The samples of a vector: complete frames, so that each channel always has the same of them.
  private var lanes: Int { 8 }

  /// Processes several samples at a time, because this examines every sample for as long as the device is on.
  ///
  /// The squares of a call are summed in single precision: for 19,200 frames of one channel, 2,400 in each lane, the
  /// error is within 2,400 / 2²⁴, less than a thousandth of a decibel.
  /// - Returns: how many bytes were processed: all but the last that do not fill a vector.
  private mutating func hearVectors(_ frames: RawSpan, _ format: AudioFormat) -> Int {
    let channelCount = Int(format.channelCount)
    // Safe: the functions stay within bounds; a check of each vector would cost a quarter of the loop.
    return unsafe frames.withUnsafeBytes { frames in
      guard let start = frames.baseAddress else { return 0 }
      switch format.sampleFormat {
      case .int16: return unsafe hearInt16(start, byteCount: frames.count, channelCount)
      case .int24: return unsafe hearInt24(start, byteCount: frames.count, channelCount)
      case .float32: return 0
      }
    }
  }

  @_optimize(speed) private mutating func hearInt16(
    _ start: UnsafeRawPointer, byteCount: Int, _ channelCount: Int
  ) -> Int {
    // Both ends of the range, because a magnitude costs more.
    var lowest = SIMD8<Int16>()
    var highest = SIMD8<Int16>()
    var squares = SIMD8<Float>()
    var offset = 0
    while offset &+ 16 <= byteCount {
      // Safe: any sixteen bytes are eight numbers.
      let samples = unsafe start.loadUnaligned(fromByteOffset: offset, as: SIMD8<Int16>.self)
      lowest = pointwiseMin(lowest, samples)
      highest = pointwiseMax(highest, samples)
      let numbers = SIMD8<Float>(SIMD8<Int32>(truncatingIfNeeded: samples))
      squares += numbers * numbers
      offset &+= 16
    }
    add(SIMD8<Float>(lowest), SIMD8<Float>(highest), squares, fullScale: 32_768, channelCount)
    return offset
  }

  /// Each sample is loaded with the byte after it, which is shifted out.
  @_optimize(speed) private mutating func hearInt24(
    _ start: UnsafeRawPointer, byteCount: Int, _ channelCount: Int
  ) -> Int {
    var lowest = SIMD8<Float>()
    var highest = SIMD8<Float>()
    var squares = SIMD8<Float>()
    var offset = 0
    while offset &+ 25 <= byteCount {
      var words = SIMD8<Int32>()
      for lane in 0..<8 {
        // Safe: any four bytes are a number.
        words[lane] = unsafe start.loadUnaligned(fromByteOffset: offset &+ 3 &* lane, as: Int32.self)
      }
      let samples = SIMD8<Float>((words &<< 8) &>> 8)
      lowest.replace(with: samples, where: samples .< lowest)
      highest.replace(with: samples, where: samples .> highest)
      squares += samples * samples
      offset &+= 24
    }
    add(lowest, highest, squares, fullScale: 8_388_608, channelCount)
    return offset
  }

  private mutating func add(
    _ lowest: SIMD8<Float>, _ highest: SIMD8<Float>, _ squares: SIMD8<Float>, fullScale: Float, _ channelCount: Int
  ) {
    for lane in 0..<lanes {
      let energy = Double(squares[lane]) / (Double(fullScale) * Double(fullScale))
      channels[lane % channelCount].add(peak: max(highest[lane], -lowest[lane]) / fullScale, energy: energy)
    }
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

  @_optimize(speed) private mutating func hearInt24(_ frames: RawSpan, from start: Int, by stride: Int) {
    var lowest: Int32 = 0
    var highest: Int32 = 0
    var sum = 0.0
    var offset = start
    let end = frames.byteCount - 3
    while offset <= end {
      // Safe: any three bytes are a number, and the loop stays within bounds.
      let low = unsafe frames.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self)
      let high = unsafe frames.unsafeLoadUnaligned(fromByteOffset: offset + 2, as: Int8.self)
      let sample = Int32(high) << 16 | Int32(low)
      lowest = min(lowest, sample)
      highest = max(highest, sample)
      sum += Double(sample) * Double(sample)
      offset &+= stride
    }
    add(peak: max(Float(highest), -Float(lowest)) / 8_388_608, energy: sum / 0x1p46)
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
