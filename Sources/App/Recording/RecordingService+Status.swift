import Base
import Configuration
import Record
import Wire

extension RecordingService {
  /// Adds the recording to `status`.
  func describe(in status: inout StatusReport, at now: Instant) {
    status.sheet = sheet.sheet
    let position = capture.position(at: now)
    let rate = Double(capture.timelineRateHz)
    if let take {
      status.path = take.path
      status.seconds = Double(take.fileFrames(at: position)) / rate
      status.prerollSeconds = Double(take.prerollFrames) / rate
      status.byteCount = take.finalByteCount ?? progress.byteCount
      status.audioFrames = progress.audioFrameCount
      status.videoFrames = progress.videoFrameCount
    } else if capture.isDelivering {
      status.prerollSeconds = min(
        Double(position - capture.startPosition) / rate, Double(settings.record.prerollSeconds))
    }
    status.videoFormat = capture.camera == .closed ? nil : capture.videoFormat
    status.losses = take?.losses(now: losses) ?? losses
    status.freeByteCount = progress.freeByteCount
    status.room = roomEstimate
    status.driftPartsPerMillion = capture.driftPartsPerMillion
  }

  private var roomEstimate: RoomEstimate? {
    room.estimate(progress.freeByteCount, reserveByteCount: settings.reserveByteCount, planned: plannedRate)
  }

  /// The rate of the last take, or else that of the configured formats.
  var expectedBytesPerSecond: Double? {
    room.rate(
      planned: plannedRate
        ?? RecordingRate(
          audio: settings.requestedAudioFormat, video: form.content == .video ? camera.format : nil, form.lapse))
  }

  private var plannedRate: RecordingRate? {
    RecordingRate(audio: capture.audioFormat, video: form.content == .video ? capture.videoFormat : nil, form.lapse)
  }

  /// Adds the recording to the status of the live views.
  func describe(in status: inout ViewStatus, at now: Instant) {
    status.isRecording = isTakeOpen
    if let take {
      let frames = take.fileFrames(at: capture.position(at: now))
      status.takeMilliseconds = frames * 1000 / UInt64(capture.timelineRateHz)
    }
    status.freeByteCount = progress.freeByteCount
    status.roomSeconds = roomEstimate.map { UInt32($0.seconds) }
    status.faults = faults
    status.batteryPercent = battery.percent.map { UInt8($0.rounded()) }
  }

  private var faults: UInt32 {
    var faults: UInt32 = 0
    // It failed for lack of a device to record from, not during a take.
    let lacksDevices = recorder.state == .failed && capture.isClosed
    if lacksDevices || isMissed(capture.microphone) { faults |= ViewFault.noMicrophone.bit }
    if form.content.hasCamera, lacksDevices || isCameraMissed { faults |= ViewFault.noCamera.bit }
    // Zero until the card has been asked for the first time.
    if progress.freeByteCount > 0, progress.freeByteCount < settings.firstByteCount {
      faults |= ViewFault.cardFull.bit
    }
    if (recorder.state == .failed && !lacksDevices) || hasFallenBack { faults |= ViewFault.takeFailed.bit }
    if growth?.hasStopped == true { faults |= ViewFault.cardStuck.bit }
    switch soundTrouble {
    case nil: break
    case .silent, .frozen: faults |= ViewFault.noSound.bit
    case .clipping: faults |= ViewFault.clipping.bit
    }
    switch pictureTrouble {
    case nil: break
    case .black: faults |= ViewFault.blackPicture.bit
    case .frozen: faults |= ViewFault.frozenPicture.bit
    }
    if heat.level > .cool { faults |= ViewFault.tooHot.bit }
    if heat.isUnderVoltage { faults |= ViewFault.underVoltage.bit }
    if battery.level != .good { faults |= ViewFault.lowBattery.bit }
    if let take {
      let lost = take.losses(now: losses)
      if lost.pictures > 0 || lost.audioOverruns > 0 { faults |= ViewFault.losses.bit }
    }
    return faults
  }

  private var isCameraMissed: Bool { isMissed(capture.camera) && !capture.hasRestingCamera }

  /// A recorder that opens its devices at the press does not miss any before.
  private func isMissed(_ device: DeviceState) -> Bool {
    device.isLost || (device == .closed && capture.isDelivering)
  }
}

/// The newest take for `status`: the open one, or the last one.
struct TakeStatus {
  /// Empty until the file is open.
  var path: FixedText<128> = ""
  /// The interrupted file that the take continues, until its first file is open; empty otherwise.
  private var continues: FixedText<128>
  let pressPosition: TimelinePosition
  /// Where the open file begins; a take's first file begins with the pre-roll.
  private var fileStartPosition: TimelinePosition
  /// The take's pre-roll, in frames of the timeline.
  private(set) var prerollFrames: UInt64 = 0
  /// The size of the complete file.
  private(set) var finalByteCount: UInt64?
  /// What a person thinks of it.
  var verdict = TakeVerdict.neither
  /// Where the take ends, once that is known.
  var endPosition: TimelinePosition?

  /// When the take continues in a new file.
  let split: SplitSettings
  let form: TakeForm
  /// Why it began without a person; nil if a person began it.
  var cause: TakeCause?
  /// The losses when the take was ordered, and when its last file was complete.
  private let lossesBefore: Losses
  private var lossesAtEnd: Losses?

  init(
    pressPosition: TimelinePosition, continues: FixedText<128>, lossesBefore: Losses, split: SplitSettings,
    form: TakeForm, cause: TakeCause?
  ) {
    self.pressPosition = pressPosition
    self.continues = continues
    self.lossesBefore = lossesBefore
    self.split = split
    self.form = form
    self.cause = cause
    fileStartPosition = pressPosition
  }

  /// Whether it goes on with one that was interrupted, before its first file is open.
  var isContinuation: Bool { !continues.isEmpty }

  /// Notes that a file of the take has been opened.
  /// - Returns: the interrupted file that the take continues, if this is its first.
  mutating func began(path: FixedText<128>, atPosition position: TimelinePosition) -> FixedText<128> {
    defer { continues.removeAll() }
    if self.path.isEmpty, position < pressPosition { prerollFrames = pressPosition - position }
    self.path = path
    fileStartPosition = position
    return continues
  }

  /// Notes that the last file of the take is complete.
  mutating func ended(byteCount: UInt64, losses: Losses) {
    finalByteCount = byteCount
    lossesAtEnd = losses
  }

  /// The take's losses; `now` is the count since boot.
  func losses(now: Losses) -> Losses { (lossesAtEnd ?? now) - lossesBefore }

  /// The start of the take, as far as it is known.
  var startPosition: TimelinePosition { pressPosition - prerollFrames }

  /// The file's length when the timeline is at `position`.
  func fileFrames(at position: TimelinePosition) -> UInt64 {
    let end = endPosition ?? position
    return end > fileStartPosition ? end - fileStartPosition : 0
  }
}

struct Losses {
  /// Pictures that the camera's driver dropped, that found the picture ring full, or that could not be encoded.
  var pictures: UInt64 = 0
  var audioOverruns: UInt64 = 0
  /// Pictures left out because of heat, which do not count as losses.
  var leftOutPictures: UInt64 = 0

  static func - (later: Losses, earlier: Losses) -> Losses {
    Losses(
      pictures: later.pictures - earlier.pictures, audioOverruns: later.audioOverruns - earlier.audioOverruns,
      leftOutPictures: later.leftOutPictures - earlier.leftOutPictures)
  }
}
