/// A part of the machine that can be missing or fail.
public enum Device: UInt8, BitwiseCopyable, Sendable {
  case buttons
  case accelerometer
  case microphone
  case speaker
  case camera
  case encoder
  case indicators
  case console
  case storage
  case memory
  case decoder
  case view
  case scheduler

  /// The word for it in messages.
  public var name: StaticString {
    switch self {
    case .buttons: "buttons"
    case .accelerometer: "accelerometer"
    case .microphone: "microphone"
    case .speaker: "speaker"
    case .camera: "camera"
    case .encoder: "encoder"
    case .indicators: "indicators"
    case .console: "console"
    case .storage: "storage"
    case .memory: "memory"
    case .decoder: "decoder"
    case .view: "live view"
    case .scheduler: "scheduler"
    }
  }
}
