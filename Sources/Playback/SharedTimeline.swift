import Base

/// When each frame of shared sound is due, by the monotonic clock. Frames follow at exactly their rate, so whoever is
/// told the timeline knows the instant of each.
///
/// Listeners hear a frame later by the delay that their server sets for everyone.
package struct SharedTimeline: BitwiseCopyable, Equatable, Sendable {
  /// The instant of the ring's frame 0, which may precede anything shared.
  package let epoch: Instant
  private let sampleRateHz: UInt64

  /// - Parameters:
  ///   - first: the frame whose instant is `start`.
  ///   - sampleRateHz: 1 or more.
  init(first: TimelinePosition, at start: Instant, sampleRateHz: UInt32) {
    self.sampleRateHz = UInt64(max(1, sampleRateHz))
    epoch = start.earlier(by: Self.nanoseconds(first.rawValue, self.sampleRateHz))
  }

  func instant(of position: TimelinePosition) -> Instant {
    epoch + Self.nanoseconds(position.rawValue, sampleRateHz)
  }

  /// The frame that is due at an instant, rounded down; frame 0 before the epoch.
  func position(at instant: Instant) -> TimelinePosition {
    guard instant > epoch else { return 0 }
    let (seconds, rest) = (instant - epoch).quotientAndRemainder(dividingBy: 1_000_000_000)
    return TimelinePosition(seconds * sampleRateHz + rest * sampleRateHz / 1_000_000_000)
  }

  private static func nanoseconds(_ frames: UInt64, _ sampleRateHz: UInt64) -> UInt64 {
    let (seconds, rest) = frames.quotientAndRemainder(dividingBy: sampleRateHz)
    return seconds * 1_000_000_000 + rest * 1_000_000_000 / sampleRateHz
  }
}
