import Configuration
import Media

struct SplitRule {
  var maximumByteCount: UInt64
  var maximumFrames: UInt64
  /// The most bytes that the tables of a finished movie take for each fragment.
  private static var tableBytesPerFragment: UInt64 { 2_048 }

  /// A movie close to the largest count of frames has a minute to find a keyframe at which to end.
  private static var keyframeSeconds: UInt64 { 60 }

  init(_ split: SplitSettings, timelineRateHz: UInt32, layout: TakeLayout) {
    maximumByteCount = split.byteCount == 0 ? .max : split.byteCount
    maximumFrames = split.seconds == 0 ? .max : UInt64(split.seconds) * UInt64(timelineRateHz)
    switch layout {
    case .movie:
      maximumFrames = min(
        maximumFrames, MovieLimits.audioFramesPerMovie - Self.keyframeSeconds * UInt64(timelineRateHz))
    case .audio(let audio): maximumByteCount = min(maximumByteCount, audio.container.maximumDataByteCount)
    }
  }

  /// Whether the next span between two possible splits, as large as the largest so far, might not fit.
  func isDue(byteCount: UInt64, largestSpanByteCount: UInt64, fragmentCount: UInt32, frames: UInt64) -> Bool {
    let growth = growth(largestFragmentByteCount: largestSpanByteCount, fragmentCount: fragmentCount)
    let (needed, isBeyond) = byteCount.addingReportingOverflow(growth)
    return frames >= maximumFrames || isBeyond || needed > maximumByteCount
  }

  /// Bytes of another fragment, a quarter larger than the largest so far, and of the tables of a finished movie.
  func growth(largestFragmentByteCount: UInt64, fragmentCount: UInt32) -> UInt64 {
    let tables = UInt64(fragmentCount + 1) * Self.tableBytesPerFragment
    return largestFragmentByteCount + largestFragmentByteCount / 4 + tables
  }
}
