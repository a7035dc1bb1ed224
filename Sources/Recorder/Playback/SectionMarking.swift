import Decoding

/// How far a listener has come in marking a section.
public enum SectionMarking: BitwiseCopyable, Equatable, Sendable {
  /// No section: the item goes on to its end.
  case off
  /// One end was marked, at this place of the item.
  case begun(seconds: Double)
  /// The section is played over and over.
  case looping(PlaybackSection)
}
