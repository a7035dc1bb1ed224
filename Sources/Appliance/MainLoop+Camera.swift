import Board
import Console
import Text

extension MainLoop where Machine: ~Copyable {
  /// Serves a command about what the camera sees.
  /// - Returns: false when it is another's.
  mutating func serveForCamera(_ command: Command, atNanoseconds now: UInt64) -> Bool {
    switch command {
    case .preview(let order): beginPreview(order, atNanoseconds: now)
    case .zoom, .rotate, .viewfinder, .snapshot: console.refuse("this recorder cannot do that")
    default: return false
    }
    return true
  }
}
