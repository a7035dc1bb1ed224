import Port
import Controls
import Decoding
import Values
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
  case tilt(Position)
  case record(RecordAction)
  /// Opens a file, relative to the data folder or absolute; without one, what was chosen.
  case prepare(FixedText<256>?)
  /// Closes the file that is open.
  case dispose
  /// Starts, or goes on, at an instant of the monotonic clock; without one, now.
  case play(atNanoseconds: UInt64?)
  case pause
  /// Ends playing, and goes back to the start.
  case stop
  /// Goes to an instant of the file, 0…1,000,000 s.
  case seek(seconds: Double)
  /// Plays a stretch over and over; without one, ends that. Both ends are 0…1,000,000 s.
  case section(PlaybackSection?)
  /// Plays so many times as fast, 0.5…2; without a number, the rate is told.
  case rate(Double?)
  /// Plays with this gain, 0…1; without a number, the volume is told.
  case volume(Double?)
  /// Shows the file that is open.
  case player
  /// Lists the library's files, of one kind or all.
  case list(MediaKind?)
  /// Lists the library's files in which a tag has a name.
  case find(TagField, FixedText<128>)
  case queue(QueueAction)
  case next, previous
  case tone(ToneAction)
  /// Goes to standby or comes back; without a word, it is told which holds.
  case standby(Bool?)
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
