import Values
import Text

/// A size of picture by its usual name.
public enum VideoPreset: UInt8, Choice {
  /// 640 x 480.
  case p480
  /// 1280 x 720.
  case p720
  /// 1920 x 1080.
  case p1080

  /// The word for it in the file.
  public var name: StaticString {
    switch self {
    case .p480: "480p"
    case .p720: "720p"
    case .p1080: "1080p"
    }
  }

  /// What it stands for.
  public var size: FrameSize {
    switch self {
    case .p480: FrameSize(widthPixels: 640, heightPixels: 480)
    case .p720: FrameSize(widthPixels: 1280, heightPixels: 720)
    case .p1080: FrameSize(widthPixels: 1920, heightPixels: 1080)
    }
  }
}
