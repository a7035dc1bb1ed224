/// How a movement starts and stops.
package enum Easing: Choice, BitwiseCopyable {
  /// At constant speed.
  case linear
  /// Along a curve.
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

  /// The inverse of ``init(rawValue:)``.
  package var rawValue: UInt8 {
    switch self {
    case .linear: 0
    case .curved(let curve, let side): 1 + 3 * curve.rawValue + side.rawValue
    }
  }

  /// Its name in the configuration, such as `sine-in-out`.
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

/// The shape of the start or end of a movement, after Robert Penner, "Motion, Tweening, and Easing" (chapter 7 of
/// "Programming Macromedia Flash MX", 2002), whose names and equations are used everywhere.
package enum EasingCurve: UInt8, BitwiseCopyable, Sendable {
  /// A quarter of a sine.
  case sine
  /// The second power of time, and so on up to the fifth.
  case quad
  case cubic
  case quart
  case quint
  /// Ten powers of two.
  case expo
  /// A quarter of a circle.
  case circ
  /// Moves backwards first, by a tenth of the distance.
  case back
  /// Oscillates around its start with growing amplitude.
  case elastic
  /// Bounces like a ball.
  case bounce
}

/// The end at which a movement is eased.
package enum EasingSide: UInt8, BitwiseCopyable, Sendable {
  /// At its start.
  case into
  /// At its end.
  case outOf
  /// At both, each with half the movement.
  case both
}
