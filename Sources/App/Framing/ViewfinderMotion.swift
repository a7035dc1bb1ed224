import Base
import Wire

/// Where the display shows the viewfinder while it is on the way to a new place.
struct ViewfinderMotion {
  private enum State {
    case resting
    case moving(from: ViewFraction, Orientation, start: Instant)
  }

  private let durationNanoseconds: UInt64
  private let easing: Easing
  private var state = State.resting

  /// - Parameter milliseconds: how long a movement takes; 0: none.
  init(milliseconds: UInt32, easing: Easing) {
    durationNanoseconds = UInt64(milliseconds) * 1_000_000
    self.easing = easing
  }

  /// The viewfinder has left a place, on the way to which it may still have been.
  mutating func begin(from place: ViewFraction, _ orientation: Orientation, at now: Instant) {
    guard durationNanoseconds > 0 else { return }
    state = .moving(from: shown(onTheWayTo: place, orientation, at: now), orientation, start: now)
  }

  /// Where it is shown. When the device was rotated on the way, the places cannot be compared: it is there at once.
  func shown(onTheWayTo place: ViewFraction, _ orientation: Orientation, at now: Instant) -> ViewFraction {
    guard case .moving(let origin, orientation, let start) = state else { return place }
    let progress = Double(now.distance(since: start)) / Double(durationNanoseconds)
    guard progress < 1 else { return place }
    return origin.moved(Float(easing.value(at: progress)), towards: place)
  }
}

extension ViewFraction {
  /// - Parameter part: of the way to `place`; above 1 is behind it.
  fileprivate func moved(_ part: Float, towards place: ViewFraction) -> ViewFraction {
    func between(_ start: Float, _ end: Float) -> Float { start + (end - start) * part }
    return ViewFraction(
      x: between(x, place.x), y: between(y, place.y), width: between(width, place.width),
      height: between(height, place.height))
  }
}
