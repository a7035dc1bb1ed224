import Base
import CMath

/// A request for the true peaks of the sound.
package struct TruePeakRequest: BitwiseCopyable, Sendable {
  /// The microphone's format.
  package var format: AudioFormat
  /// The start of the range, which extends to the newest frame, but at most over one second.
  package var start: TimelinePosition

  /// - Parameters:
  ///   - format: the microphone's format.
  ///   - start: the start of the range, which extends to the newest frame, but at most over one second.
  package init(format: AudioFormat, start: TimelinePosition) {
    self.format = format
    self.start = start
  }
}

/// The true peak of each channel.
package struct TruePeakReply: BitwiseCopyable, Sendable {
  /// Where the next request continues.
  package private(set) var end: TimelinePosition
  /// The largest magnitude of the sound in each channel of the format, up to 8; full scale is 1. Nil if there was too
  /// little sound, or it was overwritten meanwhile.
  package private(set) var peaks: InlineArray<8, Float>?

  /// - Parameter window: a buffer whose contents are lost.
  init(
    _ request: TruePeakRequest, _ tap: SampleRingTap, _ filter: borrowing TruePeakFilter, _ window: inout FixedBuffer
  ) {
    let history = UInt64(TruePeakFilter.tapCount - 1)
    let newest = tap.end
    let second = min(newest.rawValue, UInt64(request.format.sampleRateHz))
    let first = max(max(request.start, newest - second), TimelinePosition(history))
    end = min(first, newest)
    guard tap.bytesPerFrame == request.format.bytesPerFrame, first < newest else { return }
    var peaks = InlineArray<8, Float>(repeating: 0)
    let largest = window.bytes.byteCount / MemoryLayout<Float>.stride - Int(history)
    while true {
      let count = min(Int(newest - end), largest) / TruePeakFilter.blockFrames * TruePeakFilter.blockFrames
      guard count > 0 else { break }
      for channel in 0..<min(Int(request.format.channelCount), 8) {
        let peak = window.load(channel, of: tap, request.format, from: end - history, frameCount: Int(history) + count)
        let samples = window.bytes.extracting(first: (Int(history) + count) * MemoryLayout<Float>.stride)
        let phases = TruePeakFilter.phases(sampleRateHz: request.format.sampleRateHz)
        peaks[channel] = max(peaks[channel], max(peak, filter.peak(of: samples, phases: phases)))
      }
      end = end + UInt64(count)
    }
    guard end > first, tap.holds(first - history) else { return }
    self.peaks = peaks
  }
}

extension FixedBuffer {
  /// Loads one channel's samples as `Float`; NaN becomes silence.
  /// - Returns: their largest magnitude.
  fileprivate mutating func load(
    _ channel: Int, of tap: SampleRingTap, _ format: AudioFormat, from start: TimelinePosition, frameCount: Int
  ) -> Float {
    var bytes = mutableBytes
    let limit = start + UInt64(frameCount)
    var count = 0
    var peak: Float = 0
    while count < frameCount {
      let frames = tap.frames(from: start + UInt64(count), to: limit)
      var offset = channel * format.sampleFormat.bytesPerSample
      for _ in 0..<frames.byteCount / format.bytesPerFrame {
        let sample = format.sampleFormat.fraction(at: offset, in: frames)
        bytes.storeBytes(of: sample.isNaN ? 0 : sample, toByteOffset: count * 4, as: Float.self)
        if sample.magnitude > peak { peak = sample.magnitude }
        offset += format.bytesPerFrame
        count += 1
      }
    }
    return peak
  }
}

/// Finds the peak of the sound between its samples, by interpolating to four times the rate as ITU-R BS.1770-4, Annex 2
/// requires.
///
/// That annex's filter has 12 taps for each of its four phases, which cannot be flat up to 20 kHz. This one is a sinc
/// with a Kaiser window. Its transition is between 20 kHz and the start of the images, 24.1 kHz at a rate of 44.1 kHz:
/// with 160 taps at 176.4 kHz that is 0.146 rad a sample, and Kaiser's formula (A - 7.95) / (2.285 · 0.146) = 160 gives
/// A = 61 dB. A ripple of 10^(-60/20) in the passband and in each of three images makes 1.004, or 0.035 dB.
struct TruePeakFilter {
  /// The samples from which each interpolated one is computed.
  static var tapCount: Int { 40 }
  /// The samples that are computed at a time.
  static var blockFrames: Int { 8 }
  /// For 60 dB: 0.1102 (A - 8.7).
  private static var beta: Double { 5.65 }

  /// The taps of the three phases between two samples, in the order of the samples.
  private var taps = InlineArray<120, Float>(repeating: 0)

  init() {
    let half = Double(2 * Self.tapCount)
    for phase in 1...3 {
      for index in 0..<Self.tapCount {
        let place = Double(4 * (Self.tapCount - 1 - index) + phase) - half
        let turn = .pi * place / 4
        let window = Self.bessel(Self.beta * (1 - place * place / (half * half)).squareRoot()) / Self.bessel(Self.beta)
        taps[(phase - 1) * Self.tapCount + index] = Float(sin(turn) / turn * window)
      }
    }
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

  /// The phases to compute: three per sample, one at 96 kHz or more, and none from 192 kHz on, so that the rate is at
  /// least four times 48 kHz.
  static func phases(sampleRateHz: UInt32) -> Range<Int> {
    switch sampleRateHz {
    case ..<96_000: 0..<3
    case ..<192_000: 1..<2
    default: 0..<0
    }
  }

  /// The largest magnitude between the samples of one channel.
  /// - Parameter samples: `Float`s: `tapCount - 1` that were examined before, then blocks of ``blockFrames``.
  @_optimize(speed)
  func peak(of samples: RawSpan, phases: Range<Int>) -> Float {
    var peak: Float = 0
    let blockCount = (samples.byteCount / 4 - (Self.tapCount - 1)) / Self.blockFrames
    for phase in phases {
      for block in 0..<max(blockCount, 0) {
        // Eight at a time in an array of fixed size become vectors; SIMD8 itself needs types that allocate.
        var sums = InlineArray<8, Float>(repeating: 0)
        var offset = block * Self.blockFrames * 4
        for index in phase * Self.tapCount..<(phase + 1) * Self.tapCount {
          let tap = taps[index]
          // Safe: any bytes are eight valid numbers, and the last read ends with the last sample.
          let eight = unsafe samples.unsafeLoadUnaligned(fromByteOffset: offset, as: InlineArray<8, Float>.self)
          for lane in 0..<8 { sums[lane] += eight[lane] * tap }
          offset &+= 4
        }
        for lane in 0..<8 { peak = max(peak, sums[lane].magnitude) }
      }
    }
    return peak
  }
}
