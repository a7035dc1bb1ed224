import Takes
import Values

/// How long the card lasts at the rate at which the open take has grown; warns once at each of two lengths.
struct RoomWatch {
  /// Where the open file was at the beginning of the measurement; nil before it is open.
  private var firstPosition: TimelinePosition?
  private var firstByteCount: UInt64 = 0
  /// The length at which was warned last.
  private var warnedSeconds = UInt64.max

  /// A file of the take has just been opened.
  mutating func measure(from progress: TakeProgress) {
    firstPosition = progress.confirmedPosition
    firstByteCount = progress.byteCount
  }

  /// - Parameter reserveByteCount: what stays free on the card.
  /// - Returns: how many seconds the card still lasts, when it is time for a warning.
  mutating func warning(from progress: TakeProgress, timelineRateHz: UInt32, reserveByteCount: UInt64) -> UInt64? {
    guard let seconds = secondsLeft(progress, timelineRateHz, reserveByteCount) else { return nil }
    let (first, last) = (Limits.roomWarningSeconds, Limits.lastRoomWarningSeconds)
    let limit = seconds < last ? last : first
    guard seconds < limit, limit < warnedSeconds else { return nil }
    warnedSeconds = limit
    return seconds
  }

  private func secondsLeft(_ progress: TakeProgress, _ timelineRateHz: UInt32, _ reserveByteCount: UInt64) -> UInt64? {
    let (byteCount, freeByteCount) = (progress.byteCount, progress.freeByteCount)
    // The next file is shorter until its opening has been reported. Nothing is free before the card was asked.
    guard let firstPosition, byteCount > firstByteCount, freeByteCount > 0 else { return nil }
    let frames = progress.confirmedPosition.distance(since: firstPosition)
    let seconds = Double(frames) / Double(timelineRateHz)
    guard seconds >= Limits.roomMeasuringSeconds else { return nil }
    let usable = freeByteCount - min(freeByteCount, reserveByteCount)
    return UInt64(min(Double(usable) * seconds / Double(byteCount - firstByteCount), 1e9))
  }
}
