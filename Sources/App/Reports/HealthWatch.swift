import Base
import Machine
import Playback
import Record
import Wire

/// Conditions that are seen only over time: counts that rise, and states that last.
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
  private(set) var silentReceiver = LastingState()
  private(set) var wildReceiver = RecentCount()
  private var delivery = LastingState()
  private var hasOpenTake = false
  private var heardSeconds = 0.0
  private var reading: Acceleration?

  mutating func follow(isDelivering: Bool, hasOpenTake: Bool, at now: Instant) {
    self.hasOpenTake = hasOpenTake
    delivery.follow(isDelivering, at: now)
  }

  mutating func follow(_ losses: CaptureLosses, dropped: UInt64, broken: UInt64, surplus: UInt64, at now: Instant) {
    // Losses while the devices start, before a take is open, are no fault.
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

  mutating func follow(_ receiver: ReceiverReport?, at now: Instant) {
    silentReceiver.follow(receiver.map { $0.state == .silent } ?? false, at: now)
    wildReceiver.follow(receiver?.complaintCount ?? 0, at: now)
  }

  mutating func follow(missedTicks: UInt64, hasButtonDown: Bool, at now: Instant) {
    self.missedTicks.follow(missedTicks, least: Limits.lateTicks, at: now)
    buttonDown.follow(hasButtonDown, at: now)
  }
}

/// A count, and whether it has risen within the last minute.
struct RecentCount {
  private var count: UInt64 = 0
  private var lastIncrease: Instant?

  /// Takes a new count; one that fell has started over.
  /// - Parameter least: a smaller increase since the last look does not count.
  mutating func follow(_ count: UInt64, least: UInt64 = 1, at now: Instant) {
    if count >= self.count + least { lastIncrease = now }
    self.count = count
  }

  /// Accepts a new count without treating its increase as a loss.
  mutating func forgive(_ count: UInt64) { self.count = count }

  func isRecent(at now: Instant) -> Bool {
    lastIncrease.map { now.distance(since: $0) < Limits.recentSeconds * 1_000_000_000 } ?? false
  }
}

/// How long a state has lasted.
struct LastingState {
  private var start: Instant?

  mutating func follow(_ holds: Bool, at now: Instant) { start = holds ? start ?? now : nil }

  func lasts(seconds: UInt64, at now: Instant) -> Bool {
    start.map { now.distance(since: $0) >= seconds * 1_000_000_000 } ?? false
  }
}

extension Acceleration {
  /// Whether the reading fits a device at rest or in a hand. A missing chip reads 0, and noise reads much more.
  fileprivate var isPlausible: Bool {
    let (x, y, z) = (Int64(xMilliGravity), Int64(yMilliGravity), Int64(zMilliGravity))
    let square = x * x + y * y + z * z
    return Limits.leastMilliGravity * Limits.leastMilliGravity <= square
      && square <= Limits.mostMilliGravity * Limits.mostMilliGravity
  }
}

extension Limits {
  /// How long `why` shows what went wrong: time enough to type it.
  static var recentSeconds: UInt64 { 60 }

  /// How long devices take to settle: buffers are mapped and written for the first time, and other programs start.
  static var startSeconds: UInt64 { 2 }

  /// The ticks missed between two looks, which are 20 ms apart, that make a look late: fewer do no harm.
  static var lateTicks: UInt64 { exchangeMilliseconds / 5 }

  /// The mean level above which a signal is noise: uniform noise at full scale has -4.8 dBFS, a sine at full scale -3,
  /// and music that was made as loud as possible -8.
  static var noiseDecibels: Double { -6 }

  /// How long the level must last: no applause lasts as long at that level.
  static var noiseSeconds: UInt64 { 10 }

  /// How long a button may be down: a long press takes 0.8 s.
  static var buttonDownSeconds: UInt64 { 10 }

  /// How long an accelerometer may read the same: its noise is several units, so of its readings, which are looked at
  /// every 20 ms, only a few in a row are equal.
  static var stillAccelerometerSeconds: UInt64 { 30 }

  /// How long an accelerometer may read implausible values: free fall and blows are shorter.
  static var wildAccelerometerSeconds: UInt64 { 3 }

  /// How long a receiver may be silent. It needs a few seconds to start.
  static var silentReceiverSeconds: UInt64 { 10 }

  /// The least plausible acceleration: 1,000 at rest. A chip that is not connected reads 0.
  static var leastMilliGravity: Int64 { 200 }

  /// The most plausible acceleration: chips are set to 2 g on each axis, which is 3,464 along the diagonal.
  static var mostMilliGravity: Int64 { 3_500 }

  /// How long a playing position may stand still: sound is heard every 20 ms, and a seek in a large file takes 1 s.
  static var playerStandsSeconds: UInt64 { 3 }
}
