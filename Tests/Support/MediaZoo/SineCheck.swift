import Foundation

/// Follows a sine of known frequency through as many samples as there are, in pieces of any size, and tells where it is
/// broken.
///
/// Of three neighbouring samples of a sine each is `2 cos ω` times the middle one less the other: what remains is the
/// noise of the coding, and a great deal more where a sample is missing or out of place. A slow slip, that leaves no
/// step, shows in the phase of each tenth of a second.
public struct SineCheck: Sendable {
  /// Samples so far.
  public private(set) var sampleCount = 0
  /// The greatest remainder, full scale being 1.
  public private(set) var worstRemainder = 0.0
  /// The sample at which that was.
  public private(set) var worstSample = 0
  /// The earliest and the latest that the sine ever was in a tenth of a second, in samples, against its beginning.
  public private(set) var slipSamples: ClosedRange<Double> = 0...0
  /// The quietest and the loudest tenth of a second, full scale being 1.
  public private(set) var amplitudes: ClosedRange<Double>?

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
  ///   - expectedSamples: how many will come.
  ///   - edgeSeconds: so much at the beginning and at the end is left out: codecs fade in and out there.
  public init(frequencyHz: Double, sampleRateHz: Int, expectedSamples: Int, edgeSeconds: Double = 0.2) {
    angle = 2 * .pi * frequencyHz / Double(sampleRateHz)
    windowSamples = sampleRateHz / 10
    edgeSamples = Int(edgeSeconds * Double(sampleRateHz))
    self.expectedSamples = expectedSamples
    step = Turn(angle)
    turn = Turn(Double(edgeSamples + 2) * angle)
  }

  /// Takes what comes next.
  /// - Parameters:
  ///   - samples: interleaved 16-bit integers.
  ///   - channel: the one to look at.
  public mutating func take(_ samples: some Collection<UInt8>, channel: Int, channelCount: Int) {
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

/// A place on the circle. To go on from one to the next takes no sine, which a window bears without harm.
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
