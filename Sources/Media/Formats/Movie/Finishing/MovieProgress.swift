/// What a ``MovieFinisher`` says after a step.
public enum MovieProgress: Equatable, Sendable {
  case working
  /// The file is an ordinary movie now.
  case finished
  /// It was one before; nothing was written.
  case alreadyFinished
  /// There is no complete fragment; nothing was written.
  case empty
  /// The file is not one that ``MovieDescription`` began, or its header never became whole; nothing was written.
  case foreign
  /// More samples than an ordinary movie can count (``MovieLimits/audioFramesPerMovie``); it stays in fragments, and
  /// nothing was written.
  case tooLong
}
