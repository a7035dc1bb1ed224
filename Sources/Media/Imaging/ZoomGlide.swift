import Values

/// A way from one factor to another. A factor is given as its exponent to base 2: what is even there looks even.
struct ZoomGlide: BitwiseCopyable, Equatable, Sendable {
  var startExponent: Double
  var endExponent: Double
  var startNanoseconds: UInt64
  /// Above 0.
  var powersOfTwoPerSecond: Double
  var easing: Easing

  /// How much of its time is over: 0…1. It lasts as long as the whole way takes at its rate.
  func progress(atNanoseconds instant: UInt64) -> Double {
    let seconds = Double(instant - min(instant, startNanoseconds)) / 1e9
    let covered = seconds * powersOfTwoPerSecond
    let way = (endExponent - startExponent).magnitude
    return covered < way ? covered / way : 1
  }

  func exponent(atNanoseconds instant: UInt64) -> Double {
    let progress = progress(atNanoseconds: instant)
    guard progress < 1 else { return endExponent }
    return startExponent + (endExponent - startExponent) * easing.value(at: progress)
  }
}
