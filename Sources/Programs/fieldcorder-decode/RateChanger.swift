import Base
import CFFmpeg
import CSonic

/// Changes the tempo of the converter's output at constant pitch, in the same format. libsonic works with 16 bits.
///
/// Stretched sound ends at another point of the waveform than where the original continues. So on the way back to a
/// rate of 1 it is stretched for a while longer, and cross-faded into the original.
@safe struct RateChanger: ~Copyable {
  private enum Mode {
    /// Frames do not pass through it.
    case bypassed
    case stretching
    /// On the way to a rate of 1: frames are stretched, and kept unchanged too.
    case leaving
    /// First comes this much of the stretched sound that precedes the kept frames, then the fade, then the rest of the
    /// kept frames.
    case fading(stretchedCount: Int)
  }

  private static var outputLimit: Int { 4096 }

  private let format: AudioFormat
  /// Seconds of the item for each second that is heard. At 1 the changer is bypassed.
  private(set) var rate = 1.0
  private var stretchedRate = 1.0
  private var mode = Mode.bypassed
  // Safe: owned by the value until it ends.
  private var stream: sonicStream?
  private let output: UnsafeMutablePointer<UInt8>
  private let samples: UnsafeMutablePointer<Float>
  // Safe: as above; holds the frames of `leastKept`, which is below a tenth of a second, and one more write.
  private let kept: UnsafeMutablePointer<UInt8>
  private var keptCount = 0
  private var keptReadCount = 0
  private var fadeCount = 0

  init(format: AudioFormat) {
    self.format = format
    unsafe output = Heap.bytes(Self.outputLimit * Int(format.channelCount) * 4)
    unsafe samples = Heap.array(Float.self, count: Self.outputLimit * Int(format.channelCount))
    let keptLimit = Int(format.sampleRateHz) / 10 + SampleConverter.outputLimit
    unsafe kept = Heap.bytes(keptLimit * Int(format.channelCount) * 4)
  }

  deinit {
    if let stream = unsafe stream { unsafe sonicDestroyStream(stream) }
    unsafe Heap.removeBytes(output)
    unsafe Heap.removeBytes(kept)
    unsafe av_free(samples)
  }

  /// For a fade of 20 ms, and after it two periods of 15 ms of the input, where libsonic overlaps it with silence.
  private var leastKept: Int { Int(Double(format.sampleRateHz) * (0.04 + 0.025 * stretchedRate)) }

  /// Whether frames go through it, or some are left in it.
  var isActive: Bool { if case .bypassed = mode { false } else { true } }

  var frames: UnsafeRawPointer { unsafe UnsafeRawPointer(output) }

  var availableFrameCount: Int {
    switch mode {
    case .bypassed, .leaving: 0
    case .stretching: stretchedFrameCount
    case .fading(let stretchedCount): stretchedCount > 0 ? stretchedCount : keptCount - keptReadCount
    }
  }

  private var stretchedFrameCount: Int { unsafe stream.map { unsafe Int(sonicSamplesAvailable($0)) } ?? 0 }

  mutating func set(rate: Double) {
    self.rate = rate
    switch mode {
    case .stretching where rate == 1:
      mode = .leaving
      keptCount = 0
    case .bypassed where rate != 1, .leaving where rate != 1: mode = .stretching
    // Kept frames are output first.
    case .fading where rate != 1: return
    case .bypassed, .stretching, .leaving, .fading: break
    }
    guard rate != 1 else { return }
    stretchedRate = rate
    if unsafe stream == nil {
      unsafe stream = Heap.required(sonicCreateStream(Int32(format.sampleRateHz), Int32(format.channelCount)))
    }
    unsafe sonicSetSpeed(stream, Float(rate))
  }

  /// Drops its input.
  mutating func clear() {
    drop()
    set(rate: rate)
  }

  private mutating func drop() {
    if let old = unsafe stream { unsafe sonicDestroyStream(old) }
    unsafe stream = nil
    mode = .bypassed
  }

