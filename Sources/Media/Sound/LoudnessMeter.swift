import Base
import CMath

/// Measures the loudness of a file while it is recorded, by EBU R 128: ITU-R BS.1770-4, EBU Tech 3341 and 3342. However
/// long the file gets, the memory is the same: blocks are counted by their loudness, in steps of a tenth.
///
/// Every channel weighs the same. What is between the first and the last 20 samples of a file, and beyond them, is not
/// interpolated for the true peak: there only the samples themselves count.
@safe package struct LoudnessMeter: ~Copyable {
  // Safe: a piece of boot memory with no other user; all indexes are below the sizes given here.
  private let samples: UnsafeMutablePointer<Float>
  private let peaks: UnsafeMutablePointer<Float>
  private let steps: UnsafeMutablePointer<LoudnessStep>
  private let filter: TruePeakFilter

  private var format = AudioFormat(sampleRateHz: 48_000, channelCount: 1, sampleFormat: .int16)
  /// The channels that are measured.
  private var channels = InlineArray<8, Int>(repeating: 0)
  private var channelCount = 0
  private var weighting = KWeighting(sampleRateHz: 48_000)
  private var pairs = InlineArray<4, WeightedPair>(repeating: WeightedPair())

  /// The frames in ``samples`` that have not been heard.
  private var frameCount = 0
  /// Whether nothing has been heard.
  private var isAtStart = true
  /// The largest magnitude, 1 at full scale.
  private var truePeak: Float = 0

  private var slice = 0.0
  private var sliceFrameCount = 0
  /// The energies of the last 400 ms, and of the last three seconds; each sum of squares of all channels.
  private var slices = InlineArray<40, Double>(repeating: 0)
  private var tenths = InlineArray<30, Double>(repeating: 0)
  private var sliceCount = 0
  private var highestMomentary = 0.0
  private var highestShortTerm = 0.0
  /// The sum and the number of the three seconds that pass the absolute gate.
  private var shortTermEnergy = 0.0
  private var shortTermCount: UInt32 = 0

  private static var chunkFrames: Int { 512 }
  private static var blockFrames: Int { TruePeakFilter.blockFrames }
  /// The frames before a chunk, and the blocks of peaks.
  private static var historyFrames: Int { historyBlocks * blockFrames }
  private static var historyBlocks: Int { TruePeakFilter.reachBlocks - 1 }
  private static var planeFrames: Int { historyFrames + chunkFrames }
  private static var planeBlocks: Int { historyBlocks + chunkFrames / blockFrames }
  /// A hundredth of a second, and a tenth, and the loudest second there is: from -70 to 30 LUFS.
  private static var slicesPerTenth: Int { 10 }
  private static var stepCount: Int { 1_000 }
  private static var absoluteGate: Double { -70 }

  /// - Returns: nil if `memory` is used up.
  package init?(in memory: inout BootMemory) {
    let stepByteCount = Self.stepCount * MemoryLayout<LoudnessStep>.stride
    let numberCount = 8 * (Self.planeFrames + Self.planeBlocks)
    guard let filter = TruePeakFilter(in: &memory),
      let piece = unsafe memory.cut(byteCount: stepByteCount + 4 * numberCount)?.baseAddress
    else { return nil }
    self.filter = filter
    unsafe steps = piece.bindMemory(to: LoudnessStep.self, capacity: Self.stepCount)
    unsafe samples = (piece + stepByteCount).bindMemory(to: Float.self, capacity: numberCount)
    unsafe peaks = samples + 8 * Self.planeFrames
  }

  /// Starts a file.
  /// - Parameter channels: a bit for each that is measured.
  package mutating func begin(_ format: AudioFormat, channels wanted: UInt8) {
    self.format = format
    channelCount = 0
    for channel in 0..<min(Int(format.channelCount), 8) where wanted & 1 << UInt8(channel) != 0 {
      channels[channelCount] = channel
      channelCount += 1
    }
    weighting = KWeighting(sampleRateHz: format.sampleRateHz)
    pairs = InlineArray(repeating: WeightedPair())
    (frameCount, isAtStart, truePeak) = (0, true, 0)
    (slice, sliceFrameCount, sliceCount) = (0, 0, 0)
    tenths = InlineArray(repeating: 0)
    (highestMomentary, highestShortTerm, shortTermEnergy, shortTermCount) = (0, 0, 0, 0)
    for index in 0..<Self.stepCount { unsafe steps[index] = LoudnessStep() }
  }

  /// Hears the next frames of the file.
  package mutating func add(_ frames: RawSpan) {
    // Safe: the copies stay within the whole frames.
    unsafe frames.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      let count = bytes.count / format.bytesPerFrame
      var place = 0
      while place < count {
        let next = min(count - place, Self.chunkFrames - frameCount)
        for index in 0..<channelCount {
          let first = place * format.bytesPerFrame + channels[index] * format.sampleFormat.bytesPerSample
          unsafe copy(start + first, next, to: plane(index) + Self.historyFrames + frameCount)
        }
        frameCount += next
        place += next
        if frameCount == Self.chunkFrames { hearChunk() }
      }
    }
  }

  private func plane(_ index: Int) -> UnsafeMutablePointer<Float> { unsafe samples + index * Self.planeFrames }

  private func blocks(_ index: Int) -> UnsafeMutablePointer<Float> { unsafe peaks + index * Self.planeBlocks }

  /// Copies the samples of a channel, as fractions of full scale. What is no number counts as silence. With
  /// ``SampleFormat/fraction(at:in:)`` for each, 30 s of 48 kHz stereo would take 48 million instructions more.
  @inline(never)
  private func copy(_ source: UnsafeRawPointer, _ count: Int, to target: UnsafeMutablePointer<Float>) {
    let stride = format.bytesPerFrame
    switch format.sampleFormat {
    case .int16:
      for index in 0..<count {
        unsafe target[index] =
          Float(source.loadUnaligned(fromByteOffset: index &* stride, as: Int16.self)) * (1 / 32_768)
      }
    case .int24:
      for index in 0..<count {
        let low = unsafe Int32(source.loadUnaligned(fromByteOffset: index &* stride, as: UInt16.self))
        let high = unsafe Int32(source.load(fromByteOffset: index &* stride &+ 2, as: Int8.self))
        unsafe target[index] = Float(high << 16 | low) * (1 / 8_388_608)
      }
    case .float32:
      for index in 0..<count {
        let sample = unsafe source.loadUnaligned(fromByteOffset: index &* stride, as: Float.self)
        unsafe target[index] = sample.isFinite ? sample : 0
      }
    }
  }

  private mutating func hearChunk() {
    for index in 0..<channelCount { findPeak(index) }
    weigh()
    isAtStart = false
    frameCount = 0
    for index in 0..<channelCount {
      let (plane, blocks) = unsafe (plane(index), blocks(index))
      unsafe plane.update(from: plane + Self.chunkFrames, count: Self.historyFrames)
      unsafe blocks.update(from: blocks + Self.chunkFrames / Self.blockFrames, count: Self.historyBlocks)
    }
  }

  /// Interpolates only where a new peak is possible.
  @_optimize(speed)
  private mutating func findPeak(_ index: Int) {
    let blockCount = frameCount / Self.blockFrames
    let (plane, blocks) = unsafe (plane(index), blocks(index))
    var most = truePeak
    for block in 0..<blockCount {
      // Safe: any bytes are eight numbers.
      let frames = unsafe UnsafeRawPointer(plane + Self.historyFrames + block &* Self.blockFrames)
        .loadUnaligned(as: SIMD8<Float>.self)
      let peak = frames.magnitudes.highest
      unsafe blocks[Self.historyBlocks + block] = peak
      most = peak > most ? peak : most
    }
    for frame in blockCount * Self.blockFrames..<frameCount {
      most = unsafe max(most, plane[Self.historyFrames + frame].magnitude)
    }
    let factor = TruePeakFilter.factor(sampleRateHz: format.sampleRateHz)
    var block = isAtStart ? Self.historyBlocks : 0
    while factor > 1, block < blockCount {
      if unsafe filter.mayExceed(most, blocks + block) {
        let heard = unsafe RawSpan(
          _unsafeStart: plane + block &* Self.blockFrames + 1,
          byteCount: 4 * (TruePeakFilter.tapCount - 1 + Self.blockFrames))
        most = max(most, filter.peak(of: heard, factor: factor))
      }
      block &+= 1
    }
    truePeak = most
  }

  private var sliceFrames: Int { (Int(format.sampleRateHz) + 50) / 100 }

  private mutating func weigh() {
    let sliceFrames = sliceFrames
    var place = 0
    while place < frameCount {
      let count = min(frameCount - place, sliceFrames - sliceFrameCount)
      for index in stride(from: 0, to: channelCount, by: 2) {
        let isPair = index + 1 < channelCount
        let start = Self.historyFrames + place
        let energies = unsafe pairs[index / 2].weigh(
          plane(index) + start, plane(isPair ? index + 1 : index) + start, count, by: weighting)
        slice += isPair ? energies[0] + energies[1] : energies[0]
      }
      place += count
      sliceFrameCount += count
      if sliceFrameCount == sliceFrames { endSlice() }
    }
  }

  /// A momentary loudness ends with each hundredth of a second: bursts of 400 ms, of EBU Tech 3341's test signals 13
  /// and 14, begin at any fiftieth. Blocks that are gated overlap by three quarters.
  private mutating func endSlice() {
    for index in pairs.indices { pairs[index].settle() }
    slices[sliceCount % 40] = slice
    tenths[sliceCount / Self.slicesPerTenth % 30] += slice
    (slice, sliceFrameCount) = (0, 0)
    sliceCount += 1
    guard sliceCount >= 40 else { return }
    var energy = 0.0
    for index in slices.indices { energy += slices[index] }
    energy /= Double(40 * sliceFrames)
    highestMomentary = max(highestMomentary, energy)
    guard sliceCount % Self.slicesPerTenth == 0 else { return }
    if let step = Self.step(of: energy) {
      unsafe steps[step].count += 1
      unsafe steps[step].energy += energy
    }
    endTenth()
  }

  private mutating func endTenth() {
    defer { tenths[sliceCount / Self.slicesPerTenth % 30] = 0 }
    guard sliceCount >= 300 else { return }
    var energy = 0.0
    for index in tenths.indices { energy += tenths[index] }
    energy /= Double(300 * sliceFrames)
    highestShortTerm = max(highestShortTerm, energy)
    guard let step = Self.step(of: energy) else { return }
    unsafe steps[step].shortTermCount += 1
    shortTermEnergy += energy
    shortTermCount += 1
  }

  /// Ends the file.
  package mutating func finish() -> Loudness {
    hearChunk()
    var found = Loudness()
    if truePeak > 0 { found[.truePeak] = 20 * log10(Double(truePeak)) }
    found[.momentary] = Self.loudness(of: highestMomentary)
    found[.shortTerm] = Self.loudness(of: highestShortTerm)
    found[.integrated] = integrated
    found[.range] = range
    return found
  }

  private static func loudness(of energy: Double) -> Double { -0.691 + 10 * log10(energy) }

  /// The steps of a tenth above the absolute gate; nil below it.
  private static func step(of energy: Double) -> Int? {
    let steps = (loudness(of: energy) - absoluteGate) * 10
    return steps > 0 ? Int(min(steps, Double(stepCount - 1))) : nil
  }

  /// The first step of which at least half is above a gate.
  /// - Parameter energy: the mean of what passed the absolute gate.
  private static func first(above energy: Double, less decibels: Double) -> Int {
    let gate = (loudness(of: energy) - decibels - absoluteGate) * 10
    return Int(min(max(gate.rounded(), 0), Double(stepCount - 1)))
  }

  /// BS.1770-4, Annex 1: the mean of the blocks above -70 LUFS, and of those less than 10 LU below that.
  private var integrated: Double? {
    guard let energy = meanEnergy(from: 0) else { return nil }
    return meanEnergy(from: Self.first(above: energy, less: 10)).map { Self.loudness(of: $0) }
  }

  private func meanEnergy(from first: Int) -> Double? {
    var (sum, count) = (0.0, 0.0)
    for index in first..<Self.stepCount {
      sum += unsafe steps[index].energy
      count += unsafe Double(steps[index].count)
    }
    return count > 0 ? sum / count : nil
  }

  /// EBU Tech 3342: from the tenth percentile to the 95th of the three seconds less than 20 LU below their mean.
  private var range: Double? {
    guard shortTermCount > 0 else { return nil }
    let first = Self.first(above: shortTermEnergy / Double(shortTermCount), less: 20)
    var count: UInt32 = 0
    for index in first..<Self.stepCount { count += unsafe steps[index].shortTermCount }
    guard count > 0 else { return nil }
    let low = place(UInt32((Double(count - 1) * 0.1).rounded()), from: first)
    let high = place(UInt32((Double(count - 1) * 0.95).rounded()), from: first)
    return Double(high - low) / 10
  }

  /// The step of the n-th three seconds, counted from 0.
  private func place(_ number: UInt32, from first: Int) -> Int {
    var count: UInt32 = 0
    for index in first..<Self.stepCount {
      count += unsafe steps[index].shortTermCount
      if count > number { return index }
    }
    return Self.stepCount - 1
  }
}

