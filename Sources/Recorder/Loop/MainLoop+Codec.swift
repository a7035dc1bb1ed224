import Port
import Capture
import Encode
import Configuration
import Console
import Values
import Takes
import Text

extension MainLoop where Machine: ~Copyable {
  /// Says once that the machine's encoder is gone. Devices and rings are then given up between two takes, and what
  /// follows is coded as JPEG: a file holds one kind of pictures.
  mutating func watchCodec() {
    if encoderSummary.codec != .mjpeg, let failure = codecStatus.failure {
      encoderSummary.codec = .mjpeg
      announce(failure)
    }
    guard codecStatus.phase == .failed, recorder.state == .preparing else { return }
    if recorder.handle(.coderLost) == .closeDevices { capture.requestStop() }
  }

  /// What came of the machine's encoder.
  func announceLine(_ summary: EncoderSummary) -> FixedText<256>? {
    guard let input = summary.input else { return nil }
    let way: StaticString = input == .shared ? "reads the camera's buffers" : "is given copies of the camera's pictures"
    return "encoder \(context.settings.video.encoderDeviceName): \(summary.codec.name), \(way)"
  }
}
