import CFFmpeg
import CSonic
import Values

/// Speeds up or slows down the converter's output, its pitch kept, in the same format. libsonic works with 16 bits.
@safe struct RateChanger: ~Copyable {
  private static var outputLimit: Int { 4096 }

  private let format: AudioFormat
  /// Seconds of the item for each second that is heard. At 1 the changer is bypassed.
  private(set) var rate = 1.0
  // Sound: owned by the value until it ends.
  private var stream: sonicStream?
  private let output: UnsafeMutablePointer<UInt8>
  private let samples: UnsafeMutablePointer<Float>

  init(format: AudioFormat) {
    self.format = format
    unsafe output = Heap.bytes(Self.outputLimit * Int(format.channelCount) * 4)
    unsafe samples = Heap.array(Float.self, count: Self.outputLimit * Int(format.channelCount))
  }

  deinit {
    if let stream = unsafe stream { unsafe sonicDestroyStream(stream) }
    unsafe Heap.removeBytes(output)
    unsafe av_free(samples)
  }

  var isActive: Bool { rate != 1 }

  /// The last output.
  var frames: UnsafeRawPointer { unsafe UnsafeRawPointer(output) }

  /// Frames that can be read.
  var availableFrameCount: Int { unsafe stream.map { unsafe Int(sonicSamplesAvailable($0)) } ?? 0 }

  mutating func set(rate: Double) {
    self.rate = rate
    guard rate != 1 else { return }
    if unsafe stream == nil {
      unsafe stream = Heap.required(sonicCreateStream(Int32(format.sampleRateHz), Int32(format.channelCount)))
    }
    unsafe sonicSetSpeed(stream, Float(rate))
  }

  /// Drops its input.
  mutating func clear() {
    guard let old = unsafe stream else { return }
    unsafe sonicDestroyStream(old)
    unsafe stream = nil
    set(rate: rate)
  }

  /// Makes the rest of its input available.
  mutating func flush() {
    guard let stream = unsafe stream else { return }
    _ = unsafe sonicFlushStream(stream)
  }

  mutating func write(_ frames: UnsafeRawPointer, frameCount: Int) {
    var done = 0
    while done < frameCount {
      let count = min(frameCount - done, Self.outputLimit)
      unsafe writePiece(frames, done, count)
      done += count
    }
  }

  private mutating func writePiece(_ frames: UnsafeRawPointer, _ first: Int, _ count: Int) {
    let channels = Int(format.channelCount)
    let start = first * channels
    switch format.sampleFormat {
    case .int16:
      let source = unsafe frames.assumingMemoryBound(to: Int16.self) + start
      _ = unsafe sonicWriteShortToStream(stream, UnsafeMutablePointer(mutating: source), Int32(count))
      return
    case .int24:
      let source = unsafe frames.assumingMemoryBound(to: Int32.self)
      for index in 0..<count * channels { unsafe samples[index] = Float(source[start + index]) / 2_147_483_648 }
    case .float32:
      let source = unsafe frames.assumingMemoryBound(to: Float.self)
      for index in 0..<count * channels { unsafe samples[index] = min(1, max(-1, source[start + index])) }
    }
    _ = unsafe sonicWriteFloatToStream(stream, samples, Int32(count))
  }

  /// Reads output into ``frames``.
  /// - Returns: the number of frames.
  mutating func read() -> Int {
    let shorts = unsafe UnsafeMutableRawPointer(samples).assumingMemoryBound(to: Int16.self)
    let count = unsafe Int(sonicReadShortFromStream(stream, shorts, Int32(Self.outputLimit)))
    for index in 0..<count * Int(format.channelCount) {
      let sample = unsafe shorts[index]
      switch format.sampleFormat {
      case .int16: store(sample, index)
      case .int24: store(Int32(sample) << 16, index)
      case .float32: store(Float(sample) / 32_768, index)
      }
    }
    return count
  }

  private func store<Value: BitwiseCopyable>(_ value: Value, _ index: Int) {
    unsafe UnsafeMutableRawPointer(output).storeBytes(
      of: value, toByteOffset: index * MemoryLayout<Value>.size, as: Value.self)
  }
}
