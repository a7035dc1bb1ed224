/// `timing`: the loop's times are its own, and are reset at the end of a tick.
struct TimingService {
  private var isResetWanted = false

  mutating func reset() { isResetWanted = true }

  /// - Returns: whether the loop's times are to be reset, once.
  mutating func takesReset() -> Bool {
    defer { isResetWanted = false }
    return isResetWanted
  }
}
