/// Presses that came from the console instead of a finger: both boards lay them over what their lines say.
public struct InjectedButtons: Sendable {
  private var fromNanoseconds = InlineArray<6, UInt64>(repeating: 0)
  private var toNanoseconds = InlineArray<6, UInt64>(repeating: 0)

  /// No press yet.
  public init() {}

  /// Holds `button` down from one instant of the monotonic clock until just before the other; an earlier press of the
  /// same button that has not ended yet is replaced.
  public mutating func hold(_ button: Button, fromNanoseconds from: UInt64, toNanoseconds to: UInt64) {
    fromNanoseconds[Int(button.rawValue)] = from
    toNanoseconds[Int(button.rawValue)] = to
  }

  /// Which are held down at `now`.
  public func pressed(atNanoseconds now: UInt64) -> ButtonSet {
    var pressed = ButtonSet()
    for index in 0..<Button.count where now >= fromNanoseconds[index] && now < toNanoseconds[index] {
      pressed.bits |= 1 << UInt8(index)
    }
    return pressed
  }
}
