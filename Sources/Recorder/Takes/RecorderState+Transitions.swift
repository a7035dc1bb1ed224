extension RecorderState {
  /// Every transition there is.
  ///
  /// - Parameter staysArmed: whether the devices go on running after a take (`[record] arm = boot`).
  public func transition(on event: RecorderEvent, staysArmed: Bool) -> RecorderTransition {
    switch (self, event) {
    case (.idle, .arm), (.failed, .arm): RecorderTransition(self, .openDevices)
    case (.idle, .devicesOpened), (.failed, .devicesOpened): RecorderTransition(.preparing)
    case (.idle, .devicesAbsent), (.failed, .devicesAbsent): RecorderTransition(.failed)
    case (.preparing, .recordPressed): RecorderTransition(.recording, .beginTake)
    case (.recording, .recordPressed): RecorderTransition(.finishing, .endTake)
    // A press is never lost: the next take begins while the last one's file is still being completed,
    case (.finishing, .recordPressed): RecorderTransition(.recording, .beginTake)
    // or as soon as the devices can be opened again.
    case (.closing, .recordPressed), (.emptying, .recordPressed): RecorderTransition(self, .keepPress)
    case (.finishing, .takeFinished):
      staysArmed ? RecorderTransition(.preparing) : RecorderTransition(.closing, .closeDevices)
    case (.preparing, .coderLost): RecorderTransition(.closing, .closeDevices)
    case (.closing, .devicesClosed): RecorderTransition(.emptying, .emptyRings)
    case (.emptying, .ringsEmptied): RecorderTransition(.idle, .servePress)
    case (.recording, .takeFailed), (.finishing, .takeFailed): RecorderTransition(.failed)
    default: RecorderTransition(self)
    }
  }
}
