import Base
import Playback
import Record

/// What is seen only by looking again and again: counts that go up, and what stays as it is.
struct HealthWatch: ~Copyable {
  private let place = StaysInPlace()
  private(set) var skippedPictures = RecentCount()
  private(set) var droppedPictures = RecentCount()
  private(set) var brokenPictures = RecentCount()
  private(set) var lostSound = RecentCount()
  private(set) var surplusSound = RecentCount()
  private(set) var missedTicks = RecentCount()
  private(set) var underruns = RecentCount()
  private(set) var loudSound = LastingState()
  private(set) var playerStands = LastingState()
  private(set) var buttonDown = LastingState()
  private(set) var stillAccelerometer = LastingState()
  private(set) var wildAccelerometer = LastingState()
  private var delivery = LastingState()
  private var hasOpenTake = false
  private var heardSeconds = 0.0
  private var reading: Acceleration?

  mutating func follow(isDelivering: Bool, hasOpenTake: Bool, at now: Instant) {
    self.hasOpenTake = hasOpenTake
    delivery.follow(isDelivering, at: now)
  }

  mutating func follow(_ losses: CaptureLosses, dropped: UInt64, broken: UInt64, surplus: UInt64, at now: Instant) {
    // What is lost while the devices start, and no take has, is no fault.
    if !hasOpenTake, !delivery.lasts(seconds: Limits.startSeconds, at: now) {
      skippedPictures.forgive(losses.pictureCount)
      lostSound.forgive(losses.overrunCount)
    }
    skippedPictures.follow(losses.pictureCount, at: now)
    lostSound.follow(losses.overrunCount, at: now)
    droppedPictures.follow(dropped, at: now)
    brokenPictures.follow(broken, at: now)
    surplusSound.follow(surplus, at: now)
  }

  mutating func follow(_ levels: SoundLevels, at now: Instant) {
    var isLoud = levels.channelCount > 0
    for channel in 0..<levels.channelCount where SoundLevels.decibels(levels[channel].rms) < Limits.noiseDecibels {
      isLoud = false
    }
    loudSound.follow(isLoud, at: now)
  }

  mutating func follow(_ player: borrowing Player, at now: Instant) {
    underruns.follow(player.underrunCount, at: now)
    playerStands.follow(player.state == .playing && player.heardSeconds == heardSeconds, at: now)
    heardSeconds = player.heardSeconds
  }

  mutating func follow(_ reading: Acceleration?, at now: Instant) {
    stillAccelerometer.follow(reading != nil && reading == self.reading, at: now)
    wildAccelerometer.follow(reading.map { !$0.isPlausible } ?? false, at: now)
    self.reading = reading
  }

  mutating func follow(missedTicks: UInt64, hasButtonDown: Bool, at now: Instant) {
    self.missedTicks.follow(missedTicks, least: Limits.lateTicks, at: now)
    buttonDown.follow(hasButtonDown, at: now)
  }
}

/// A count, and whether it has gone up within the last minute.
struct RecentCount {
  private var count: UInt64 = 0
  private var lastIncrease: Instant?

  /// One that goes down has started over.
  /// - Parameter least: a smaller increase since the look before is none.
  mutating func follow(_ count: UInt64, least: UInt64 = 1, at now: Instant) {
    if count >= self.count + least { lastIncrease = now }
    self.count = count
  }

  /// Takes a count for what it was at the look before.
  mutating func forgive(_ count: UInt64) { self.count = count }

  func isRecent(at now: Instant) -> Bool {
    lastIncrease.map { now.distance(since: $0) < Limits.recentSeconds * 1_000_000_000 } ?? false
  }
}

/// For how long something has been so.
struct LastingState {
  private var start: Instant?

  mutating func follow(_ holds: Bool, at now: Instant) { start = holds ? start ?? now : nil }

  func lasts(seconds: UInt64, at now: Instant) -> Bool {
    start.map { now.distance(since: $0) >= seconds * 1_000_000_000 } ?? false
  }
}

extension Acceleration {
  /// Whether the device can be at rest or in a hand. A chip that is not there reads 0, and noise reads much more.
  fileprivate var isPlausible: Bool {
    let (x, y, z) = (Int64(xMilliGravity), Int64(yMilliGravity), Int64(zMilliGravity))
    let square = x * x + y * y + z * z
    return Limits.leastMilliGravity * Limits.leastMilliGravity <= square
      && square <= Limits.mostMilliGravity * Limits.mostMilliGravity
  }
}

extension Limits {
  /// How long `why` shows what went wrong: time to type it.
  static var recentSeconds: UInt64 { 60 }

  /// How long devices take to settle: buffers are mapped and written for the first time, and other programs start.
  static var startSeconds: UInt64 { 2 }

  /// So many ticks missed from one look to the next, of 20 ms, are a look that came too late: fewer harm nothing.
  static var lateTicks: UInt64 { exchangeMilliseconds / 5 }

  /// The mean level of what is not sound: noise of all values has -4.8 dBFS, a sine at full scale -3, and music that
  /// was made as loud as can be -8.
  static var noiseDecibels: Double { -6 }

  /// No applause lasts as long at that level.
  static var noiseSeconds: UInt64 { 10 }

  /// Nobody holds a button for longer: a long press takes 0.8 s.
  static var buttonDownSeconds: UInt64 { 10 }

  /// An accelerometer's noise is several of its units: it reads the same a few times at most, and once in 20 ms.
  static var stillAccelerometerSeconds: UInt64 { 30 }

  /// Free fall and blows are shorter.
  static var wildAccelerometerSeconds: UInt64 { 3 }

  /// At rest 1,000 are felt. A chip that is not connected reads none.
  static var leastMilliGravity: Int64 { 200 }

  /// Chips are set to 2 g on each axis, which is 3,464 along the diagonal.
  static var mostMilliGravity: Int64 { 3_500 }

  /// What plays is heard each 20 ms, and a seek in a large file takes a second.
  static var playerStandsSeconds: UInt64 { 3 }
}
