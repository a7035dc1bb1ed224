extension RecorderState {
  /// Every transition there is.
  ///
  /// - Parameter staysArmed: whether the devices go on running after a take (`[record] arm = boot`).
  public func transition(on event: RecorderEvent, staysArmed: Bool) -> RecorderTransition {
    switch (self, event) {
    case (.idle, .arm): RecorderTransition(.idle, .openDevices)
    case (.idle, .devicesOpened): RecorderTransition(.preparing)
    case (.idle, .devicesAbsent), (.failed, .devicesAbsent): RecorderTransition(.failed)
    case (.failed, .arm): RecorderTransition(.failed, .openDevices)
    case (.failed, .devicesOpened): RecorderTransition(.preparing)
    case (.preparing, .recordPressed): RecorderTransition(.recording, .beginTake)
    case (.recording, .recordPressed): RecorderTransition(.finishing, .endTake)
    // A press is never lost: the next take begins while the last one's file is still being completed.
    case (.finishing, .recordPressed): RecorderTransition(.recording, .beginTake)
    case (.finishing, .takeFinished):
      staysArmed ? RecorderTransition(.preparing) : RecorderTransition(.idle, .closeDevices)
    case (.recording, .takeFailed), (.finishing, .takeFailed): RecorderTransition(.failed)
    default: RecorderTransition(self)
    }
  }
}
