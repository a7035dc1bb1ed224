import Base
import Configuration
import Console
import Machine
import Media
import Record

extension RecordingService {
  /// Whether something is wrong that somebody should see at once, although a take may continue.
  var hasAlarm: Bool {
    growth?.hasStopped == true || soundTrouble != nil || pictureTrouble != nil || hasFallenBack
      || isPowerFailing || heat.level == .hot || heat.isUnderVoltage || battery.level != .good
  }

  /// Whether no take begins by itself for lack of power.
  var lacksPower: Bool { isPowerFailing || battery.level == .empty }

  /// At each exchange: reports when the open take stops growing, and when it resumes. A take that is ending is exempt.
  mutating func watchGrowth(_ console: inout ConsoleSession, at now: Instant) {
    guard hasOpenTake else { return growth = nil }
    guard isTakeOpen || growth?.hasStopped == true else { return }
    let milliseconds = UInt64(settings.record.fragmentMilliseconds) + TakeLimits.latePictureMilliseconds
    let arrived = arrivedPosition
    let change = growth?.look(
      confirmed: progress.confirmedPosition, arrived: arrived,
      fragmentFrames: UInt64(capture.timelineRateHz) * milliseconds / 1000, at: now)
    switch change {
    case nil: break
    case .goesOn:
      console.announce("the take grows again")
      ledger.note("stall over: the card answers again", at: capture.position(at: now))
    case .stopped(let nanoseconds):
      stallCount += 1
      let seconds = Double(nanoseconds) / 1e9
      ledger.note("stall: the card has not answered for \(seconds, decimals: 1) s", at: capture.position(at: now))
      console.announce(
        """
        the take does not grow: the card has not answered for \(seconds, decimals: 0) s; nothing is lost for \
        \(secondsUntilLoss) s more
        """ as FixedText<160>, as: .fault)
    }
  }

  /// At each exchange: warns when the card has little room left at the rate of the open take.
  mutating func watchRoom(_ console: inout ConsoleSession) {
    guard isTakeOpen,
      let seconds = room.warning(
        from: progress, timelineRateHz: capture.timelineRateHz, reserveByteCount: settings.reserveByteCount)
    else { return }
    let minutes = (seconds + 30) / 60
    switch (minutes, seconds) {
    case (0, 1): console.announce("1 second of room is left on the card", as: .warning)
    // The last warning says 1 minute.
    case (0, _), (1, 60...):
      console.announce("\(seconds) seconds of room are left on the card" as FixedText<64>, as: .warning)
    case (1, _): console.announce("1 minute of room is left on the card", as: .warning)
    default: console.announce("\(minutes) minutes of room are left on the card" as FixedText<64>, as: .warning)
    }
  }

  /// At each exchange: reports faults of the microphone's sound, and when they are over. A lost or closed microphone
  /// has no sound, and is reported separately.
  mutating func watchSound(_ console: inout ConsoleSession) {
    guard capture.microphone == .running else { return soundTrouble = nil }
    let trouble = capture.audio.trouble
    guard trouble != soundTrouble else { return }
    switch trouble {
    case .silent: tell(.microphone, "digital silence for 10 s", "check its cable or switch", &console)
    case .frozen: tell(.microphone, "the same value for 10 s", "check its cable or switch", &console)
    case .clipping: tell(.microphone, "clips all the time", "lower its level", &console)
    case nil where soundTrouble == .clipping: tell(.microphone, "clips no more", nil, &console)
    case nil: tell(.microphone, "sound again", nil, &console)
    }
    soundTrouble = trouble
  }

  private mutating func tell(
    _ device: Device, _ change: StaticString, _ remedy: StaticString?, _ console: inout ConsoleSession
  ) {
    let position = device == .microphone ? capture.audio.end : capture.timeline.now
    ledger.note("\(device.name): \(change)", at: position)
    var line: FixedText<96> = "\(device.name): \(change)"
    if let remedy { line.append(": \(remedy)" as FixedText<64>) }
    console.announce(line, as: remedy == nil ? .note : .fault)
  }

  /// At each exchange: reports faults of the camera's pictures, and when they are over. A lost or closed camera has no
  /// pictures, and is reported separately.
  mutating func watchPictures(_ console: inout ConsoleSession) {
    guard capture.camera == .running else { return pictureTrouble = nil }
    let trouble = capture.video.trouble
    guard trouble != pictureTrouble else { return }
    switch trouble {
    case .black: tell(.camera, "black for 5 s", "take off its cap, or check its sensor", &console)
    case .frozen: tell(.camera, "the same picture for 5 s", "unplug it and plug it in again", &console)
    case nil: tell(.camera, "pictures again", nil, &console)
    }
    pictureTrouble = trouble
  }