/// The blocks of about the same loudness.
private struct LoudnessStep: BitwiseCopyable {
  /// The sum of those of 400 ms.
  var energy = 0.0
  /// The number of those of 400 ms.
  var count: UInt32 = 0
  /// The number of those of three seconds.
  var shortTermCount: UInt32 = 0
}

/// The filter of BS.1770-4, Annex 1, in both its stages. The standard has the coefficients for 48 kHz; the analogue
/// filters from which these follow give those for every other rate (B. De Man, "Evaluation of Implementations of the EBU
/// R128 Loudness Measurement", 2018).
private struct KWeighting: BitwiseCopyable {
  fileprivate let (b0, b1, b2, a1, a2): (Double, Double, Double, Double, Double)
  /// The second stage's numerator is 1, -2, 1.
  fileprivate let (c1, c2): (Double, Double)

  init(sampleRateHz: UInt32) {
    let shelf = tan(.pi * 1681.974450955533 / Double(sampleRateHz))
    let gain = pow(10, 3.999843853973347 / 20)
    let bandGain = pow(gain, 0.4996667741545416)
    let shelfLoss = shelf / 0.7071752369554196
    let scale = 1 / (1 + shelfLoss + shelf * shelf)
    let bandLoss = bandGain * shelfLoss
    b0 = (gain + bandLoss + shelf * shelf) * scale
    b1 = 2 * (shelf * shelf - gain) * scale
    b2 = (gain - bandLoss + shelf * shelf) * scale
    a1 = 2 * (shelf * shelf - 1) * scale
    a2 = (1 - shelfLoss + shelf * shelf) * scale
    let cut = tan(.pi * 38.13547087602444 / Double(sampleRateHz))
    let cutLoss = cut / 0.5003270373238773
    let cutScale = 1 / (1 + cutLoss + cut * cut)
    c1 = 2 * (cut * cut - 1) * cutScale
    c2 = (1 - cutLoss + cut * cut) * cutScale
  }
}

