import CMath
import Values

/// How much of each side of the picture's middle is seen, at each instant: 1 / factor.
///
/// A glide moves the factor evenly to the eye, by so many powers of two a second. Whatever is asked, the factor is finite
/// and within 1…``maximum``, and but for ``jump(to:atNanoseconds:)`` it never jumps: what is asked in the middle of a
/// glide begins where the glide is. All instants are those of the monotonic clock.
public struct Zoom: Equatable, Sendable {
  /// The largest factor, at least 1.
  public private(set) var maximum: Double
  /// Where the next press of the button goes.
  public private(set) var direction = ZoomDirection.closer
  private let powersOfTwoPerSecond: Double
  private let easing: Easing
  private var motion = ZoomMotion.resting(exponent: 0)
  /// What held before ``changeNanoseconds``: pictures come some milliseconds after their exposure.
  private var earlierMotion = ZoomMotion.resting(exponent: 0)
  private var changeNanoseconds: UInt64 = 0

  /// At rest, with factor 1.
  /// - Parameters:
  ///   - maximum: 1 or more.
  ///   - powersOfTwoPerSecond: of glides for which none is given, above 0.
  ///   - easing: shapes each glide, but for those that follow the button: these have no known end.
  public init(maximum: Double, powersOfTwoPerSecond: Double, easing: Easing) {
    precondition(maximum >= 1 && maximum.isFinite && powersOfTwoPerSecond > 0, "a zoom that cannot be")
    self.maximum = maximum
    self.powersOfTwoPerSecond = powersOfTwoPerSecond
    self.easing = easing
  }

  /// The factor at an instant, which may lie back as far as to the change before the last one.
  public func factor(atNanoseconds instant: UInt64) -> Double {
    factor(ofExponent: exponent(atNanoseconds: instant))
  }

  /// Glides to a factor; to the nearest that there is.
  /// - Parameter rate: powers of two a second; nil, or what is no rate, stands for the usual one.
  public mutating func glide(to factor: Double, powersOfTwoPerSecond rate: Double?, atNanoseconds now: UInt64) {
    glide(toExponent: exponent(ofFactor: factor), powersOfTwoPerSecond: rate, atNanoseconds: now)
  }

  /// Has a factor at once; the nearest that there is.
  public mutating func jump(to factor: Double, atNanoseconds now: UInt64) {
    change(to: .resting(exponent: exponent(ofFactor: factor)), atNanoseconds: now)
  }

  /// Glides to the next of 1, 2, 4, 8 and so on, and ``maximum``, as seen from where the present glide leads to; from one
  /// end of the range to the other one.
  public mutating func step(atNanoseconds now: UInt64) {
    let goal = motion.goal(atNanoseconds: now)
    // What a glide of the button ended near to is taken for it.
    let slack = 1e-6
    let next: Double
    switch direction {
    case .closer where goal >= maximumExponent - slack: next = 0
    case .closer: next = min((goal + slack).rounded(.down) + 1, maximumExponent)
    case .wider where goal <= slack: next = maximumExponent
    case .wider: next = (goal - slack).rounded(.up) - 1
    }
    glide(toExponent: next, powersOfTwoPerSecond: nil, atNanoseconds: now)
  }

  /// The button is being held: glides until ``release(atNanoseconds:)`` or the end of the range. A glide that would begin
  /// at that end turns first, for a button that does nothing seems broken.
  public mutating func hold(atNanoseconds now: UInt64) {
    let exponent = exponent(atNanoseconds: now)
    if exponent == end { turn() }
    let glide = ZoomGlide(
      startExponent: exponent, endExponent: end, startNanoseconds: now, powersOfTwoPerSecond: powersOfTwoPerSecond,
      easing: .linear)
    change(to: .held(glide), atNanoseconds: now)
  }

  /// The button has been let go.
  /// - Returns: the factor at which a glide of the button ended by this; nil when there was none.
  public mutating func release(atNanoseconds now: UInt64) -> Double? {
    guard case .held(let glide) = motion else { return nil }
    return rest(atExponent: glide.exponent(atNanoseconds: now), atNanoseconds: now)
  }

  /// Lets the button go the other way from now on.
  public mutating func turn() { direction = direction.reversed }

  /// To be called again and again.
  /// - Returns: the factor, once, when a glide has come to its end.
  public mutating func settle(atNanoseconds now: UInt64) -> Double? {
    switch motion {
    case .gliding(let glide), .held(let glide):
      guard glide.progress(atNanoseconds: now) >= 1 else { return nil }
      return rest(atExponent: glide.endExponent, atNanoseconds: now)
    case .resting: return nil
    }
  }

  /// Has another maximum from now on, at least 1; a factor beyond it is that maximum for as long as it holds.
  public mutating func limit(to maximum: Double) {
    precondition(maximum >= 1 && maximum.isFinite, "a zoom that cannot be")
    self.maximum = maximum
  }

  private var maximumExponent: Double { log2(maximum) }

  /// The exponent of the end of the range to which the button goes.
  private var end: Double { direction == .closer ? maximumExponent : 0 }

  private mutating func rest(atExponent exponent: Double, atNanoseconds now: UInt64) -> Double {
    change(to: .resting(exponent: exponent), atNanoseconds: now)
    return factor(ofExponent: exponent)
  }

  private mutating func glide(
    toExponent end: Double, powersOfTwoPerSecond rate: Double?, atNanoseconds now: UInt64
  ) {
    let glide = ZoomGlide(
      startExponent: exponent(atNanoseconds: now), endExponent: end, startNanoseconds: now,
      powersOfTwoPerSecond: rate.flatMap { $0 > 0 && $0.isFinite ? $0 : nil } ?? powersOfTwoPerSecond, easing: easing)
    change(to: .gliding(glide), atNanoseconds: now)
  }

  private mutating func change(to motion: ZoomMotion, atNanoseconds now: UInt64) {
    // Of several changes at one instant only the last is ever seen.
    if now > changeNanoseconds { earlierMotion = self.motion }
    self.motion = motion
    changeNanoseconds = now
  }

  private func exponent(atNanoseconds instant: UInt64) -> Double {
    let motion = instant < changeNanoseconds ? earlierMotion : motion
    // Easing functions may swing beyond the ends of a glide.
    return min(max(motion.exponent(atNanoseconds: instant), 0), maximumExponent)
  }

  /// What is rounded on the way must not keep the picture from being quite at the end of the range.
  private func factor(ofExponent exponent: Double) -> Double {
    exponent >= maximumExponent ? maximum : min(exp2(exponent), maximum)
  }

  private func exponent(ofFactor factor: Double) -> Double {
    guard factor > 1 else { return 0 }
    return log2(min(factor, maximum))
  }
}
