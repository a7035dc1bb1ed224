/// What can happen to the recorder.
public enum RecorderEvent: Sendable {
  /// The devices are to be opened, at boot or for a first press.
  case arm
  /// At least one device delivers.
  case devicesOpened
  /// None could be opened.
  case devicesAbsent
  /// The record button, or `record start` and `record stop` where they mean a change.
  case recordPressed
  /// The file of the take is complete and safe.
  case takeFinished
  /// The file could not be made or completed.
  case takeFailed
}
