import Base
import CMath

/// The zoom factor at each instant: the middle of the picture is shown, 1 / factor of each side.
///
/// A glide looks even: its rate is in powers of two per second. The factor is always finite and within 1…``maximum``,
/// and continuous except at ``jump(to:at:)``: a new glide starts at the current factor. All instants are on the
/// monotonic clock.
package struct Zoom: Equatable, Sendable {
  /// The largest factor, at least 1.
  package private(set) var maximum: Double
  /// The direction of the next button press.
  package private(set) var direction = ZoomDirection.closer
  private let powersOfTwoPerSecond: Double
  private let easing: Easing
  private var motion = ZoomMotion.resting(exponent: 0)
  /// The motion before ``changeInstant``, needed because pictures arrive some milliseconds after their exposure.
  private var earlierMotion = ZoomMotion.resting(exponent: 0)
  private var changeInstant: Instant = 0

  /// At rest, with factor 1.
  /// - Parameters:
  ///   - maximum: 1 or more.
  ///   - powersOfTwoPerSecond: the default rate of glides, above 0.
  ///   - easing: for all glides except the button's, whose end is not known in advance.
  package init(maximum: Double, powersOfTwoPerSecond: Double, easing: Easing) {
    precondition(maximum >= 1 && maximum.isFinite && powersOfTwoPerSecond > 0, "a zoom that cannot be")
    self.maximum = maximum
    self.powersOfTwoPerSecond = powersOfTwoPerSecond
    self.easing = easing
  }

  /// Whether the factor is constant.
  package var isResting: Bool { if case .resting = motion { true } else { false } }

  /// The factor at an instant no earlier than the change before last.
  package func factor(at instant: Instant) -> Double {
    factor(ofExponent: exponent(at: instant))
  }

  /// Glides to a factor, clamped to the range.
  /// - Parameter rate: powers of two per second; nil or an invalid rate selects the default.
  package mutating func glide(to factor: Double, powersOfTwoPerSecond rate: Double?, at now: Instant) {
    glide(toExponent: exponent(ofFactor: factor), powersOfTwoPerSecond: rate, at: now)
  }

  /// Changes to a factor at once, clamped to the range.
  package mutating func jump(to factor: Double, at now: Instant) {
    change(to: .resting(exponent: exponent(ofFactor: factor)), at: now)
  }

  /// Glides to the next of 1, 2, 4, 8 and so on, and ``maximum``, counted from the end of the current glide. At either
  /// end of the range it goes to the other end.
  package mutating func step(at now: Instant) {
    let goal = motion.goal(at: now)
    // A button glide that ended close to a step counts as that step.
    let slack = 1e-6
    let next: Double
    switch direction {
    case .closer where goal >= maximumExponent - slack: next = 0
    case .closer: next = min((goal + slack).rounded(.down) + 1, maximumExponent)
    case .wider where goal <= slack: next = maximumExponent
    case .wider: next = (goal - slack).rounded(.up) - 1
    }
    glide(toExponent: next, powersOfTwoPerSecond: nil, at: now)
  }

  /// Call when the button is held: glides until ``release(at:)`` or the end of the range. If the factor is already at
  /// that end, the direction reverses first, because a button that does nothing seems broken.
  package mutating func hold(at now: Instant) {
    let exponent = exponent(at: now)
    if exponent == end { reverse() }
    let glide = ZoomGlide(
      startExponent: exponent, endExponent: end, start: now, powersOfTwoPerSecond: powersOfTwoPerSecond,
      easing: .linear)
    change(to: .held(glide), at: now)
  }

  /// Call when the button is released.
  /// - Returns: the factor at which the button's glide ended; nil if there was none.
  package mutating func release(at now: Instant) -> Double? {
    guard case .held(let glide) = motion else { return nil }
    return rest(atExponent: glide.exponent(at: now), at: now)
  }

  /// Reverses the direction of the button.
  package mutating func reverse() { direction = direction.reversed }

  /// Call regularly.
  /// - Returns: the factor, once, after a glide has ended.
  package mutating func settle(at now: Instant) -> Double? {
    switch motion {
    case .gliding(let glide), .held(let glide):
      guard glide.progress(at: now) >= 1 else { return nil }
      return rest(atExponent: glide.endExponent, at: now)
    case .resting: return nil
    }
  }

  /// Changes the maximum, at least 1. A larger factor is limited to it until the maximum is raised again.
  package mutating func limit(to maximum: Double) {
    precondition(maximum >= 1 && maximum.isFinite, "a zoom that cannot be")
    self.maximum = maximum
  }

  private var maximumExponent: Double { log2(maximum) }

  /// The exponent at the end of the range in the button's direction.
  private var end: Double { direction == .closer ? maximumExponent : 0 }

  private mutating func rest(atExponent exponent: Double, at now: Instant) -> Double {
    change(to: .resting(exponent: exponent), at: now)
    return factor(ofExponent: exponent)
  }

  private mutating func glide(toExponent end: Double, powersOfTwoPerSecond rate: Double?, at now: Instant) {
    let glide = ZoomGlide(
      startExponent: exponent(at: now), endExponent: end, start: now,
      powersOfTwoPerSecond: rate.flatMap { $0 > 0 && $0.isFinite ? $0 : nil } ?? powersOfTwoPerSecond, easing: easing)
    change(to: .gliding(glide), at: now)
  }

  private mutating func change(to motion: ZoomMotion, at now: Instant) {
    // Of several changes at one instant only the last one matters.
    if now > changeInstant { earlierMotion = self.motion }
    self.motion = motion
    changeInstant = now
  }

  private func exponent(at instant: Instant) -> Double {
    let motion = instant < changeInstant ? earlierMotion : motion
    // Easing may overshoot the ends of a glide.
    return min(max(motion.exponent(at: instant), 0), maximumExponent)
  }

  /// Makes sure that rounding does not keep the factor from reaching the end of the range exactly.
  private func factor(ofExponent exponent: Double) -> Double {
    exponent >= maximumExponent ? maximum : min(exp2(exponent), maximum)
  }

  private func exponent(ofFactor factor: Double) -> Double {
    guard factor > 1 else { return 0 }
    return log2(min(factor, maximum))
  }
}

