import Base
import CMath

/// Joins two inputs that hear the same at different gains: the louder one while it is far from full scale, otherwise
/// the quieter one, amplified by the measured ratio of the two. Without a delay between them, and with the same sound
/// in both, the change is inaudible.
struct InputStitch: BitwiseCopyable, Sendable {
  /// By how much the quieter input is amplified.
  private(set) var ratio: Float
  /// Whether the ratio was measured; before that, it is the configured one.
  private(set) var isMeasured = false
  private let nominalRatio: Float
  /// What an offset of 1 adds to the measured one at each frame: it follows within a second.
  private let offsetStep: Float
  /// How far the level falls at each frame: from full scale to none in 10 ms.
  private let levelStep: Float
  private let blockFrames: Int
  private var offsets: (loud: Float, quiet: Float) = (0, 0)
  /// The magnitude of the louder input, which falls slowly.
  private var level: Float = 0
  private var frameCount = 0
  /// Sums over some ten seconds of what both inputs hear well. The noise of the quieter input is in neither.
  private var products = 0.0
  private var squares = 0.0
  private var blockProducts = 0.0
  private var blockSquares = 0.0

  init(decibels: Double, sampleRateHz: UInt32) {
    nominalRatio = Float(pow(10, decibels / 20))
    ratio = nominalRatio
    offsetStep = 6.28 / Float(sampleRateHz)
    levelStep = 100 / Float(sampleRateHz)
    blockFrames = max(1, Int(sampleRateHz) / 10)
  }

  /// From here on the quieter input is heard, too: half of full scale.
  private static var quietFrom: Float { 0.5 }
  /// From here on only the quieter input is heard: the louder one may clip.
  private static var quietAlone: Float { 0.9 }
  /// What is quieter than -40 dBFS is not measured: too much of it is noise.
  private static var leastMeasured: Float { 0.01 }
  /// The measured ratio is believed within 6 dB of the configured one.
  private static var largestError: Float { 2 }
  /// A tenth of a second's part of the ten seconds over which the ratio is measured.
  private static var forgetting: Double { 0.99 }
  /// The sum of squares of a second at -34 dBFS, in frames at 48 kHz: enough for a hundredth of a decibel.
  private static var leastSquares: Double { 20 }

  /// - Returns: the sound at the louder input's gain; it may exceed full scale.
  @inline(__always)
  mutating func join(loud: Float, quiet: Float) -> Float {
    let (first, second) = (loud - offsets.loud, quiet - offsets.quiet)
    level = max(loud.magnitude, level - levelStep)
    if level < Self.quietAlone {
      offsets.loud += first * offsetStep
      offsets.quiet += second * offsetStep
      if first.magnitude > Self.leastMeasured {
        blockProducts += Double(first) * Double(second)
        blockSquares += Double(first) * Double(first)
      }
    }
    frameCount += 1
    if frameCount >= blockFrames, level < Self.quietFrom { endBlock() }
    guard level > Self.quietFrom else { return first }
    let share = min((level - Self.quietFrom) / (Self.quietAlone - Self.quietFrom), 1)
    return first + (second * ratio - first) * share
  }

  /// Only while the louder input alone is heard, so that a new ratio makes no step.
  private mutating func endBlock() {
    frameCount = 0
    products = products * Self.forgetting + blockProducts
    squares = squares * Self.forgetting + blockSquares
    (blockProducts, blockSquares) = (0, 0)
    guard squares > Self.leastSquares, products > 0 else { return }
    let measured = Float(squares / products)
    guard measured < nominalRatio * Self.largestError, measured > nominalRatio / Self.largestError else { return }
    ratio = measured
    isMeasured = true
  }

  /// How much louder the first input is.
  var decibels: Double { 20 * log10(Double(ratio)) }
}
