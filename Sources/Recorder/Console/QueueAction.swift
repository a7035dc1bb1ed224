import Text

/// What `queue` is to do.
public enum QueueAction: Equatable, Sendable {
  /// Tells what is queued.
  case show
  /// Takes everything out of the queue.
  case clear
  /// Appends the files and folders that are named: words as they were written, to be parted by ``Text/QuotedWords``.
  case files(FixedText<256>)
  /// Appends what the library has by an artist.
  case artist(FixedText<128>)
}