/// The direction of the zoom button.
package enum ZoomDirection: BitwiseCopyable, Sendable {
  /// Towards larger factors.
  case closer
  /// Towards smaller factors.
  case wider

  package var reversed: ZoomDirection { self == .closer ? .wider : .closer }
}

/// A movement from one factor to another, in exponents to base 2, in which an even movement looks even.
struct ZoomGlide: BitwiseCopyable, Equatable, Sendable {
  var startExponent: Double
  var endExponent: Double
  var start: Instant
  /// Above 0.
  var powersOfTwoPerSecond: Double
  var easing: Easing

  /// The fraction of its time that has passed, 0…1. The duration is the whole distance divided by the rate.
  func progress(at instant: Instant) -> Double {
    let seconds = Double(instant.distance(since: start)) / 1e9
    let covered = seconds * powersOfTwoPerSecond
    let way = (endExponent - startExponent).magnitude
    return covered < way ? covered / way : 1
  }

  func exponent(at instant: Instant) -> Double {
    let progress = progress(at: instant)
    guard progress < 1 else { return endExponent }
    return startExponent + (endExponent - startExponent) * easing.value(at: progress)
  }
}

enum ZoomMotion: BitwiseCopyable, Equatable, Sendable {
  case resting(exponent: Double)
  /// Moving to a requested factor.
  case gliding(ZoomGlide)
  /// Moving to the end of the range while the button is held.
  case held(ZoomGlide)

  func exponent(at instant: Instant) -> Double {
    switch self {
    case .resting(let exponent): exponent
    case .gliding(let glide), .held(let glide): glide.exponent(at: instant)
    }
  }

  /// The end of a glide; the current exponent at rest or while the button is held.
  func goal(at instant: Instant) -> Double {
    switch self {
    case .gliding(let glide): glide.endExponent
    case .resting, .held: exponent(at: instant)
    }
  }
}

/// The rectangle of the view that the user frames with. It never leaves the view, even when the device is rotated; when
/// the device is rotated back, the rectangle returns to its old place.
package struct Viewfinder: Equatable, Sendable {
  /// The side length until the rectangle is placed.
  package static var defaultSide: Int { 100 }

  /// The last placement, in the view at that time; nil while centred.
  private var placed: PixelRectangle?

  /// A rectangle in the middle of the view.
  package init() {}

  /// The rectangle in `view`.
  package func rectangle(in view: PictureView) -> PixelRectangle {
    view.holding(placed ?? view.centred(side: Self.defaultSide))
  }

  /// Places the rectangle inside the view: first its size is reduced, then its position is adjusted.
  package mutating func place(x: Int32, y: Int32, width: Int32, height: Int32, in view: PictureView) {
    placed = view.holding(PixelRectangle(x: Int(x), y: Int(y), width: Int(width), height: Int(height)))
  }

  /// Moves the rectangle, keeping it inside the view.
  package mutating func move(x: Int32, y: Int32, in view: PictureView) {
    var moved = rectangle(in: view)
    moved.x += Int(x)
    moved.y += Int(y)
    placed = view.holding(moved)
  }
}
