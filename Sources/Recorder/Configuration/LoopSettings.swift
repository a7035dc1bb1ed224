/// `[loop]`: the rhythm of the main loop.
public struct LoopSettings: Equatable, Sendable {
  /// The period, 1…20.
  public var tickMilliseconds: UInt32 = 5
  /// A priority of `SCHED_FIFO`; 0 for ordinary scheduling.
  public var priority: UInt8 = 80

  mutating func visit(_ visitor: inout some SettingVisitor) {
    visitor.section("loop")
    visitor.setting("tick_milliseconds", &tickMilliseconds, WholeNumberKind(1...20, "milliseconds"))
    visitor.setting("priority", &priority, WholeNumberKind(1...99, "SCHED_FIFO", zeroMeaning: "ordinary scheduling"))
  }
}
