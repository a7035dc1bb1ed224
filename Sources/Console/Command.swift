import Board
import Media
import Text

/// What a person or a script can ask of the appliance. ``CommandTable`` says how each is written.
public enum Command: Equatable, Sendable {
  /// Explains one command, or lists all.
  case help(topic: FixedText<16>?)
  case status(StatusForm)
  /// Holds a button down.
  case press(Button, milliseconds: UInt32)
  /// Holds back the next command, for so long by the board's clock.
  case wait(nanoseconds: UInt64)
  /// Turns the device.
  case tilt(Orientation)
  case record(RecordAction)
  case config
  case version
  case quit
}
