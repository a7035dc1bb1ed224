import Base

/// Why there is no display to draw on.
package enum ScreenTrouble: Error, Equatable, Sendable {
  case absent
  case noPermission
  case noDisplayCard
  case busy
  case unplugged
  case noMode
  case noBuffers
  /// It refused a frame or never showed it.
  case failed

  /// The trouble and its remedy, on one line.
  /// - Parameter device: the card's node.
  package func line(_ device: FixedText<64>) -> FixedText<256> {
    var line: FixedText<256> = "display \(device) "
    switch self {
    case .absent: line.append("is absent: plug it in, or set another [view] device")
    case .noPermission: line.append("cannot be opened: add the recorder's user to the group video")
    case .noDisplayCard: line.append("shows nothing: set the [view] device of a card that drives a display")
    case .busy: line.append("is busy: end the program that draws on it")
    case .unplugged: line.append("has nothing plugged in: plug a display in")
    case .noMode: line.append("has no mode that fits: plug in another display")
    case .noBuffers: line.append("provides no memory to draw in: set another [view] device")
    case .failed: line.append("no longer accepts frames: check the cable")
    }
    return line
  }
}
