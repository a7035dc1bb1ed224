import CMath

extension Easing {
  /// The fraction of the distance covered after a fraction of the time.
  /// - Parameter progress: 0…1; values outside are clamped, and NaN counts as 0.
  /// - Returns: exactly 0 at 0 and 1 at 1; between them ``EasingCurve/back`` and ``EasingCurve/elastic`` leave 0…1.
  @inline(never) package func value(at progress: Double) -> Double {
    guard progress > 0 else { return 0 }
    guard progress < 1 else { return 1 }
    switch self {
    case .linear: return progress
    case .curved(let curve, .into): return curve.rise(at: progress)
    case .curved(let curve, .outOf): return 1 - curve.rise(at: 1 - progress)
    case .curved(let curve, .both) where progress < 0.5: return curve.rise(at: 2 * progress, isHalf: true) / 2
    case .curved(let curve, .both): return 1 - curve.rise(at: 2 - 2 * progress, isHalf: true) / 2
    }
  }
}

extension EasingCurve {
  /// The curve at the start of a movement.
  /// - Parameters:
  ///   - time: above 0 and up to 1.
  ///   - isHalf: whether the curve is half of a movement eased at both ends, for which Penner's equations overshoot
  ///     further and oscillate more slowly.
  fileprivate func rise(at time: Double, isHalf: Bool = false) -> Double {
    switch self {
    case .sine: 1 - cos(time * .pi / 2)
    case .quad: time * time
    case .cubic: time * time * time
    case .quart: time * time * time * time
    case .quint: time * time * time * time * time
    case .expo: exp2(10 * (time - 1))
    case .circ: 1 - (1 - time * time).squareRoot()
    case .back: Self.backRise(at: time, overshoot: isHalf ? 1.70158 * 1.525 : 1.70158)
    case .elastic: Self.elasticRise(at: time, period: isHalf ? 0.45 : 0.3)
    case .bounce: 1 - Self.bounceFall(at: 1 - time)
    }
  }

  private static func backRise(at time: Double, overshoot: Double) -> Double {
    time * time * ((overshoot + 1) * time - overshoot)
  }

  private static func elasticRise(at time: Double, period: Double) -> Double {
    -exp2(10 * (time - 1)) * sin((time - 1 - period / 4) * 2 * .pi / period)
  }

  /// Four parabolas, each a quarter as high as the one before.
  private static func bounceFall(at time: Double) -> Double {
    let (middle, top) =
      switch time * 2.75 {
      case ..<1: (0.0, 0.0)
      case ..<2: (1.5, 0.75)
      case ..<2.5: (2.25, 0.9375)
      default: (2.625, 0.984375)
      }
    let distance = time * 2.75 - middle
    return distance * distance + top
  }
}
