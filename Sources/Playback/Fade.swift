import Base

/// How the volume and the tone change, so that no change clicks.
package struct Fade: BitwiseCopyable, Equatable, Sendable {
  /// How long a change takes, 1…10,000.
  package var milliseconds: UInt32
  /// How it starts and ends.
  package var easing: Easing

  /// A straight line of 20 ms, too short to be heard as a fade, unless told otherwise.
  package init(milliseconds: UInt32 = 20, easing: Easing = .linear) {
    self.milliseconds = milliseconds
    self.easing = easing
  }
}

/// A quantity that moves to another value, frame by frame.
struct Ramp: BitwiseCopyable {
  private(set) var value: Double
  private(set) var target: Double
  private var start: Double
  private var easing = Easing.linear
  private var frameCount = 0
  private var framesLeft = 0

  init(at value: Double) {
    self.value = value
    start = value
    target = value
  }

  /// Whether it is and stays at `value`.
  func rests(at value: Double) -> Bool { framesLeft == 0 && self.value == value }

  /// Moves to `target` within this many frames, from its present value.
  mutating func aim(at target: Double, frameCount: Int, _ easing: Easing = .linear) {
    self.target = target
    self.easing = easing
    self.frameCount = frameCount
    start = value
    framesLeft = frameCount
    if frameCount == 0 { value = target }
  }

  /// The value of the next frame. It stays between the ends of the movement: an easing that overshoots would make it
  /// louder than what was set.
  mutating func next() -> Double {
    guard framesLeft > 0 else { return value }
    framesLeft -= 1
    let progress = Double(frameCount - framesLeft) / Double(frameCount)
    let eased = start + (target - start) * easing.value(at: progress)
    value = framesLeft == 0 ? target : min(max(eased, min(start, target)), max(start, target))
    return value
  }
}
