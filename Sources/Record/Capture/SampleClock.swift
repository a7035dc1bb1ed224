import Base

/// The recording's timebase: which audio sample frame was taken at which instant.
///
/// A take is timed by the sound card's crystal, while the camera's timestamps are on the monotonic clock. This type
/// links the two: a Kalman filter (R. E. Kálmán, 1960) of the card's position and rate over its own (position, instant)
/// pairs. It starts from the known tolerance of crystals, so it is at once as accurate as the first reading, averages
/// out the jitter of readings, and follows the drift of a crystal that warms up. Without a microphone it runs at the
/// nominal rate.
package struct SampleClock: Sendable {
  private let nominalFramesPerNanosecond: Double
  private var framesPerNanosecond: Double
  /// The pair from which all positions are computed.
  private var origin: Instant
  private var originPosition: Double
  private var hasObserved = false
  /// Frames by which the card has run steadily ahead of time, as happens when it delivers frames twice.
  private(set) var surplusFrameCount: UInt64 = 0
  /// Consecutive readings that are far off by the same time; nil if the last one was not.
  private var doubt: Doubt?
  /// The covariance of position, in seconds, and rate, as a fraction of the nominal rate.
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

  /// The deviation of the card's clock from the monotonic one, in parts per million; positive if it runs fast.
  package var driftPartsPerMillion: Double { (framesPerNanosecond / nominalFramesPerNanosecond - 1) * 1e6 }

  /// A reading this many frames off is not jitter.
  var jumpFrameCount: Int { Int(nominalFramesPerNanosecond * 1e9 * Self.jumpSeconds) }

  /// The sample frame that was being taken at an instant shortly before or after the newest observation; 0 before the
  /// first frame.
  package func position(at instant: Instant) -> TimelinePosition {
    TimelinePosition(UInt64(max(0, exactPosition(at: instant).rounded())))
  }

  /// Takes a reading: the card had sampled all frames before `position` at `instant`. A reading that is far off is not
  /// trusted until several in a row agree.
  /// - Returns: how many frames the card has lost without reporting it, to be replaced by silence; mostly 0.
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
  /// delivered more than the time that passed, and the timeline continues from there.
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

  /// The deviation of a single reading: the loop may wake late, and a driver may report its position in steps.
  private static let jitterVariance = 3e-3 * 3e-3
  /// Crystals are accurate to 50 parts per million; cheap ones are off by twice that.
  private static let firstRateVariance = 100e-6 * 100e-6
  /// How fast a crystal's rate drifts: a tenth of a part per million per second, for one that is warming up.
  private static let rateWander = 0.1e-6 * 0.1e-6
  /// No crystal is this far off; a larger drift comes from faulty readings.
  private static let maximumDrift = 1000e-6
  /// A reading this far from the prediction is not jitter: five times the deviation, and half as much again as the 10
  /// ms by which cards that report whole periods are late.
  private static let jumpSeconds = 0.015
  /// Readings this close to each other agree.
  private static let agreementSeconds = 0.005
  /// This many readings that agree are trusted: a sixth of a second, at one in 20 ms.
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

  func exactPosition(at instant: Instant) -> Double {
    originPosition + Double(origin.distance(to: instant)) * framesPerNanosecond
  }

  /// Restarts from this reading, keeping the estimated rate.
  private mutating func restart(position: TimelinePosition, at instant: Instant) {
    originPosition = Double(position.rawValue)
    origin = instant
    hasObserved = true
    positionVariance = Self.jitterVariance
    positionRateCovariance = 0
  }
}
