import Base

/// The recording's timebase: which audio sample frame was taken at which instant.
///
/// The sound card's crystal is the clock that a take is timed by; the camera's timestamps are of the monotonic clock.
/// This is the bridge between them: a Kalman filter (R. E. Kálmán, 1960) of the card's position and rate over its own
/// (position, instant) pairs. It starts from what is known of crystals, so that it is as accurate as the first reading
/// at once, averages out the jitter of readings, and follows the drift of a crystal that warms up. Without a microphone
/// it runs at the nominal rate.
package struct SampleClock: Sendable {
  private let nominalFramesPerNanosecond: Double
  private var framesPerNanosecond: Double
  /// The pair from which all positions are computed.
  private var origin: Instant
  private var originPosition: Double
  private var hasObserved = false
  /// Frames by which the card has run further and further ahead of time, as one does that delivers them twice.
  private(set) var surplusFrameCount: UInt64 = 0
  /// Readings in a row that are far off by the same time; nil when the last one was not.
  private var doubt: Doubt?
  /// The covariance of position, in seconds, and rate, as a part of the nominal one.
  private var positionVariance = 0.0
  private var positionRateCovariance = 0.0
  private var rateVariance = Self.firstRateVariance

  private struct Doubt {
    var errorSeconds: Double
    var count = 0
  }

  /// - Parameters:
  ///   - position: the frame that is sampled at `now`, where a timeline continues.
  ///   - now: an instant of the monotonic clock.
  package init(sampleRateHz: UInt32, position: TimelinePosition = 0, at now: Instant) {
    nominalFramesPerNanosecond = Double(sampleRateHz) / 1e9
    framesPerNanosecond = nominalFramesPerNanosecond
    origin = now
    originPosition = Double(position.rawValue)
  }

  /// How far the card's clock is from the monotonic one, in parts per million; positive when it runs fast.
  package var driftPartsPerMillion: Double { (framesPerNanosecond / nominalFramesPerNanosecond - 1) * 1e6 }

  /// So many frames off, a reading is no jitter.
  var jumpFrameCount: Int { Int(nominalFramesPerNanosecond * 1e9 * Self.jumpSeconds) }

  /// The sample frame that was being taken at an instant, a little before or after the newest observation; 0 for
  /// instants before the first frame.
  package func position(at instant: Instant) -> TimelinePosition {
    TimelinePosition(UInt64(max(0, exactPosition(at: instant).rounded())))
  }

  /// Takes a reading: the card had sampled all frames before `position` at `instant`. One that is far off is not
  /// believed before several in a row agree on it.
  /// - Returns: how many frames the card has lost without reporting it, and that silence is to stand for; mostly 0.
  package mutating func observe(position: TimelinePosition, at instant: Instant) -> Int {
    guard hasObserved else {
      restart(position: position, at: instant)
      return 0
    }
    guard instant > origin else { return 0 }
    let seconds = Double(instant - origin) / 1e9
    let predicted = exactPosition(at: instant)
    let errorSeconds = (Double(position.rawValue) - predicted) / (nominalFramesPerNanosecond * 1e9)
    guard errorSeconds.magnitude < Self.jumpSeconds else {
      return judge(errorSeconds, position: position, at: instant)
    }
    doubt = nil
    predictVariance(after: seconds)
    let (positionGain, rateGain) = takeGains()
    originPosition = predicted + positionGain * errorSeconds * nominalFramesPerNanosecond * 1e9
    origin = instant
    framesPerNanosecond = clamped(framesPerNanosecond + rateGain * errorSeconds * nominalFramesPerNanosecond)
    return 0
  }

  /// A card that falls further and further behind is about to deliver what it holds back; one that stays behind by the
  /// same time has lost that much. The timeline never steps back: silence fills the gap. A card that is ahead has
  /// delivered more than time has passed, and the timeline goes on from there.
  private mutating func judge(_ errorSeconds: Double, position: TimelinePosition, at instant: Instant) -> Int {
    var doubt = doubt ?? Doubt(errorSeconds: errorSeconds)
    if (doubt.errorSeconds - errorSeconds).magnitude > Self.agreementSeconds {
      let surplusSeconds = max(errorSeconds - max(doubt.errorSeconds, 0), 0)
      surplusFrameCount += UInt64(surplusSeconds * nominalFramesPerNanosecond * 1e9)
      doubt = Doubt(errorSeconds: errorSeconds)
    }
    doubt.count += 1
    self.doubt = doubt
    guard doubt.count >= Self.readingsToBelieve else { return 0 }
    self.doubt = nil
    guard errorSeconds > 0 else { return Int((-errorSeconds * nominalFramesPerNanosecond * 1e9).rounded()) }
    restart(position: position, at: instant)
    return 0
  }

  /// The deviation of a single reading: a loop that wakes up late, and a driver that reports its position in steps.
  private static let jitterVariance = 3e-3 * 3e-3
  /// Crystals are made to within 50 parts per million; cheap ones are off by twice that.
  private static let firstRateVariance = 100e-6 * 100e-6
  /// How fast a crystal's rate wanders: a tenth of a part per million in a second, which is one being heated.
  private static let rateWander = 0.1e-6 * 0.1e-6
  /// No crystal is this far off; a larger drift comes from broken readings.
  private static let maximumDrift = 1000e-6
  /// A reading this far from the prediction is no jitter: five times the deviation, and half again as much as the 10 ms
  /// by which cards that report whole periods are late.
  private static let jumpSeconds = 0.015
  /// Readings that are this close to each other say the same.
  private static let agreementSeconds = 0.005
  /// So many readings that agree are believed: a sixth of a second of them, at one in 20 ms.
  private static let readingsToBelieve = 8

  private mutating func predictVariance(after seconds: Double) {
    positionVariance += (2 * positionRateCovariance + rateVariance * seconds) * seconds
    positionRateCovariance += rateVariance * seconds
    rateVariance += Self.rateWander * seconds
  }

  /// The Kalman gains; updates the variances.
  private mutating func takeGains() -> (position: Double, rate: Double) {
    let positionGain = positionVariance / (positionVariance + Self.jitterVariance)
    let rateGain = positionRateCovariance / (positionVariance + Self.jitterVariance)
    rateVariance -= rateGain * positionRateCovariance
    positionVariance *= 1 - positionGain
    positionRateCovariance *= 1 - positionGain
    return (positionGain, rateGain)
  }

  private func clamped(_ rate: Double) -> Double {
    let lowest = nominalFramesPerNanosecond * (1 - Self.maximumDrift)
    let highest = nominalFramesPerNanosecond * (1 + Self.maximumDrift)
    return min(max(rate, lowest), highest)
  }

  private func exactPosition(at instant: Instant) -> Double {
    originPosition + Double(origin.distance(to: instant)) * framesPerNanosecond
  }

  /// Keeps the estimated rate.
  private mutating func restart(position: TimelinePosition, at instant: Instant) {
    originPosition = Double(position.rawValue)
    origin = instant
    hasObserved = true
    positionVariance = Self.jitterVariance
    positionRateCovariance = 0
  }
}
