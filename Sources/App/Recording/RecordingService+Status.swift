import Base
import Configuration
import Record
import Wire

extension RecordingService {
  /// For `status`.
  func describe(in status: inout StatusReport, at now: Instant) {
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
    status.losses = take?.losses(now: losses) ?? losses
    status.freeByteCount = progress.freeByteCount
    status.room = roomEstimate
    status.driftPartsPerMillion = capture.driftPartsPerMillion
  }

  private var roomEstimate: RoomEstimate? {
    room.estimate(
      progress.freeByteCount, reserveByteCount: settings.reserveByteCount,
      planned: RecordingRate(audio: capture.audioFormat, video: capture.videoFormat))
  }

  /// For the live views.
  func describe(in status: inout ViewStatus, at now: Instant) {
    status.isRecording = recorder.state == .recording
    if let take {
      let frames = take.fileFrames(at: capture.position(at: now))
      status.takeMilliseconds = frames * 1000 / UInt64(capture.timelineRateHz)
    }
    status.freeByteCount = progress.freeByteCount
    status.roomSeconds = roomEstimate.map { UInt32($0.seconds) }
    status.faults = faults
  }

  private var faults: UInt32 {
    var faults: UInt32 = 0
    // It failed because there is no device to record from, and not in a take.
    let lacksDevices = recorder.state == .failed && capture.isClosed
    if lacksDevices || isMissed(capture.microphone) { faults |= ViewFault.noMicrophone.bit }
    if settings.record.content == .video, lacksDevices || isMissed(capture.camera) { faults |= ViewFault.noCamera.bit }
    // Zero until the card was asked for the first time.
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
    if let take {
      let lost = take.losses(now: losses)
      if lost.pictures > 0 || lost.audioOverruns > 0 { faults |= ViewFault.losses.bit }
    }
    return faults
  }

  /// A recorder that opens its devices at the press misses none before.
  private func isMissed(_ device: DeviceState) -> Bool {
    device.isLost || (device == .closed && capture.isDelivering)
  }
}
