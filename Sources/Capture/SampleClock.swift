/// The recording's timebase: which audio sample frame was taken at which instant.
///
/// The sound card's crystal is the clock that a take is timed by; the camera's timestamps are of the monotonic clock.
/// This is the bridge between them: a second-order delay-locked loop over the card's own (position, instant) pairs,
/// which follows a drift of hundreds of ppm and averages the jitter of single readings away (F. Adriaensen, "Using a
/// DLL to filter time", 2005). Without a microphone it runs at the nominal rate.
public struct SampleClock: Sendable {
  private let nominalFramesPerNanosecond: Double
  private var framesPerNanosecond: Double
  /// The pair that everything is reckoned from.
  private var originNanoseconds: UInt64
  private var originPosition: Double
  private var observedSeconds = 0.0

  /// - Parameters:
  ///   - position: the frame that is sampled at `now`, where a timeline goes on.
  ///   - now: an instant of the monotonic clock.
  public init(sampleRateHz: UInt32, position: UInt64 = 0, atNanoseconds now: UInt64) {
    nominalFramesPerNanosecond = Double(sampleRateHz) / 1e9
    framesPerNanosecond = nominalFramesPerNanosecond
    originNanoseconds = now
    originPosition = Double(position)
  }

  /// How far the card's clock is from the monotonic one, in parts per million; positive when it runs fast.
  public var driftPartsPerMillion: Double { (framesPerNanosecond / nominalFramesPerNanosecond - 1) * 1e6 }

  /// The sample frame that was being taken at an instant, a little before or after the newest observation; 0 for
  /// instants before the first frame.
  public func position(atNanoseconds instant: UInt64) -> UInt64 {
    UInt64(max(0, exactPosition(atNanoseconds: instant).rounded()))
  }

  /// Takes in that the card had sampled all frames before `position` at `instant`.
  public mutating func observe(position: UInt64, atNanoseconds instant: UInt64) {
    guard instant > originNanoseconds else { return restartIfFirst(position: position, atNanoseconds: instant) }
    let seconds = Double(instant - originNanoseconds) / 1e9
    let predicted = exactPosition(atNanoseconds: instant)
    let error = Double(position) - predicted
    guard observedSeconds > 0, error.magnitude < nominalFramesPerNanosecond * Self.jumpNanoseconds else {
      return restart(position: position, atNanoseconds: instant)
    }
    observedSeconds += seconds
    let angle = min(2 * Double.pi * bandwidthHertz * seconds, 1)
    originPosition = predicted + 2.0.squareRoot() * angle * error
    originNanoseconds = instant
    framesPerNanosecond = clamped(framesPerNanosecond + angle * angle * error / (seconds * 1e9))
  }

  /// Wide at first, to find the card's rate within the first seconds; narrow afterwards, to be calm.
  private var bandwidthHertz: Double { max(0.05, min(1, 2 / max(observedSeconds, 1))) }

  /// No crystal is this far off: what exceeds it is a broken reading.
  private static let maximumDrift = 1000e-6
  /// A reading this far from the prediction is a new start, not jitter.
  private static let jumpNanoseconds = 100e6

  private func clamped(_ rate: Double) -> Double {
    let lowest = nominalFramesPerNanosecond * (1 - Self.maximumDrift)
    let highest = nominalFramesPerNanosecond * (1 + Self.maximumDrift)
    return min(max(rate, lowest), highest)
  }

  private func exactPosition(atNanoseconds instant: UInt64) -> Double {
    let nanoseconds = Double(Int64(bitPattern: instant &- originNanoseconds))
    return originPosition + nanoseconds * framesPerNanosecond
  }

  private mutating func restartIfFirst(position: UInt64, atNanoseconds instant: UInt64) {
    if observedSeconds == 0 { restart(position: position, atNanoseconds: instant) }
  }

  private mutating func restart(position: UInt64, atNanoseconds instant: UInt64) {
    originPosition = Double(position)
    originNanoseconds = instant
    observedSeconds = .leastNormalMagnitude
  }
}
