import Port
import Capture
import Configuration
import Console
import Encode
import Imaging
import Values
import Rings
import Takes
import Text
import Viewing

extension MainLoop where Machine: ~Copyable {
  /// At each exchange: leaves what the live views show, and says what the display's process has to say.
  mutating func serveView(atNanoseconds now: UInt64) {
    let period = isWatched ? Limits.viewPictureMilliseconds : Limits.unwatchedPictureMilliseconds
    capture.video.views?.periodNanoseconds = period * 1_000_000
    liveView.status.publish(viewStatus(atNanoseconds: now))
    if let line = liveView.nextLine() { console.announce(line) }
  }

  /// Whether there may be somebody who looks at a live view.
  private var isWatched: Bool { liveView.isWanted || preview.phase != .none }

  private mutating func viewStatus(atNanoseconds now: UInt64) -> ViewStatus {
    var status = ViewStatus()
    status.isRecording = recorder.state == .recording
    if let take {
      let frames = take.fileFrames(at: capture.position(atNanoseconds: now))
      status.takeMilliseconds = frames * 1000 / UInt64(capture.timelineRateHz)
    }
    status.zoomFactor = Float(zoomFactor(atNanoseconds: now))
    status.orientation = panel.orientation.rawValue
    if let view = pictureView { status.viewfinder = viewfinder.rectangle(in: view).fraction(of: view) }
    status.peakDecibels = capture.readMeter(atNanoseconds: now)
    status.freeByteCount = progress.freeByteCount
    status.faults = viewFaults
    return status
  }

  private var viewFaults: UInt32 {
    var faults: UInt32 = 0
    if isMissed(capture.microphone) { faults |= ViewFault.noMicrophone.bit }
    if context.settings.record.content == .video, isMissed(capture.camera) { faults |= ViewFault.noCamera.bit }
    // Nothing is known before the card was asked for the first time.
    if progress.freeByteCount > 0, progress.freeByteCount < TakeLimits.firstByteCount {
      faults |= ViewFault.cardFull.bit
    }
    if recorder.state == .failed { faults |= ViewFault.takeFailed.bit }
    if let take {
      let lost = take.losses(now: losses)
      if lost.pictures > 0 || lost.audioOverruns > 0 { faults |= ViewFault.losses.bit }
    }
    return faults
  }

  /// A recorder that opens its devices at the press misses none before.
  private func isMissed(_ device: DeviceState) -> Bool {
    device == .lost || (device == .closed && capture.isDelivering)
  }
}

extension PixelRectangle {
  /// Where it is in its view, which it never leaves.
  fileprivate func fraction(of view: PictureView) -> ViewFraction {
    ViewFraction(
      x: Float(x - view.x) / Float(view.width), y: Float(y - view.y) / Float(view.height),
      width: Float(width) / Float(view.width), height: Float(height) / Float(view.height))
  }
}
