import Base

/// Peak and energy of one channel's samples in whole frames.
struct SampleMeasure {
  /// The largest magnitude, 1 at full scale.
  var peak: Float = 0
  /// The sum of the squares of the samples, 1 at full scale.
  var energy = 0.0

  init(of frames: RawSpan, _ format: AudioFormat, channel: Int) {
    let start = channel * format.sampleFormat.bytesPerSample
    switch format.sampleFormat {
    case .int16: hearInt16(frames, from: start, by: format.bytesPerFrame)
    case .int24: hearInt24(frames, from: start, by: format.bytesPerFrame)
    case .float32: hearFloat32(frames, from: start, by: format.bytesPerFrame)
    }
  }

  private mutating func hearInt16(_ frames: RawSpan, from start: Int, by stride: Int) {
    // Both ends of the range, because a magnitude costs more, and this looks at every sample for as long as the device is on.
    var lowest: Int16 = 0
    var highest: Int16 = 0
    // 2³³ squares of at most 2³⁰ fit.
    var sum: Int64 = 0
    var offset = start
    let end = frames.byteCount - 2
    while offset <= end {
      // Sound: any two bytes are a number, and the loop stays within bounds.
      let sample = unsafe frames.unsafeLoadUnaligned(fromByteOffset: offset, as: Int16.self)
      lowest = min(lowest, sample)
      highest = max(highest, sample)
      sum &+= Int64(Int32(sample) &* Int32(sample))
      offset &+= stride
    }
    peak = max(Float(highest), -Float(lowest)) / 32_768
    energy = Double(sum) / 0x1p30
  }

  private mutating func hearInt24(_ frames: RawSpan, from start: Int, by stride: Int) {
    var lowest: Int32 = 0
    var highest: Int32 = 0
    var sum = 0.0
    var offset = start
    let end = frames.byteCount - 3
    while offset <= end {
      // Sound: any three bytes are a number, and the loop stays within bounds.
      let low = unsafe frames.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self)
      let high = unsafe frames.unsafeLoadUnaligned(fromByteOffset: offset + 2, as: Int8.self)
      let sample = Int32(high) << 16 | Int32(low)
      lowest = min(lowest, sample)
      highest = max(highest, sample)
      sum += Double(sample) * Double(sample)
      offset &+= stride
    }
    peak = max(Float(highest), -Float(lowest)) / 8_388_608
    energy = sum / 0x1p46
  }

  /// NaN counts as silence.
  private mutating func hearFloat32(_ frames: RawSpan, from start: Int, by stride: Int) {
    var offset = start
    while offset + 4 <= frames.byteCount {
      // Sound: any four bytes are a number or NaN, and the loop stays within bounds.
      let sample = unsafe frames.unsafeLoadUnaligned(fromByteOffset: offset, as: Float.self)
      if sample.magnitude > peak { peak = sample.magnitude }
      if !sample.isNaN { energy += Double(sample) * Double(sample) }
      offset += stride
    }
  }
}
