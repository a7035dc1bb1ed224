/// A quantity that goes to another value in a straight line, frame by frame.
struct Ramp: BitwiseCopyable {
  private(set) var value: Double
  private(set) var target: Double
  private var step = 0.0
  private var framesLeft = 0

  init(at value: Double) {
    self.value = value
    target = value
  }

  /// Whether it is and stays at `value`.
  func rests(at value: Double) -> Bool { self.value == value && target == value }

  /// Goes to `target` within so many frames, from where it is.
  mutating func aim(at target: Double, frameCount: Int) {
    self.target = target
    framesLeft = frameCount
    step = (target - value) / Double(max(1, frameCount))
    if frameCount == 0 { value = target }
  }

  /// The value of the next frame.
  mutating func next() -> Double {
    guard framesLeft > 0 else { return value }
    framesLeft -= 1
    value = framesLeft == 0 ? target : value + step
    return value
  }
}
