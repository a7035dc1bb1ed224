/// Presses that came from the console instead of a finger: both boards lay them over what their lines say.
public struct InjectedButtons: Sendable {
  private var fromNanoseconds = InlineArray<6, UInt64>(repeating: 0)
  private var toNanoseconds = InlineArray<6, UInt64>(repeating: 0)

  public init() {}

  public mutating func hold(_ button: Button, fromNanoseconds from: UInt64, toNanoseconds to: UInt64) {
    fromNanoseconds[Int(button.rawValue)] = from
    toNanoseconds[Int(button.rawValue)] = to
  }

  public func pressed(atNanoseconds now: UInt64) -> ButtonSet {
    var pressed = ButtonSet()
    for index in 0..<Button.count where now >= fromNanoseconds[index] && now < toNanoseconds[index] {
      pressed.bits |= 1 << UInt8(index)
    }
    return pressed
  }
}
