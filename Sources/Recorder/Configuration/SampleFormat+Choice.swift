import Values
import Text

extension SampleFormat: Choice {
  /// The word for it in the file.
  public var name: StaticString {
    switch self {
    case .int16: "s16"
    case .int24: "s24"
    case .float32: "float"
    }
  }
}
