import Board
import Console
import Text

extension MainLoop where Machine: ~Copyable {
  /// Serves a command about what the camera sees.
  /// - Returns: false when it is another's.
  mutating func serveForCamera(_ command: Command) -> Bool {
    switch command {
    case .viewfinder(let order): serve(order)
    case .snapshot(let framing): takeStill(framing, for: .console)
    case .zoom, .rotate, .preview: console.refuse("this recorder cannot do that")
    default: return false
    }
    return true
  }
}
