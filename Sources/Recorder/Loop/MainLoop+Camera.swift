import Port
import Console
import Text

extension MainLoop where Machine: ~Copyable {
  /// Serves a command about what the camera sees.
  /// - Returns: false when it is another's.
  mutating func serveForCamera(_ command: Command, atNanoseconds now: UInt64) -> Bool {
    switch command {
    case .zoom(let order): serve(order, atNanoseconds: now)
    case .viewfinder(let order): serve(order)
    case .snapshot(let framing): takeStill(framing, for: .console)
    case .preview(let order): beginPreview(order, atNanoseconds: now)
    case .rotate(let rotation): serve(rotation, atNanoseconds: now)
    default: return false
    }
    return true
  }
}
