import Base
import Wire

/// The player in the form that is drawn.
struct ShownPlayer: BitwiseCopyable, Equatable {
  let title: FixedText<96>
  /// A sign for playing or pausing, the position, and the duration where it is known.
  let times: FixedText<32>
  /// How much has been heard, 0…1000; 0 where the duration is not known.
  let permille: Int

  /// - Returns: nil while no file is open.
  init?(_ player: ViewPlayer) {
    guard player.state != .none else { return nil }
    title = player.title
    var times: FixedText<32> = player.state == .playing ? "▶ " : "‖ "
    Self.append(player.positionMilliseconds, to: &times)
    if player.durationMilliseconds > 0 {
      times.append(" / ")
      Self.append(player.durationMilliseconds, to: &times)
    }
    self.times = times
    let (position, duration) = (Double(player.positionMilliseconds), Double(player.durationMilliseconds))
    permille = duration > 0 ? Int(min(1, position / duration) * 1000) : 0
  }

  /// Minutes and seconds, with hours if there are any.
  private static func append(_ milliseconds: UInt64, to text: inout FixedText<32>) {
    let seconds = min(milliseconds / 1000, 999 * 3600)
    if seconds >= 3600 {
      text.append("\(seconds / 3600):\(seconds / 60 % 60, width: 2):\(seconds % 60, width: 2)" as FixedText<16>)
    } else {
      text.append("\(seconds / 60):\(seconds % 60, width: 2)" as FixedText<16>)
    }
  }
}
