import Text

/// What is heard of a ``View``'s process.
public enum ViewWord: BitwiseCopyable, Sendable {
  /// Nothing that has not been heard before.
  case nothing
  /// A line for the person at the console, such as `display /dev/dri/card0: 1920 x 1080`.
  case line(FixedText<256>)
  /// No process runs any more: how the last one ended, as the end of a sentence: `ended by signal 9`.
  case ended(FixedText<64>)
}
