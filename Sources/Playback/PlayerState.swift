import Base
import Machine
import Wire

package enum PlayerState: UInt8, BitwiseCopyable, Sendable {
  /// Nothing is open.
  case none
  /// A file is being opened.
  case preparing
  /// A file is being opened, and will play as soon as it is open.
  case preparingToPlay
  /// A file is being opened, and will then wait for its start instant.
  case preparingToCue
  /// A file is open at its beginning, its buffers primed.
  case prepared
  /// A file is open and waits for its start instant.
  case cued
  case playing
  /// Playback is held at its position.
  case paused
  /// Stopped at the item's beginning.
  case stopped
  /// The sound card was lost during playback, which resumes when the card is back.
  case interrupted

  package var name: StaticString {
    switch self {
    case .none: "none"
    case .preparing, .preparingToPlay, .preparingToCue: "preparing"
    case .prepared: "prepared"
    case .cued: "cued"
    case .playing: "playing"
    case .paused: "paused"
    case .stopped: "stopped"
    case .interrupted: "interrupted"
    }
  }

  /// Whether a file is being opened and nothing of it is heard yet.
  package var isPreparing: Bool {
    switch self {
    case .preparing, .preparingToPlay, .preparingToCue: true
    default: false
    }
  }

  /// Whether it plays, or would if the card were present or the file open.
  var wantsSound: Bool {
    switch self {
    case .playing, .interrupted, .preparingToPlay: true
    default: false
    }
  }

  /// Whether a file is heard or will be.
  var isHeard: Bool { wantsSound || self == .cued || self == .preparingToCue }

  /// All transitions; a signal that has no meaning in a state leaves it unchanged.
  func after(_ signal: PlayerSignal) -> PlayerState {
    switch (self, signal) {
    case (_, .open): .preparing
    case (_, .openToPlay): .preparingToPlay
    case (_, .openToCue): .preparingToCue

    case (.preparing, .opened): .prepared
    case (.preparingToPlay, .opened): .playing
    case (.preparingToCue, .opened): .cued
    case (_, .closed): .none

    case (.preparing, .play), (.preparingToCue, .play): .preparingToPlay
    case (.preparing, .cue), (.preparingToPlay, .cue): .preparingToCue
    case (.preparingToPlay, .pause), (.preparingToCue, .pause): .preparing
    case (.preparingToPlay, .stop), (.preparingToCue, .stop): .preparing

    case (.prepared, .play), (.paused, .play), (.stopped, .play), (.cued, .play): .playing
    case (.prepared, .cue), (.paused, .cue), (.stopped, .cue), (.playing, .cue), (.interrupted, .cue): .cued
    case (.cued, .started): .playing
    case (.playing, .pause), (.cued, .pause), (.interrupted, .pause): .paused
    case (.prepared, .stop), (.cued, .stop), (.playing, .stop), (.paused, .stop), (.interrupted, .stop): .stopped
    case (.playing, .ended): .stopped

    case (.playing, .speakerLost): .interrupted
    case (.interrupted, .speakerBack): .playing
    default: self
    }
  }
}

/// What moves the player from one state to another.
enum PlayerSignal: Sendable {
  case open
  case openToPlay
  /// A file is to be opened and to start at an instant.
  case openToCue
  case opened
  /// Nothing is open any more: after `dispose`, or because the file cannot be played.
  case closed
  /// `play`, or the button.
  case play
  /// `play at`.
  case cue
  /// The card was given the first frame of a cued start.
  case started
  /// `pause`, or the button `stop`.
  case pause
  case stop
  case ended
  case speakerLost
  case speakerBack
}

/// The player as of the last exchange with the card.
package struct PlayerStatus: BitwiseCopyable, Sendable {
  package var state: PlayerState
  /// The item that is open or being opened; nil if there is none.
  package var item: MediaItem?
  /// Nil until the file is open.
  package var properties: ItemProperties?
  package var reading: PacketReading
  package var positionSeconds: Double
  /// 0 while nothing is open.
  package var durationSeconds: Double
  /// 0.0…1.0.
  package var volume: Double
  /// 0.5…2.0, as set.
  package var rate: Double
  /// The section that is looped or being marked.
  package var section: SectionMarking
  /// The tone that is mixed in, including the standby tone; nil if there is none.
  package var tone: Tone?
  package var isStandby: Bool
  package var underrunCount: UInt64
  package var queueCount: Int
  /// The queue item that plays, or that is to play first.
  package var queueIndex: Int
  /// The instant that `play at` waits for; nil if it does not wait.
  package var cue: Instant?
  /// How late the last cued start was, by the card's own clock; nil before the first.
  package var startErrorNanoseconds: Int64?
  /// How late a synchronized stream is heard; nil while it is silent, and for everything else.
  package var lateNanoseconds: Int64?
}

