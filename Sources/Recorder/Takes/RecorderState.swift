/// Where the recorder is between a button and a file.
public enum RecorderState: UInt8, Sendable {
  /// The devices are closed.
  case idle
  /// The devices run and fill the pre-roll: the recorder is armed.
  case preparing
  /// A take grows.
  case recording
  /// The take has its end; what is in flight, then the file, is being completed. The rings go on filling.
  case finishing
  /// The take is complete, and the devices that were opened for it are being closed.
  case closing
  /// The devices are closed, and the storage worker is giving back what the rings hold.
  case emptying
  /// The last take could not be kept; the reason was said. `record` tries again.
  case failed

  /// The word for it in `status json`.
  public var name: StaticString {
    switch self {
    case .idle: "idle"
    case .preparing: "armed"
    case .recording: "recording"
    case .finishing, .closing, .emptying: "finishing"
    case .failed: "failed"
    }
  }
}
