/// A parser of the recorder's own process that reads bytes from outside.
enum FuzzTarget: String, CaseIterable {
  case console, configuration, identity, journal, movie, audio, dates, jpeg, decoder, copied, snapcast, receiver

  /// Runs the production code with one input. It must not trap, hang, or violate the parser's guarantees.
  func run(_ input: UnsafeRawBufferPointer) {
    switch self {
    case .console: fuzzConsole(input)
    case .configuration: fuzzConfiguration(input)
    case .identity: fuzzIdentity(input)
    case .journal: fuzzJournal(input)
    case .movie: fuzzMovie(input)
    case .audio: fuzzAudio(input)
    case .dates: fuzzDates(input)
    case .jpeg: fuzzJPEG(input)
    case .decoder: fuzzDecoder(input)
    case .copied: fuzzCopied(input)
    case .snapcast: fuzzSnapcast(input)
    case .receiver: fuzzReceiver(input)
    }
  }
}

/// The choices that precede an input's content: integers from its last bytes, so that any file of the parser's format
/// is a valid input.
struct FuzzChoices {
  private(set) var content: UnsafeRawBufferPointer

  init(_ input: UnsafeRawBufferPointer) { content = input }

  /// The next choice; 0 if the input is used up.
  mutating func next() -> UInt64 {
    guard let last = content.last else { return 0 }
    content = UnsafeRawBufferPointer(rebasing: content.dropLast())
    return UInt64(last)
  }
}