/// An event that the player reports unprompted.
package enum PlayerEvent: BitwiseCopyable, Sendable {
  case stateChanged(PlayerState)
  /// This item was opened, or is heard from now on.
  case itemChanged(MediaItem)
  /// This item cannot be played; in a queue the next one replaces it.
  case itemRefused(MediaItem, DecoderRefusal)
  /// This item cannot be opened; in a queue the next one replaces it, unless there is no decoder.
  case itemUnreachable(MediaItem, DeviceFailure)
  /// The decoder's process crashed; it is restarted, and playback continues.
  case decoderCrashed(DeviceFailure)
  /// This item crashed the decoder again before it had played for 5 s.
  case itemGivenUp(MediaItem)
  /// A seek to this position of this item is taking long.
  case searching(MediaItem, seconds: Double)
  /// A change of a stream's connection, or its new title.
  case stream(FetchEvent)
  /// 0.0…1.0.
  case volumeChanged(Double)
  /// The sound card is not available.
  case speakerLost(DeviceFailure)
  case speakerBack
  /// The first frame of a cued start was heard, by the card's own clock.
  case started(asked: Instant, actual: Instant)

  /// Whether the event explains why a file is not open.
  package var isFailureToOpen: Bool {
    switch self {
    case .itemRefused, .itemUnreachable, .itemGivenUp: true
    default: false
    }
  }

  @export(interface)
  package var line: FixedText<384> {
    switch self {
    case .stateChanged(let state): return "player \(state.name)"
    case .itemChanged(let item): return "player item \(item.label)"
    case .itemRefused(let item, let refusal): return "\(item.shownPath) \(refusal.problem)"
    case .itemUnreachable(_, let failure): return FixedText(failure.line.bytes)
    case .decoderCrashed(let failure): return FixedText(failure.line.bytes)
    case .itemGivenUp(let item): return "\(item.shownPath) was skipped: it crashed the decoder again"
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
    case .connected(let contentType, _): return "stream connected: \(contentType)"
    case .ends: return ""
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

/// Why the player refuses a command. A refused command changes nothing.
package enum PlayerRefusal: Error, BitwiseCopyable, Equatable, Sendable {
  case nothingChosen
  case nothingOpen
  case nothingAfter
  case nothingBefore
  case noSuchItem(count: Int)
  case queueFull(capacity: Int)
  /// The decoder has not processed the previous orders: the card stalls.
  case decoderBusy
  case notInStreams
  case inSync
  case seekOutside(durationSeconds: Double)
  case sectionOutside(durationSeconds: Double)
  case rateOutside
  case volumeOutside
  case toneOutside
  case levelOutside
  case instantPassed
  case instantTooFar
  case metronomeRuns
  case filePlays
  case noMicrophone
  /// The microphone's sample rate would have to be converted.
  case otherRate(microphoneHz: UInt32, speakerHz: UInt32)

  @export(interface)
  package var line: FixedText<128> {
    switch self {
    case .nothingChosen: "there is nothing to play: choose a file with prepare FILE, or queue files"
    case .nothingOpen: "nothing is open: prepare a file first"
    case .nothingAfter: "there is nothing after the last item"
    case .nothingBefore: "there is nothing before the first item"
    case .noSuchItem(let count): "the queue has \(count: count, "item")"
    case .queueFull(let capacity): "the queue is full: it holds \(count: capacity, "item")"
    case .decoderBusy: "the decoder is busy: try again in a moment"
    case .notInStreams: "a stream has no positions to seek to"
    case .inSync: "the rate of a synchronised stream cannot be changed"
    case .seekOutside(let duration): "the position is between 0 and \(duration, decimals: 3) s"
    case .sectionOutside(let duration):
      "a section is between 0 and \(duration, decimals: 3) s, and not shorter than 0.05 s"
    case .rateOutside: "a rate is between 0.5 and 2.0"
    case .volumeOutside: "a volume is between 0.0 and 1.0"
    case .toneOutside: "a tone is between 20 and 20000 Hz, and below half the card's sample rate"
    case .levelOutside: "a level is between -120 and 0 dBFS"
    case .instantPassed: "that time has passed"
    case .metronomeRuns: "the metronome runs: end it with metronome off"
    case .filePlays: "a file plays: pause it first"
    case .noMicrophone: "the microphone is not open: arm the recorder first"
    case .otherRate(let microphone, let speaker):
      "the microphone runs at \(grouped: microphone) Hz and the speaker at \(grouped: speaker): set both to the same rate"
    case .instantTooFar: "that time is more than 24 hours ahead"
    }
  }
}