/// The state of the filter for two channels, which are weighted together. In double precision, because the cut is a
/// five-thousandth of the highest rate.
private struct WeightedPair: BitwiseCopyable {
  private var (first, second) = (SIMD2<Double>(), SIMD2<Double>())
  private var (third, fourth) = (SIMD2<Double>(), SIMD2<Double>())

  /// - Returns: the sum of the squares of each.
  @_optimize(speed)
  mutating func weigh(
    _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, _ count: Int, by filter: KWeighting
  ) -> SIMD2<Double> {
    var (first, second, third, fourth) = (first, second, third, fourth)
    var energies = SIMD2<Double>()
    for index in 0..<count {
      let sample = unsafe SIMD2(Double(left[index]), Double(right[index]))
      let shelved = filter.b0 * sample + first
      first = filter.b1 * sample - filter.a1 * shelved + second
      second = filter.b2 * sample - filter.a2 * shelved
      let weighted = shelved + third
      third = fourth - (shelved + shelved) - filter.c1 * weighted
      fourth = shelved - filter.c2 * weighted
      energies += weighted * weighted
    }
    (self.first, self.second, self.third, self.fourth) = (first, second, third, fourth)
    return energies
  }

  /// Numbers that are almost 0 would cost a hundred times as much.
  mutating func settle() {
    for lane in 0..<2 {
      if first[lane].magnitude < 1e-30 { first[lane] = 0 }
      if second[lane].magnitude < 1e-30 { second[lane] = 0 }
      if third[lane].magnitude < 1e-30 { third[lane] = 0 }
      if fourth[lane].magnitude < 1e-30 { fourth[lane] = 0 }
    }
  }
}
