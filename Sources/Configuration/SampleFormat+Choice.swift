import Media

extension SampleFormat: Choice {
  public static var count: UInt8 { 3 }

  public var name: StaticString {
    switch self {
    case .int16: "s16"
    case .int24: "s24"
    case .float32: "float"
    }
  }
}
