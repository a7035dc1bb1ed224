import Port
import Decoding
import Values
import Text

/// Something that happened to the player, of which a listener is told without asking.
public enum PlayerEvent: BitwiseCopyable, Sendable {
  /// It is in another state now.
  case stateChanged(PlayerState)
  /// This is heard from now on, or was opened.
  case itemChanged(MediaItem)
  /// This cannot be played; of several in the queue the next is taken.
  case itemRefused(MediaItem, DecoderRefusal)
  /// This cannot be opened; likewise, unless it is the decoder that is missing.
  case itemUnreachable(MediaItem, DeviceFailure)
  /// The decoder's process fell; it is started again, and what played goes on.
  case decoderFell(DeviceFailure)
  /// The decoder fell again over this before it had sounded for 5 s.
  case itemGivenUp(MediaItem)
  /// 0.0…1.0.
  case volumeChanged(Double)
  /// The sound card cannot be had.
  case speakerLost(DeviceFailure)
  /// It can again.
  case speakerBack
  /// The first frame of a start at an instant sounded, by the card's own account.
  case started(askedNanoseconds: UInt64, actualNanoseconds: UInt64)

  /// Whether it says why a file is not open.
  public var isFailureToOpen: Bool {
    switch self {
    case .itemRefused, .itemUnreachable, .itemGivenUp: true
    default: false
    }
  }

  /// For the console.
  public var line: FixedText<384> {
    switch self {
    case .stateChanged(let state): return "player \(state.name)"
    case .itemChanged(let item): return "player item \(item.label)"
    case .itemRefused(let item, let refusal): return "\(item.path) \(refusal.problem)"
    case .itemUnreachable(_, let failure): return FixedText(failure.line.bytes)
    case .decoderFell(let failure): return FixedText(failure.line.bytes)
    case .itemGivenUp(let item): return "\(item.path) was given up: the decoder fell over it again"
    case .volumeChanged(let volume): return "player volume \(volume, decimals: 3)"
    case .speakerLost(let failure): return FixedText(failure.line.bytes)
    case .speakerBack: return "speaker is back"
    case .started(let asked, let actual):
      let difference = Int64(bitPattern: actual &- asked)
      return "player started at \(actual), \(difference) ns after the instant that was asked"
    }
  }
}
