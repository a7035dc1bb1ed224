import Port
import Capture
import Configuration
import Console
import Encode
import Imaging
import Values
import Playback
import Takes
import Text
import Trace

extension MainLoop where Machine: ~Copyable {
  /// `status`: the state in lines for a person.
  mutating func reportStatus(atNanoseconds now: UInt64) {
    let status = status(atNanoseconds: now)
    console.reply("state \(status.state.name), \(status.orientation.name)" as FixedText<256>)
    if !status.path.isEmpty {
      console.reply(
        "take \(status.path): \(status.seconds, decimals: 1) s, \(status.byteCount) bytes" as FixedText<256>)
    }
    console.reply("zoom \(status.zoomFactor, decimals: 2)" as FixedText<256>)
    console.reply("pre-roll \(status.prerollSeconds, decimals: 1) s" as FixedText<256>)
    console.reply(
      "lost: \(status.losses.pictures) pictures, \(status.losses.audioOverruns) stretches of sound" as FixedText<256>)
    if let player = status.player, let item = player.item {
      console.reply(
        """
        player \(player.state.name) \(item.label): \(player.positionSeconds, decimals: 1) of \
        \(player.durationSeconds, decimals: 1) s
        """ as FixedText<360>)
    }
    console.reply("free on the card: \(progress.freeByteCount / 1_000_000) MB" as FixedText<256>)
    console.complete()
  }

  /// `status json`: one object on one line.
  mutating func reportStatusJSON(atNanoseconds now: UInt64) {
    console.reply(status(atNanoseconds: now).json)
    console.complete()
  }

  /// What has been lost since boot.
  var losses: Losses {
    Losses(
      pictures: events.amount(of: .cameraFrameDropped) + encoderCounters.droppedPictureCount
        + encoderCounters.failedPictureCount,
      audioOverruns: events.count(of: .audioOverrun))
  }

  private func status(atNanoseconds now: UInt64) -> StatusReport {
    let position = capture.position(atNanoseconds: now)
    let rate = Double(capture.timelineRateHz)
    var status = StatusReport(state: recorder.state, orientation: panel.orientation, identity: context.identity)
    status.zoomFactor = zoomFactor(atNanoseconds: now)
    if let take {
      status.path = take.path
      status.seconds = Double(take.fileFrames(at: position)) / rate
      status.prerollSeconds = Double(take.prerollFrames) / rate
      status.byteCount = take.finalByteCount ?? progress.byteCount
      status.audioFrames = progress.audioFrameCount
      status.videoFrames = progress.videoFrameCount
    } else {
      let held = min(
        Double(position - capture.startPosition) / rate, Double(context.settings.record.prerollSeconds))
      status.prerollSeconds = capture.isDelivering ? held : 0
    }
    status.losses = take?.losses(now: losses) ?? losses
    status.freeByteCount = progress.freeByteCount
    status.metrics = metrics
    status.heapAllocationCount = context.heapAllocationCount()
    status.clockSource = machine.clock.source
    status.player = player.status
    status.driftPartsPerMillion = capture.driftPartsPerMillion
    return status
  }
}
