/// Where the time of day comes from.
public enum ClockSource: UInt8, Sendable {
  /// Nobody has set it since power came on.
  case unset
  /// Read from a battery-backed clock at boot.
  case rtc
  /// Disciplined by a time server or a receiver.
  case synchronised

  /// The word for it in replies.
  public var name: StaticString {
    switch self {
    case .unset: "unset"
    case .rtc: "rtc"
    case .synchronised: "synchronised"
    }
  }
}
