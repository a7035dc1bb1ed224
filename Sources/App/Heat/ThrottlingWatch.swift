import Machine

/// What the firmware says of supply and throttling, without the flicker of a supply that fails at every load: a reason
/// is over when it was not given for some readings.
struct ThrottlingWatch {
  private(set) var flags = ThrottlingFlags()
  private var quietCounts = InlineArray<4, Int>(repeating: 0)

  init() { precondition(quietCounts.count == ThrottlingReason.count, "a reason is not counted") }

  /// Takes one reading for one reason.
  /// - Returns: whether it is given now, if that has changed.
  mutating func note(_ reason: ThrottlingReason, isGiven: Bool) -> Bool? {
    let index = Int(reason.rawValue)
    quietCounts[index] = isGiven ? 0 : quietCounts[index] + 1
    let isOver = quietCounts[index] >= Limits.heatFallingReadings
    guard flags.contains(reason) ? isOver : isGiven else { return nil }
    flags.set(reason, to: isGiven)
    return isGiven
  }
}
