import Foundation

/// Checks that samples, given in pieces of any size, are a sine of known frequency, and reports where it is broken.
///
/// Of three consecutive samples of a sine, the sum of the outer two is `2 cos ω` times the middle one. The remainder is
/// the coding noise, and much more if a sample is missing or displaced. A slow slip without a step shows in the phase
/// of each tenth of a second.
package struct SineCheck: Sendable {
  /// Samples so far.
  package private(set) var sampleCount = 0
  /// The largest remainder; full scale is 1.
  package private(set) var worstRemainder = 0.0
  /// The sample with the largest remainder.
  package private(set) var worstSample = 0
  /// The smallest and the largest shift of the sine in any tenth of a second, in samples, relative to its start.
  package private(set) var slipSamples: ClosedRange<Double> = 0...0
  /// The lowest and the highest amplitude of a tenth of a second; full scale is 1.
  package private(set) var amplitudes: ClosedRange<Double>?

  private let angle: Double
  private let windowSamples: Int
  private let edgeSamples: Int
  private let expectedSamples: Int
  private let step: Turn
  private var turn: Turn
  private var before: (Double, Double) = (0, 0)
  private var sineSum = 0.0
  private var cosineSum = 0.0
  private var firstPhase: Double?

  /// - Parameters:
  ///   - expectedSamples: the expected number of samples.
  ///   - edgeSeconds: the time ignored at the start and at the end, where codecs fade in and out.
  package init(frequencyHz: Double, sampleRateHz: Int, expectedSamples: Int, edgeSeconds: Double = 0.2) {
    angle = 2 * .pi * frequencyHz / Double(sampleRateHz)
    windowSamples = sampleRateHz / 10
    edgeSamples = Int(edgeSeconds * Double(sampleRateHz))
    self.expectedSamples = expectedSamples
    step = Turn(angle)
    turn = Turn(Double(edgeSamples + 2) * angle)
  }

  /// Takes the next samples.
  /// - Parameters:
  ///   - samples: interleaved 16-bit integers.
  ///   - channel: the one to check.
  package mutating func take(_ samples: some Collection<UInt8>, channel: Int, channelCount: Int) {
    let numbers = shorts(samples)
    for index in stride(from: channel, to: numbers.count, by: channelCount) { take(Double(numbers[index]) / 32_768) }
  }

  private mutating func take(_ sample: Double) {
    let index = sampleCount
    sampleCount += 1
    let remainder = abs(sample - 2 * step.cosine * before.1 + before.0)
    before = (before.1, sample)
    guard index >= edgeSamples + 2, index < expectedSamples - edgeSamples else { return }
    if remainder > worstRemainder {
      worstRemainder = remainder
      worstSample = index
    }
    sineSum += sample * turn.sine
    cosineSum += sample * turn.cosine
    if (index - edgeSamples - 1) % windowSamples == 0 {
      endWindow()
      turn = Turn(Double(index + 1) * angle)
    } else {
      turn = turn.advanced(by: step)
    }
  }

  private mutating func endWindow() {
    let phase = atan2(cosineSum, sineSum)
    let amplitude = 2 * (sineSum * sineSum + cosineSum * cosineSum).squareRoot() / Double(windowSamples)
    sineSum = 0
    cosineSum = 0
    let first = firstPhase ?? phase
    firstPhase = first
    let slip = ((phase - first) / (2 * .pi)).remainder(dividingBy: 1) * 2 * .pi / angle
    slipSamples = min(slipSamples.lowerBound, slip)...max(slipSamples.upperBound, slip)
    let known = amplitudes ?? amplitude...amplitude
    amplitudes = min(known.lowerBound, amplitude)...max(known.upperBound, amplitude)
  }
}

/// A point on the unit circle. The next point is calculated without a sine; the error is negligible within a window.
private struct Turn {
  var sine: Double
  var cosine: Double

  init(_ angle: Double) {
    sine = sin(angle)
    cosine = cos(angle)
  }

  func advanced(by step: Turn) -> Turn {
    var next = self
    next.sine = sine * step.cosine + cosine * step.sine
    next.cosine = cosine * step.cosine - sine * step.sine
    return next
  }
}
