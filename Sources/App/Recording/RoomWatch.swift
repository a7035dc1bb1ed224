import Base
import Record

/// How long the card lasts.
struct RoomEstimate: Equatable {
  var seconds: UInt64
  /// Whether at the rate of a take; otherwise of pictures with the most detail, so that it may last longer.
  var isMeasured: Bool
}

/// How long the card lasts at the rate at which the open take has grown; warns once at each of two lengths.
struct RoomWatch {
  /// At which the open take grows, or the last one that was measured did; nil before the first.
  private var bytesPerSecond: Double?
  /// Where the open file was at the beginning of the measurement; nil before it is open.
  private var firstPosition: TimelinePosition?
  private var firstByteCount: UInt64 = 0
  /// The length at which was warned last.
  private var warnedSeconds = UInt64.max

  /// A take begins.
  mutating func begin() {
    firstPosition = nil
    firstByteCount = 0
    warnedSeconds = .max
  }

  /// A file of the take has just been opened.
  mutating func measure(from progress: TakeProgress) {
    firstPosition = progress.confirmedPosition
    firstByteCount = progress.byteCount
  }

  /// - Parameter reserveByteCount: what stays free on the card.
  /// - Returns: how many seconds the card still lasts, when it is time for a warning.
  mutating func warning(from progress: TakeProgress, timelineRateHz: UInt32, reserveByteCount: UInt64) -> UInt64? {
    guard measureRate(progress, timelineRateHz), progress.freeByteCount > 0,
      let seconds = estimate(progress.freeByteCount, reserveByteCount: reserveByteCount, planned: nil)?.seconds
    else { return nil }
    let (first, last) = (Limits.roomWarningSeconds, Limits.lastRoomWarningSeconds)
    let limit = seconds < last ? last : first
    guard seconds < limit, limit < warnedSeconds else { return nil }
    warnedSeconds = limit
    return seconds
  }

  /// - Parameter planned: the rate to go by before the first take was measured; nil: then there is no estimate.
  func estimate(
    _ freeByteCount: UInt64, reserveByteCount: UInt64, planned: RecordingRate?
  ) -> RoomEstimate? {
    guard let rate = bytesPerSecond ?? planned?.bytesPerSecond, rate > 0 else { return nil }
    let usable = freeByteCount - min(freeByteCount, reserveByteCount)
    return RoomEstimate(
      seconds: UInt64(min(Double(usable) / rate, 1e9)), isMeasured: bytesPerSecond != nil || planned?.isExact == true)
  }

  /// - Returns: whether the open take has grown for long enough.
  private mutating func measureRate(_ progress: TakeProgress, _ timelineRateHz: UInt32) -> Bool {
    let byteCount = progress.byteCount
    // The next file is shorter until its opening has been reported.
    guard let firstPosition, byteCount > firstByteCount else { return false }
    let frames = progress.confirmedPosition.distance(since: firstPosition)
    let seconds = Double(frames) / Double(timelineRateHz)
    guard seconds >= Limits.roomMeasuringSeconds else { return false }
    bytesPerSecond = Double(byteCount - firstByteCount) / seconds
    return true
  }
}

/// What a take will need of the card.
struct RecordingRate {
  var bytesPerSecond: Double
  /// Whether it is certain, as for sound alone.
  var isExact: Bool

  /// - Returns: nil where nothing is recorded.
  init?(audio: AudioFormat?, video: VideoFormat?) {
    guard audio != nil || video != nil else { return nil }
    var rate = 0.0
    if let audio { rate += Double(Int(audio.sampleRateHz) * audio.bytesPerFrame) }
    if let video { rate += Double(MemoryPlan.averagePictureByteCount(video)) * video.frameRate.framesPerSecond }
    bytesPerSecond = rate
    isExact = video == nil
  }
}
