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
    switch minutes {
    case 0: console.announce("\(seconds) seconds of room are left on the card" as FixedText<64>, as: .warning)
    case 1: console.announce("1 minute of room is left on the card", as: .warning)
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

  /// At each exchange: reports what is wrong with the camera's pictures, and when it is right again. One that is lost or
  /// closed has none, and is reported by itself.
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
