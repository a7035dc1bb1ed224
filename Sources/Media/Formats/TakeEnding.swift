import Base

/// Why a file of a take ends.
package enum TakeEnding: UInt8, BitwiseCopyable, Sendable {
  /// By the record button, or by `record stop`.
  case stopped
  /// The recorder was told to end.
  case quit
  /// The file was as long or as large as files get.
  case split
  /// The device was turned.
  case turned
  /// The card was full.
  case cardFull
  /// The card did not take any more for another reason.
  case cardFailed
  /// The recorder ended without ending the take.
  case interrupted

  /// The last line of a ledger.
  package var line: FixedText<96> {
    let reason: StaticString =
      switch self {
      case .stopped: "stopped"
      case .quit: "stopped because the recorder was told to end"
      case .split: "split, the take goes on in the next file"
      case .turned: "turned, the take goes on in the next file"
      case .cardFull: "the card was full"
      case .cardFailed: "the card failed"
      case .interrupted: "interrupted"
      }
    return "\(Self.lineStart)\(reason)\n"
  }

  /// How ``line`` starts.
  package static var lineStart: StaticString { "ended: " }

  /// The reason in a header, of the same length for each: a header that is torn while it is renewed has its chunks where
  /// they were.
  var word: StaticString {
    switch self {
    case .stopped: "stopped    "
    case .quit: "quit       "
    case .split: "split      "
    case .turned: "turned     "
    case .cardFull: "card full  "
    case .cardFailed: "card failed"
    case .interrupted: "interrupted"
    }
  }
}
