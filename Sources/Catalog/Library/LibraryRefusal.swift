import Base
import Wire

/// Why the library has no answer.
package enum LibraryRefusal: Error, BitwiseCopyable, Equatable, Sendable {
  /// Nothing is at this path.
  case absent(FixedText<256>)
  /// What is at this path cannot be read.
  case unreadable(FixedText<256>)
  /// The path of a folder, where a file is wanted.
  case folder(FixedText<256>)
  /// This folder holds no playable file.
  case nothingToPlay(FixedText<256>)
  /// No file is named.
  case noName
  /// The words cannot be split.
  case words(QuotedWords.Problem)
  /// A path with control characters, or that is not UTF-8.
  case unprintable
  /// A number names a file of the last list, or a take, and there is neither.
  case noTakeNumber(UInt32)
  /// A number beyond the last list.
  case notListed(UInt32, count: UInt32)
  /// The file of this number is not there any more.
  case listedIsGone(UInt32)
  /// A file without lyrics, as far as is known.
  case noLyrics(FixedText<256>)
  /// A file without a picture that can be drawn.
  case noArtwork(FixedText<256>)
  /// A file out of which nothing can be taken.
  case refused(FixedText<256>, DecoderRefusal)
  /// The decoder cannot be started.
  case noDecoder
  /// No artist's name contains this text.
  case noArtist(FixedText<128>)
  /// There is no complete take.
  case noTake
  /// No playable file follows this one; an empty path: there is none at all.
  case nothingFollows(FixedText<256>)

  /// The reason as one line, without `error:` in front.
  package var line: FixedText<384> {
    switch self {
    case .absent(let path): "\(path) does not exist"
    case .unreadable(let path): "\(path) cannot be read: check the card and its file system"
    case .folder(let path): "\(path) is a folder: name a file"
    case .nothingToPlay(let path): "\(path) has no playable file"
    case .noName: "name a file"
    case .words(.unclosedQuote): "a quote is not closed"
    case .words(.wordTooLong): "a path is longer than 256 bytes"
    case .unprintable: "the path is not plain text"
    case .noTakeNumber(let number): "there is no take \(number): takes lists them, and list all files"
    case .notListed(let number, let count): "the last list has no number \(number): it has \(count)"
    case .listedIsGone(let number): "number \(number) of the last list is not there any more: list again"
    case .noLyrics(let path): "\(path) has no lyrics"
    case .noArtwork(let path): "\(path) has no JPEG or PNG picture"
    case .refused(let path, let refusal): "\(path) \(refusal.problem)"
    case .noDecoder: "the decoder cannot be started: install fieldcorder-decode beside fieldcorder"
    case .noArtist(let artist): "no artist is called \"\(artist)\""
    case .noTake: "there is no complete take"
    case .nothingFollows(let path) where path.isEmpty: "there is no playable file"
    case .nothingFollows(let path): "nothing playable follows \(path)"
    }
  }
}
