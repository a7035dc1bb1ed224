import Wire

/// The section loop: off, being marked, or on.
package enum SectionMarking: BitwiseCopyable, Equatable, Sendable {
  /// No loop: the item plays to its end.
  case off
  /// One end is marked, at this position of the item.
  case begun(seconds: Double)
  /// The section repeats.
  case looping(PlaybackSection)

  /// The section that repeats; nil when none does.
  var section: PlaybackSection? { if case .looping(let section) = self { section } else { nil } }
}

extension PlaybackSection {
  /// Whether it is a section of an item this long, and not too short to loop.
  func isValid(durationSeconds: Double) -> Bool {
    startSeconds >= 0 && endSeconds - startSeconds >= PlaybackLimits.shortestSectionSeconds
      && endSeconds <= durationSeconds
  }
}
