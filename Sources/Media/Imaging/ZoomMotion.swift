/// What the zoom does.
enum ZoomMotion: BitwiseCopyable, Equatable, Sendable {
  case resting(exponent: Double)
  /// On the way to a factor that somebody asked for.
  case gliding(ZoomGlide)
  /// On the way to the end of the range, for as long as the button is held.
  case held(ZoomGlide)

  func exponent(atNanoseconds instant: UInt64) -> Double {
    switch self {
    case .resting(let exponent): exponent
    case .gliding(let glide), .held(let glide): glide.exponent(atNanoseconds: instant)
    }
  }

  /// Where a glide leads to; where it is when it rests or follows the button.
  func goal(atNanoseconds instant: UInt64) -> Double {
    switch self {
    case .gliding(let glide): glide.endExponent
    case .resting, .held: exponent(atNanoseconds: instant)
    }
  }
}