  /// Makes the rest of its input available.
  mutating func flush() {
    guard let stream = unsafe stream else { return }
    _ = unsafe sonicFlushStream(stream)
    if case .leaving = mode { beginFade() }
  }

  /// Starts the fade. The last stretched frames correspond to the kept ones.
  private mutating func beginFade() {
    let available = stretchedFrameCount
    let stretchedCount = max(0, available - Int(Double(keptCount) / stretchedRate))
    keptReadCount = 0
    fadeCount = min(Int(format.sampleRateHz) / 50, min(available - stretchedCount, keptCount))
    mode = .fading(stretchedCount: stretchedCount)
    if stretchedCount == 0, keptCount == 0 { clear() }
  }

  /// - Parameter frameCount: at most what the converter makes at once.
  mutating func write(_ frames: UnsafeRawPointer, frameCount: Int) {
    unsafe stretch(frames, frameCount)
    guard case .leaving = mode else { return }
    unsafe (UnsafeMutableRawPointer(kept) + keptCount * bytesPerFrame).copyMemory(
      from: frames, byteCount: frameCount * bytesPerFrame)
    keptCount += frameCount
    if keptCount >= leastKept { flush() }
  }

  private var bytesPerFrame: Int { format.bytesPerConvertedFrame }

  private mutating func stretch(_ frames: UnsafeRawPointer, _ frameCount: Int) {
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
    guard case .fading(let stretchedCount) = mode else { return readStretched(atMost: Self.outputLimit) }
    if stretchedCount > 0 {
      let count = readStretched(atMost: min(stretchedCount, Self.outputLimit))
      mode = .fading(stretchedCount: count > 0 ? stretchedCount - count : 0)
      return count
    }
    let count = keptReadCount < fadeCount ? readFade() : readKept()
    keptReadCount += count
    if keptReadCount >= keptCount { clear() }
    return count
  }

  private func readKept() -> Int {
    let count = min(Self.outputLimit, keptCount - keptReadCount)
    unsafe UnsafeMutableRawPointer(output).copyMemory(
      from: kept + keptReadCount * bytesPerFrame, byteCount: count * bytesPerFrame)
    return count
  }

  /// Reads stretched frames and cross-fades them into the kept ones.
  private mutating func readFade() -> Int {
    let count = readStretched(atMost: min(Self.outputLimit, fadeCount - keptReadCount))
    let channels = Int(format.channelCount)
    for index in 0..<count * channels {
      let share = (Double(keptReadCount + index / channels) + 0.5) / Double(fadeCount)
      let other = keptReadCount * channels + index
      switch format.sampleFormat {
      case .int16: mix(Int16.self, index, other, share)
      case .int24: mix(Int32.self, index, other, share)
      case .float32:
        let (one, two): (Float, Float) = unsafe (load(output, index), load(kept, other))
        store(one + (two - one) * Float(share), index)
      }
    }
    return count
  }

  private func mix<Value: FixedWidthInteger & BitwiseCopyable>(
    _ type: Value.Type, _ index: Int, _ other: Int, _ share: Double
  ) {
    let (one, two): (Value, Value) = unsafe (load(output, index), load(kept, other))
    // The result lies between the two, so it fits.
    store(Value(Double(one) + (Double(two) - Double(one)) * share), index)
  }

  private func load<Value: BitwiseCopyable>(_ memory: UnsafeMutablePointer<UInt8>, _ index: Int) -> Value {
    unsafe UnsafeRawPointer(memory).loadUnaligned(fromByteOffset: index * MemoryLayout<Value>.size, as: Value.self)
  }

  private mutating func readStretched(atMost limit: Int) -> Int {
    let shorts = unsafe UnsafeMutableRawPointer(samples).assumingMemoryBound(to: Int16.self)
    let count = unsafe Int(sonicReadShortFromStream(stream, shorts, Int32(limit)))
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
