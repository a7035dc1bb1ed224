/// The buttons on the case, in the order of the wiring table.
public enum Button: UInt8, Sendable {
  case prepare
  case play
  case stop
  case record
  case zoom
  case rotate

  /// How many there are: raw values are 0..<`count`.
  public static var count: Int { 6 }

  /// The word for it on the console and in the configuration.
  public var name: StaticString {
    switch self {
    case .prepare: "prepare"
    case .play: "play"
    case .stop: "stop"
    case .record: "record"
    case .zoom: "zoom"
    case .rotate: "rotate"
    }
  }
}
