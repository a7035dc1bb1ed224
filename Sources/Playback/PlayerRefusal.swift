import Base

/// Why the player refuses a command. Nothing has changed.
package enum PlayerRefusal: Error, BitwiseCopyable, Equatable, Sendable {
  /// There is no file to play: none was chosen, and none is queued.
  case nothingChosen
  /// The command needs an open file.
  case nothingOpen
  /// The queue ends here.
  case nothingAfter
  /// The queue begins here.
  case nothingBefore
  /// The queue, which has this many items, has none of that number.
  case noSuchItem(count: Int)
  /// The queue is full.
  case queueFull(capacity: Int)
  /// The decoder has not followed the previous orders: the card stalls.
  case decoderBusy
  /// A stream has no positions.
  case notInStreams
  /// What is kept in sync with other players is as fast as there.
  case inSync
  /// Positions are between 0 and the item's duration.
  case seekOutside(durationSeconds: Double)
  /// A section begins at 0 or later, ends within the item, and is not shorter than 50 ms.
  case sectionOutside(durationSeconds: Double)
  /// Rates are 0.5…2.0.
  case rateOutside
  /// Volumes are 0.0…1.0.
  case volumeOutside
  /// Tones are 20…20,000 Hz, and below half the card's rate.
  case toneOutside
  /// Levels are -120…0 dBFS.
  case levelOutside
  /// That instant has passed.
  case instantPassed
  /// That instant is more than 24 hours ahead.
  case instantTooFar
  /// The metronome runs, and files are not mixed with it.
  case metronomeRuns
  /// A file plays, or is about to.
  case filePlays
  /// The microphone is closed.
  case noMicrophone
  /// What the microphone delivers would have to be converted.
  case otherRate(microphoneHz: UInt32, speakerHz: UInt32)

  /// The reason for the console.
  package var line: FixedText<128> {
    switch self {
    case .nothingChosen: "there is nothing to play: choose a file with prepare FILE, or queue files"
    case .nothingOpen: "nothing is open: prepare a file first"
    case .nothingAfter: "there is nothing after the last item"
    case .nothingBefore: "there is nothing before the first item"
    case .noSuchItem(let count): "the queue has \(count) items"
    case .queueFull(let capacity): "the queue is full: it holds \(capacity) items"
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
