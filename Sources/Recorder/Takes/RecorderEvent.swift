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
  /// The file could not be made, written or completed.
  case takeFailed
  /// What coded the pictures is gone; something else can, once the devices are opened anew.
  case coderLost
  /// No device is held any more.
  case devicesClosed
  /// The rings hold nothing any more.
  case ringsEmptied
}
