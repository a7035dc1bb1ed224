import Base
import Configuration
import Console
import Machine
import Media
import Record

extension RecordingService {
  /// Whether something is wrong that somebody should see at once, although a take may go on.
  var hasAlarm: Bool {
    growth?.hasStopped == true || soundTrouble != nil || pictureTrouble != nil || hasFallenBack
      || isPowerFailing || heat.level == .hot || heat.isUnderVoltage
  }

  /// At each exchange: reports when the open take stops growing, and when it goes on. One that is ending is not blamed.
  mutating func watchGrowth(_ console: inout ConsoleSession, at now: Instant) {
    guard hasOpenTake else { return growth = nil }
    guard recorder.state == .recording || growth?.hasStopped == true else { return }
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
    guard recorder.state == .recording,
      let seconds = room.warning(
        from: progress, timelineRateHz: capture.timelineRateHz, reserveByteCount: settings.reserveByteCount)
    else { return }
    let minutes = (seconds + 30) / 60
    switch (minutes, seconds) {
    case (0, 1): console.announce("1 second of room is left on the card", as: .warning)
    case (0, _): console.announce("\(seconds) seconds of room are left on the card" as FixedText<64>, as: .warning)
    case (1, _): console.announce("1 minute of room is left on the card", as: .warning)
    default: console.announce("\(minutes) minutes of room are left on the card" as FixedText<64>, as: .warning)
    }
  }

  /// At each exchange: reports what is wrong with the microphone's sound, and when it is right again. One that is lost
  /// or closed has none, and is reported by itself.
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

  /// At each exchange: reports what is wrong with the camera's pictures, and when it is right again. One that is lost
  /// or closed has none, and is reported by itself.
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

  /// The camera is back.
  func announceCamera(_ console: inout ConsoleSession) {
    console.announce("camera works again")
    guard let other = capture.otherVideoFormat, let format = capture.videoFormat else { return }
    console.announce(
      """
      camera now sends \(other.widthPixels)x\(other.heightPixels) \(other.pixelFormat.name): its frames are scaled to \
      \(format.widthPixels)x\(format.heightPixels) until the recorder is restarted
      """ as FixedText<160>, as: .warning)
  }

  /// At each exchange: reports how long a take has shown no picture of the camera, once it does again.
  mutating func watchPictureGap(_ console: inout ConsoleSession, at now: Instant) {
    let isRecording = recorder.state == .recording
    if capture.camera == .running, isRecording { reportPictureGap(&console, upTo: capture.position(at: now)) }
    guard capture.camera.isLost else { return pictureGapStart = nil }
    pictureGapStart = pictureGapStart ?? capture.position(at: now)
  }

  /// - Parameter end: where the camera is back, or the take ends.
  func reportPictureGap(_ console: inout ConsoleSession, upTo end: TimelinePosition) {
    guard let take, let gap = pictureGapStart else { return }
    let rate = Double(capture.timelineRateHz)
    let start = max(gap, take.startPosition)
    let (seconds, offset) = (Double(end.distance(since: start)) / rate, Double(start - take.startPosition) / rate)
    console.announce(
      "no picture for \(seconds, decimals: 1) s, from \(offset, decimals: 1) s into the take" as FixedText<96>,
      as: .warning)
  }

  /// Up to where the storage worker could write.
  var arrivedPosition: TimelinePosition {
    capture.audioFormat == nil ? capture.timeline.now : min(capture.audio.end, capture.timeline.now)
  }

  /// How long it takes until the first of the rings is full, if the card takes nothing.
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

/// Whether a take grows: what has arrived is confirmed by the storage worker in time.
///
/// It waits for what has arrived and not for time to pass: a microphone that stalls holds up the take as well, and is
/// reported by itself.
struct GrowthWatch {
  enum Change {
    /// The take does not grow any more; this long ago it did.
    case stopped(nanoseconds: UInt64)
    case goesOn
  }

  private let startPosition: TimelinePosition
  /// What was confirmed at the last look, and since when.
  private var confirmed: TimelinePosition
  private var lastGrowth: Instant
  /// Since when a fragment has been waiting; nil while none is.
  private var waitingSince: Instant?
  /// Whether the take does not grow.
  private(set) var hasStopped = false

  /// A take that begins now, at `startPosition`.
  init(startPosition: TimelinePosition, confirmed: TimelinePosition, at now: Instant) {
    self.startPosition = startPosition
    self.confirmed = confirmed
    lastGrowth = now
  }

  /// - Parameters:
  ///   - confirmed: the storage worker's last position, of this take or of the one before.
  ///   - arrived: up to where sound and pictures have arrived.
  ///   - fragmentFrames: how much has to arrive before the storage worker writes it at the latest.
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

extension Limits {
  /// A fragment that has arrived is confirmed within this time, or the take does not grow: two flushes of a slow card
  /// take a quarter of a second, the storage worker sleeps 50 ms, and a button that is down holds it back for 300 ms.
  static var growthPatienceMilliseconds: UInt64 { 1000 }

  /// A take that fills the card within this time is warned of: enough to finish a scene and to change the card.
  static var roomWarningSeconds: UInt64 { 600 }

  /// The last warning comes so long before the card is full: enough to say a last sentence.
  static var lastRoomWarningSeconds: UInt64 { 60 }

  /// For how long a take has grown before its rate is taken for what follows: ten fragments of the usual length, so
  /// that one more or less changes the warnings by a tenth.
  static var roomMeasuringSeconds: Double { 5 }
}
