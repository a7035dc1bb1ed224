import CMath

/// How a movement starts and stops.
package enum Easing: Choice, BitwiseCopyable {
  case linear
  case curved(EasingCurve, EasingSide)

  /// 0 for ``linear``, then three for each curve: in, out, and in and out.
  package init?(rawValue: UInt8) {
    guard rawValue > 0 else {
      self = .linear
      return
    }
    guard let curve = EasingCurve(rawValue: (rawValue - 1) / 3), let side = EasingSide(rawValue: (rawValue - 1) % 3)
    else { return nil }
    self = .curved(curve, side)
  }

  package var rawValue: UInt8 {
    switch self {
    case .linear: 0
    case .curved(let curve, let side): 1 + 3 * curve.rawValue + side.rawValue
    }
  }

  /// The name in the configuration, such as `sine-in-out`.
  package var name: StaticString {
    switch self {
    case .linear: "linear"
    case .curved(.sine, let side): side.choose("sine-in", "sine-out", "sine-in-out")
    case .curved(.quad, let side): side.choose("quad-in", "quad-out", "quad-in-out")
    case .curved(.cubic, let side): side.choose("cubic-in", "cubic-out", "cubic-in-out")
    case .curved(.quart, let side): side.choose("quart-in", "quart-out", "quart-in-out")
    case .curved(.quint, let side): side.choose("quint-in", "quint-out", "quint-in-out")
    case .curved(.expo, let side): side.choose("expo-in", "expo-out", "expo-in-out")
    case .curved(.circ, let side): side.choose("circ-in", "circ-out", "circ-in-out")
    case .curved(.back, let side): side.choose("back-in", "back-out", "back-in-out")
    case .curved(.elastic, let side): side.choose("elastic-in", "elastic-out", "elastic-in-out")
    case .curved(.bounce, let side): side.choose("bounce-in", "bounce-out", "bounce-in-out")
    }
  }
}

extension EasingSide {
  fileprivate func choose(_ into: StaticString, _ outOf: StaticString, _ both: StaticString) -> StaticString {
    switch self {
    case .into: into
    case .outOf: outOf
    case .both: both
    }
  }
}

/// The shape of a movement's start or end, after Robert Penner, "Motion, Tweening, and Easing" (chapter 7 of
/// "Programming Macromedia Flash MX", 2002), whose names and equations are in general use.
package enum EasingCurve: UInt8, BitwiseCopyable, Sendable {
  case sine
  /// Time to the power of two; the next three use the powers three to five.
  case quad
  case cubic
  case quart
  case quint
  /// Two to the power of ten times the time.
  case expo
  /// A quarter of a circle.
  case circ
  /// First moves backwards, by a tenth of the distance.
  case back
  /// Oscillates around its start with growing amplitude.
  case elastic
  case bounce
}

/// The end at which a movement is eased.
package enum EasingSide: UInt8, BitwiseCopyable, Sendable {
  case into
  case outOf
  /// Both ends, each with half the movement.
  case both
}

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
