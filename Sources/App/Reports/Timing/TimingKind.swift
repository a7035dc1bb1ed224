/// What `timing` tells the durations of.
enum TimingKind: UInt8 {
  /// From the instant at which the loop was to wake to the one at which it did.
  case wake
  /// From waking to sleeping.
  case work
  /// See ``FirstSampleWatch``.
  case button
  /// Making a JPEG of a picture.
  case encode
  /// Writing a fragment of a take, with its flushes.
  case write
  /// Each flush of a take.
  case flush

  static var count: UInt8 { flush.rawValue + 1 }

  /// Also for programs.
  var name: StaticString {
    switch self {
    case .wake: "wake"
    case .work: "work"
    case .button: "button"
    case .encode: "encode"
    case .write: "write"
    case .flush: "flush"
    }
  }
}
