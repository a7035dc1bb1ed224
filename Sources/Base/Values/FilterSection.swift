import CMath

/// A filter of second order, in transposed direct form II. In double precision, because the lowest edge is a
/// ten-thousandth of the highest rate.
package struct FilterSection: BitwiseCopyable, Sendable {
  private var (b0, b1, b2, a1, a2) = (1.0, 0.0, 0.0, 0.0, 0.0)
  private var (first, second) = (0.0, 0.0)

  /// Lets everything through.
  package init() {}

  /// A Butterworth filter: 3 dB less at the edge, and 12 dB less with each octave beyond it.
  /// - Parameter edge: the frequency as a part of the rate, below 0.5.
  package init(edge: Double, isHighPass: Bool) {
    let cosine = cos(2 * Double.pi * edge)
    let alpha = sin(2 * Double.pi * edge) * 0.5.squareRoot()
    let scale = 1 / (1 + alpha)
    b1 = (isHighPass ? -1 - cosine : 1 - cosine) * scale
    b0 = b1.magnitude / 2
    b2 = b0
    a1 = -2 * cosine * scale
    a2 = (1 - alpha) * scale
  }

  @inline(__always)
  package mutating func pass(_ sample: Double) -> Double {
    let output = b0 * sample + first
    first = b1 * sample - a1 * output + second
    second = b2 * sample - a2 * output
    return output
  }

  /// Numbers that are almost 0 would cost a hundred times as much.
  package mutating func settle() {
    if first.magnitude < 1e-30 { first = 0 }
    if second.magnitude < 1e-30 { second = 0 }
  }
}
