/// Whether the appliance goes on.
enum LoopPhase: Equatable {
  case running
  /// Asked to end: an open take is being finished, until the deadline at the latest.
  case stopping(deadlineNanoseconds: UInt64)
  case stopped
}
