import Controls
import Port
import Text
import Values

/// What a person or a script can ask of the appliance. Each file of this folder has a group of commands: what there is
/// to ask, how it is written, what `help` says, and how it is parsed.
public enum Command: Equatable, Sendable {
  /// Explains one command, or lists all.
  case help(topic: FixedText<16>?)
  case status(StatusForm)
  /// Holds a button down.
  case press(Button, milliseconds: UInt32)
  /// Holds back the next command, for so long by the board's clock.
  case wait(nanoseconds: UInt64)
  /// Rotates the device.
  case tilt(Position)
  case record(RecordAction)
  case player(PlayerCommand)
  case library(LibraryCommand)
  case zoom(ZoomOrder)
  /// Decides which way up pictures are; without a word, it is told.
  case rotate(Rotation?)
  case viewfinder(ViewfinderOrder)
  /// Saves a still.
  case snapshot(StillFraming)
  /// Draws what the camera sees.
  case preview(PreviewOrder)
  case config
  case version
  case quit
}