  /// Reports that the camera is back.
  func announceCamera(_ console: inout ConsoleSession) {
    console.announce("camera works again")
    guard let other = capture.otherVideoFormat, let format = capture.videoFormat else { return }
    console.announce(
      """
      camera now sends \(other.widthPixels)x\(other.heightPixels) \(other.pixelFormat.name): its frames are scaled to \
      \(format.widthPixels)x\(format.heightPixels) until the recorder is restarted
      """ as FixedText<160>, as: .warning)
  }

  /// At each exchange: reports how long a take had no camera picture, once it has one again.
  mutating func watchPictureGap(_ console: inout ConsoleSession, at now: Instant) {
    let isRecording = isTakeOpen
    if capture.camera == .running, isRecording { reportPictureGap(&console, upTo: capture.position(at: now)) }
    guard capture.camera.isLost, !capture.hasRestingCamera else { return pictureGapStart = nil }
    pictureGapStart = pictureGapStart ?? capture.position(at: now)
  }

  /// - Parameter end: where the camera is back, or the take ends.
  func reportPictureGap(_ console: inout ConsoleSession, upTo end: TimelinePosition) {
    guard let take, take.form.content == .video, let gap = pictureGapStart else { return }
    let rate = Double(capture.timelineRateHz)
    let start = max(gap, take.startPosition)
    let (seconds, offset) = (Double(end.distance(since: start)) / rate, Double(start - take.startPosition) / rate)
    console.announce(
      "no picture for \(seconds, decimals: 1) s, from \(offset, decimals: 1) s into the take" as FixedText<96>,
      as: .warning)
  }

  /// The position up to which the storage worker could write.
  var arrivedPosition: TimelinePosition {
    capture.audioFormat == nil ? capture.timeline.now : min(capture.audio.end, capture.timeline.now)
  }

  /// The seconds until the first ring is full if the card accepts nothing.
  private var secondsUntilLoss: UInt64 {
    var seconds: UInt64?
    if let format = capture.audioFormat { seconds = UInt64(capture.audio.freeFrames) / UInt64(format.sampleRateHz) }
    if let format = capture.videoFormat {
      let reserve = 2 * PictureCoder.maximumByteCount(format: format)
      if let count = pictures.packetsThatFit(reserving: reserve) {
        let pictureSeconds = UInt64(Double(count) / format.frameRate.framesPerSecond)
        seconds = min(seconds ?? pictureSeconds, pictureSeconds)
      }
    }
    return seconds ?? 0
  }
}

/// Checks that a take grows: the storage worker confirms what has arrived in time.
///
/// It starts from the data that has arrived, not from elapsed time: a microphone that stalls also holds up the take,
/// and is reported separately.
struct GrowthWatch {
  enum Change {
    /// The take has stopped growing; it last grew this long ago.
    case stopped(nanoseconds: UInt64)
    case goesOn
  }

  private let startPosition: TimelinePosition
  /// The confirmed position at the last look, and when it last grew.
  private var confirmed: TimelinePosition
  private var lastGrowth: Instant
  /// When a fragment began to wait; nil while none waits.
  private var waitingSince: Instant?
  /// Whether the take has stopped growing.
  private(set) var hasStopped = false

  /// For a take that begins now, at `startPosition`.
  init(startPosition: TimelinePosition, confirmed: TimelinePosition, at now: Instant) {
    self.startPosition = startPosition
    self.confirmed = confirmed
    lastGrowth = now
  }

  /// - Parameters:
  ///   - confirmed: the last position that the storage worker confirmed, in this take or the one before.
  ///   - arrived: the position up to which sound and pictures have arrived.
  ///   - fragmentFrames: the most data that the storage worker collects before it writes.
  mutating func look(
    confirmed: TimelinePosition, arrived: TimelinePosition, fragmentFrames: UInt64, at now: Instant
  ) -> Change? {
    if confirmed != self.confirmed {
      self.confirmed = confirmed
      lastGrowth = now
      waitingSince = nil
      if hasStopped {
        hasStopped = false
        return .goesOn
      }
    }
    guard arrived.distance(since: max(confirmed, startPosition)) >= fragmentFrames else { return nil }
    let start = waitingSince ?? now
    waitingSince = start
    let patience = Limits.growthPatienceMilliseconds * 1_000_000
    guard !hasStopped, now.distance(since: start) >= patience else { return nil }
    hasStopped = true
    return .stopped(nanoseconds: now - lastGrowth)
  }
}

