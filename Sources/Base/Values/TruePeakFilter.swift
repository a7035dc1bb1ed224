import CMath

/// Finds the peak of the sound between its samples, by interpolating to four times the rate as ITU-R BS.1770-4, Annex 2
/// requires.
///
/// That annex's filter has 12 taps for each of its four phases, which cannot be flat up to 20 kHz. This one is a sinc
/// with a Kaiser window. Its transition is between 20 kHz and the start of the images, 24.1 kHz at a rate of 44.1 kHz:
/// with 160 taps at 176.4 kHz that is 0.146 rad a sample, and Kaiser's formula (A - 7.95) / (2.285 · 0.146) = 160 gives
/// A = 61 dB. A ripple of 10^(-60/20) in the passband and in each of three images makes 1.004, or 0.035 dB.
@safe package struct TruePeakFilter {
  /// The samples from which each interpolated one is computed.
  package static var tapCount: Int { 40 }
  /// The samples that are computed at a time.
  package static var blockFrames: Int { 8 }
  /// The blocks of samples from which a block is computed: its own and those before.
  package static var reachBlocks: Int { 6 }
  /// For 60 dB: 0.1102 (A - 8.7).
  private static var beta: Double { 5.65 }

  // Safe: a piece of boot memory that does not change; all indexes are below 60 and 48. Arrays of fixed size would be
  // copied each time they are read.
  /// The taps of the middle between two samples, half of those of the quarter before it plus the same of the quarter
  /// after it, and half of their difference. The first two are the same from both ends, and the last differs in sign.
  private let taps: UnsafePointer<Float>
  /// How much of the peak of each block can be in each sample that is computed.
  private let shares: UnsafePointer<Float>

  /// - Returns: nil if `memory` is used up.
  @export(interface)
  package init?(in memory: inout BootMemory) {
    let (tapCount, shareCount) = (3 * Self.tapCount / 2, Self.reachBlocks * Self.blockFrames)
    guard let piece = unsafe memory.cut(byteCount: 4 * (tapCount + shareCount))?.baseAddress else { return nil }
    let taps = unsafe piece.bindMemory(to: Float.self, capacity: tapCount + shareCount)
    for index in 0..<Self.tapCount / 2 {
      let (before, after) = (Self.tap(1, index), Self.tap(3, index))
      unsafe taps[3 * index] = Float(Self.tap(2, index))
      unsafe taps[3 * index + 1] = Float((before + after) / 2)
      unsafe taps[3 * index + 2] = Float((before - after) / 2)
    }
    for index in 0..<shareCount {
      var most = 0.0
      for phase in 1...3 { most = max(most, Self.share(index / Self.blockFrames, index % Self.blockFrames, phase)) }
      unsafe taps[tapCount + index] = Float(most)
    }
    unsafe self.taps = UnsafePointer(taps)
    unsafe shares = UnsafePointer(taps + tapCount)
  }

  /// - Parameters:
  ///   - phase: quarters of the way from one sample to the next.
  ///   - index: of the sample, the oldest first.
  @inline(never)
  private static func tap(_ phase: Int, _ index: Int) -> Double {
    let half = Double(2 * tapCount)
    let place = Double(4 * (tapCount - 1 - index) + phase) - half
    let turn = .pi * place / 4
    let window = bessel(beta * (1 - place * place / (half * half)).squareRoot()) / bessel(beta)
    return sin(turn) / turn * window
  }

  /// The sum of the taps that are for samples of one block.
  private static func share(_ block: Int, _ lane: Int, _ phase: Int) -> Double {
    var sum = 0.0
    for index in 0..<tapCount where (lane + 1 + index) / blockFrames == block { sum += tap(phase, index).magnitude }
    return sum
  }

  /// The modified Bessel function of the first kind, of order 0, for arguments up to 10.
  private static func bessel(_ x: Double) -> Double {
    var sum = 1.0
    var term = 1.0
    for k in 1...30 {
      term *= x / (2 * Double(k)) * (x / (2 * Double(k)))
      sum += term
    }
    return sum
  }

  /// How many samples become of each: four, two at 96 kHz or more, and one from 192 kHz on, so that the rate is at least
  /// four times 48 kHz.
  package static func factor(sampleRateHz: UInt32) -> Int {
    switch sampleRateHz {
    case ..<96_000: 4
    case ..<192_000: 2
    default: 1
    }
  }

  /// The largest magnitude between the samples of one channel.
  /// - Parameters:
  ///   - samples: `Float`s: `tapCount - 1` that were examined before, then blocks of ``blockFrames``.
  ///   - factor: as ``factor(sampleRateHz:)`` says.
  @_optimize(speed)
  @export(interface)
  package func peak(of samples: RawSpan, factor: Int) -> Float {
    guard factor > 1 else { return 0 }
    let blockCount = (samples.byteCount / 4 - (Self.tapCount - 1)) / Self.blockFrames
    var peaks = SIMD8<Float>()
    // Safe: any bytes are eight numbers, and the last read of the last block ends with the last sample.
    unsafe samples.withUnsafeBytes { bytes in
      guard var start = bytes.baseAddress else { return }
      for _ in 0..<max(blockCount, 0) {
        var middles = SIMD8<Float>()
        var sums = SIMD8<Float>()
        var differences = SIMD8<Float>()
        for index in 0..<Self.tapCount / 2 {
          let old = unsafe start.loadUnaligned(fromByteOffset: 4 &* index, as: SIMD8<Float>.self)
          let new = unsafe start.loadUnaligned(
            fromByteOffset: 4 &* (Self.tapCount &- 1 &- index), as: SIMD8<Float>.self)
          middles += unsafe (old + new) * taps[3 &* index]
          if factor == 4 {
            sums += unsafe (old + new) * taps[3 &* index &+ 1]
            differences += unsafe (old - new) * taps[3 &* index &+ 2]
          }
        }
        // The larger magnitude of a sum and a difference.
        let quarters = sums.magnitudes + differences.magnitudes
        peaks.replace(with: middles.magnitudes, where: middles.magnitudes .> peaks)
        peaks.replace(with: quarters, where: quarters .> peaks)
        unsafe start += 4 &* Self.blockFrames
      }
    }
    return peaks.highest
  }

  /// Whether ``peak(of:factor:)`` could find more in a block than `peak`. That takes a fraction of the time.
  /// - Parameter peaks: the largest magnitude of each of ``reachBlocks`` blocks, the last the block itself.
  @_optimize(speed)
  @inline(__always)
  package func mayExceed(_ peak: Float, _ peaks: UnsafePointer<Float>) -> Bool {
    var most: Float = 0
    for block in 0..<Self.reachBlocks { most = unsafe peaks[block] > most ? peaks[block] : most }
    // The sum of the magnitudes of the taps is 2.643 in the middle, and less in the quarters.
    guard most * 2.65 > peak else { return false }
    var sums = SIMD8<Float>()
    for block in 0..<Self.reachBlocks {
      // Safe: any bytes are eight numbers.
      let shares = unsafe UnsafeRawPointer(shares + block &* Self.blockFrames)
      sums += unsafe shares.loadUnaligned(as: SIMD8<Float>.self) * peaks[block]
    }
    // What rounding may add to the sums of the taps.
    return sums.highest * 1.0001 > peak
  }
}

/// `max()` and `pointwiseMax` take several times as many instructions.
extension SIMD8<Float> {
  @inline(__always)
  package var magnitudes: Self {
    // Safe: the sign is the highest bit of each number.
    unsafe unsafeBitCast(unsafeBitCast(self, to: SIMD8<UInt32>.self) & 0x7FFF_FFFF, to: Self.self)
  }

  /// The largest number, or 0.
  @inline(__always)
  package var highest: Float {
    var most: Float = 0
    for lane in 0..<8 { most = self[lane] > most ? self[lane] : most }
    return most
  }
}
