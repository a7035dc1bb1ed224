import Formats

/// When a growing file gives way to the next one.
struct SplitRule {
  var maximumByteCount: UInt64
  var maximumFrames: UInt64
  /// A finished movie's tables take at most this much for each stretch it holds.
  private static var tableBytesPerStretch: UInt64 { 2_048 }

  /// A movie that has counted almost as far as it can has a minute to find a keyframe to end at.
  private static var keyframeSeconds: UInt64 { 60 }

  init(settings: WritingSettings, timelineRateHz: UInt32, layout: TakeLayout) {
    maximumByteCount = settings.splitByteCount == 0 ? .max : settings.splitByteCount
    maximumFrames = settings.splitSeconds == 0 ? .max : settings.splitSeconds * UInt64(timelineRateHz)
    switch layout {
    case .movie:
      maximumFrames = min(
        maximumFrames, MovieLimits.audioFramesPerMovie - Self.keyframeSeconds * UInt64(timelineRateHz))
    case .audio(let audio): maximumByteCount = min(maximumByteCount, audio.container.maximumDataByteCount)
    }
  }

  /// Whether as much as was at most between two places for a split might not fit any more.
  func isDue(byteCount: UInt64, largestSpanByteCount: UInt64, stretchCount: UInt32, frames: UInt64) -> Bool {
    let growth = growth(largestStretchByteCount: largestSpanByteCount, stretchCount: stretchCount)
    let (needed, isBeyond) = byteCount.addingReportingOverflow(growth)
    return frames >= maximumFrames || isBeyond || needed > maximumByteCount
  }

  /// Bytes that another stretch, somewhat larger than the largest so far, and the tables of a finished movie take.
  func growth(largestStretchByteCount: UInt64, stretchCount: UInt32) -> UInt64 {
    let tables = UInt64(stretchCount + 1) * Self.tableBytesPerStretch
    return largestStretchByteCount + largestStretchByteCount / 4 + tables
  }
}
