import Machine
import Record

/// Whether buttons are down that nobody presses.
struct ButtonTest {
  private var downOnce = ButtonSet()
  private var downAlways = ButtonSet(bits: .max)

  /// At each tick.
  mutating func follow(_ pressed: ButtonSet) {
    downOnce.bits |= pressed.bits
    downAlways.bits &= pressed.bits
  }

  func result(isLost: Bool, _ failure: DeviceFailure?) -> TestResult {
    if isLost { return TestResult(.buttons, failing: failure, .noButtons) }
    if let button = first(in: downAlways) { return told(.fail, .buttonHeld, button) }
    if let button = first(in: downOnce) { return told(.tight, .buttonPressed, button) }
    var result = TestResult(.buttons, .pass)
    result.add("down", "down", .none)
    return result
  }

  private func told(_ verdict: TestVerdict, _ remark: TestRemark, _ button: Button) -> TestResult {
    var result = TestResult(.buttons, verdict, remark)
    result.add("down", "down", .name(button.name))
    return result
  }

  /// The power's line is no button.
  private func first(in set: ButtonSet) -> Button? {
    for number in 0..<UInt8(Button.count) {
      guard let button = Button(rawValue: number), button != .power else { continue }
      if set.contains(button) { return button }
    }
    return nil
  }
}
