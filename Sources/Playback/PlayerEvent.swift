import Base
import Machine
import Wire

/// A spontaneous report of the player.
package enum PlayerEvent: BitwiseCopyable, Sendable {
  /// It changed its state.
  case stateChanged(PlayerState)
  /// This item is heard from now on, or was opened.
  case itemChanged(MediaItem)
  /// This item cannot be played; in a queue the next one replaces it.
  case itemRefused(MediaItem, DecoderRefusal)
  /// This item cannot be opened; in a queue the next one replaces it, unless there is no decoder.
  case itemUnreachable(MediaItem, DeviceFailure)
  /// The decoder's process crashed; it is restarted, and playback goes on.
  case decoderCrashed(DeviceFailure)
  /// This item crashed the decoder again before it had played for 5 s.
  case itemGivenUp(MediaItem)
  /// The way to this position of this item takes long.
  case searching(MediaItem, seconds: Double)
  /// What became of a stream's connection, or what is sent now.
  case stream(FetchEvent)
  /// 0.0…1.0.
  case volumeChanged(Double)
  /// The sound card is not available.
  case speakerLost(DeviceFailure)
  /// It is available again.
  case speakerBack
  /// The first frame of a cued start was heard, by the card's own clock.
  case started(asked: Instant, actual: Instant)

  /// Whether it explains why a file is not open.
  package var isFailureToOpen: Bool {
    switch self {
    case .itemRefused, .itemUnreachable, .itemGivenUp: true
    default: false
    }
  }

  /// The event for the console.
  package var line: FixedText<384> {
    switch self {
    case .stateChanged(let state): return "player \(state.name)"
    case .itemChanged(let item): return "player item \(item.label)"
    case .itemRefused(let item, let refusal): return "\(item.path) \(refusal.problem)"
    case .itemUnreachable(_, let failure): return FixedText(failure.line.bytes)
    case .decoderCrashed(let failure): return FixedText(failure.line.bytes)
    case .itemGivenUp(let item): return "\(item.path) was skipped: it crashed the decoder again"
    case .searching(let item, let seconds): return "player seeks to \(seconds, decimals: 1) s in \(item.label)"
    case .stream(let event): return event.line
    case .volumeChanged(let volume): return "player volume \(volume, decimals: 3)"
    case .speakerLost(let failure): return FixedText(failure.line.bytes)
    case .speakerBack: return "speaker is back"
    case .started(let asked, let actual):
      let difference = asked.distance(to: actual)
      return "player started at \(actual.rawValue), \(difference) ns after the instant that was asked"
    }
  }
}

extension FetchEvent {
  fileprivate var line: FixedText<384> {
    switch self {
    case .connected(let contentType): return "stream connected: \(contentType)"
    case .title(let title): return "stream title \(title)"
    case .reconnecting(let milliseconds, let problem):
      return "stream \(problem.problem): reconnecting in \(Double(milliseconds) / 1000, decimals: 3) s"
    case .inSync: return "stream is in sync"
    case .silent: return "stream is silent"
    case .finished: return "stream connection finished"
    case .failed(let problem): return "stream connection failed: it \(problem.problem)"
    }
  }
}
