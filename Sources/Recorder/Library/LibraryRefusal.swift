import Text

/// Why the library has no answer.
public enum LibraryRefusal: Error, BitwiseCopyable, Equatable, Sendable {
  /// There is nothing at this path.
  case absent(FixedText<256>)
  /// What lies at this path cannot be looked at.
  case unreadable(FixedText<256>)
  /// The path of a folder, where a file is wanted.
  case folder(FixedText<256>)
  /// No file in this folder is of a kind that can be played.
  case nothingToPlay(FixedText<256>)
  /// The words name nothing.
  case noName
  /// The words are no list of words.
  case words(QuotedWords.Problem)
  /// A path with characters that belong into no line, or with bytes that are no UTF-8.
  case unprintable
  /// No artist's name holds this text.
  case noArtist(FixedText<128>)
  /// No take has been recorded and completed.
  case noTake
  /// No file that can be played comes behind this one; an empty path: there is none at all.
  case nothingFollows(FixedText<256>)

  /// The reason as one line, without `error:` in front.
  public var line: FixedText<384> {
    switch self {
    case .absent(let path): "\(path) is not there"
    case .unreadable(let path): "\(path) cannot be read: check the card and its file system"
    case .folder(let path): "\(path) is a folder: name a file"
    case .nothingToPlay(let path): "\(path) holds no file that can be played"
    case .noName: "no file is named"
    case .words(.unclosedQuote): "a quote is not closed"
    case .words(.wordTooLong): "a path is longer than 256 bytes"
    case .unprintable: "the path is no plain text"
    case .noArtist(let artist): "no artist is called \"\(artist)\""
    case .noTake: "there is no complete take"
    case .nothingFollows(let path) where path.isEmpty: "there is no file that can be played"
    case .nothingFollows(let path): "nothing that can be played follows \(path)"
    }
  }
}