/// How long the card lasts.
struct RoomEstimate: Equatable {
  var seconds: UInt64
  /// Whether it follows from the rate of a take; otherwise from that of the most detailed pictures: it may last longer.
  var isMeasured: Bool
}

/// How long the card lasts at the rate at which the open take has grown; warns once at each of two limits.
struct RoomWatch {
  /// The rate of the open take, or the last measured rate; nil before the first.
  private var bytesPerSecond: Double?
  /// The open file's position at the start of the measurement; nil before it is open.
  private var firstPosition: TimelinePosition?
  private var firstByteCount: UInt64 = 0
  /// The limit of the last warning.
  private var warnedSeconds = UInt64.max

  /// The open take's, or the last one's; nil for all pictures.
  private var lapse: TimeLapse?

  /// Forgets the measured rate: the next take has other pictures.
  mutating func forget() { bytesPerSecond = nil }

  /// Notes that a take begins.
  mutating func begin(_ lapse: TimeLapse?) {
    if lapse != self.lapse { forget() }
    self.lapse = lapse
    firstPosition = nil
    firstByteCount = 0
    warnedSeconds = .max
  }

  /// Notes that a file of the take has just been opened.
  mutating func measure(from progress: TakeProgress) {
    firstPosition = progress.confirmedPosition
    firstByteCount = progress.byteCount
  }

  /// - Parameter reserveByteCount: the bytes that stay free on the card.
  /// - Returns: how many seconds the card still lasts, if a warning is due.
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

  /// - Parameter planned: the rate to assume before a take has been measured; without it there is no estimate.
  func estimate(
    _ freeByteCount: UInt64, reserveByteCount: UInt64, planned: RecordingRate?
  ) -> RoomEstimate? {
    guard let rate = rate(planned: planned), rate > 0 else { return nil }
    let usable = freeByteCount - min(freeByteCount, reserveByteCount)
    return RoomEstimate(
      seconds: UInt64(min(Double(usable) / rate, 1e9)), isMeasured: bytesPerSecond != nil || planned?.isExact == true)
  }

  /// The measured rate, or else the planned one, in bytes a second.
  func rate(planned: RecordingRate?) -> Double? { bytesPerSecond ?? planned?.bytesPerSecond }

  /// - Returns: whether the open take has grown for long enough.
  private mutating func measureRate(_ progress: TakeProgress, _ timelineRateHz: UInt32) -> Bool {
    let byteCount = progress.byteCount
    // The next file is shorter until its opening has been reported.
    guard let firstPosition, byteCount > firstByteCount else { return false }
    let frames = progress.confirmedPosition.distance(since: firstPosition)
    let seconds = Double(frames) / Double(timelineRateHz)
    // Ten pictures of a time lapse, as ten fragments.
    guard seconds >= max(Limits.roomMeasuringSeconds, 10 * (lapse?.intervalSeconds ?? 0)) else { return false }
    bytesPerSecond = Double(byteCount - firstByteCount) / seconds
    return true
  }
}

/// The expected data rate of a take.
struct RecordingRate {
  var bytesPerSecond: Double
  /// Whether the rate is exact, as for sound alone.
  var isExact: Bool

  /// - Returns: nil if nothing is recorded.
  init?(audio: AudioFormat?, video: VideoFormat?, _ lapse: TimeLapse? = nil) {
    guard audio != nil || video != nil else { return nil }
    var rate = 0.0
    isExact = video == nil
    if let video, let lapse {
      bytesPerSecond = Double(MemoryPlan.averagePictureByteCount(video)) / lapse.intervalSeconds
      return
    }
    if let audio { rate += Double(Int(audio.sampleRateHz) * audio.bytesPerFrame) }
    if let video { rate += Double(MemoryPlan.averagePictureByteCount(video)) * video.frameRate.framesPerSecond }
    bytesPerSecond = rate
  }
}

extension Limits {
  /// How long a fragment that has arrived may stay unconfirmed before the take counts as stopped: two flushes of a slow
  /// card take a quarter of a second, the storage worker sleeps 50 ms, and a button held down delays it by 300 ms.
  static var growthPatienceMilliseconds: UInt64 { 1000 }

  /// The first warning comes this long before a take fills the card: enough to finish a scene and change the card.
  static var roomWarningSeconds: UInt64 { 600 }

  /// The last warning comes this long before the card is full: enough to say a last sentence.
  static var lastRoomWarningSeconds: UInt64 { 60 }

  /// How long a take must grow before its rate is used: ten fragments of the usual length, so that one more or less
  /// changes the warnings by a tenth.
  static var roomMeasuringSeconds: Double { 5 }
}
