import Base
import Configuration
import Record

/// The camera that memory and encoder were planned for at boot, and messages for when it delivers nothing.
struct PlannedCamera {
  /// Its format at boot; nil if there was none.
  let format: VideoFormat?
  let settings: RecordSettings

  /// Why something needs a camera that is missing, and what to do about it.
  func absence(to purpose: StaticString) -> FixedText<128> {
    let remedy: StaticString =
      settings.content == .audio ? "set [record] what = video" : "plug one in and restart the recorder"
    return "there is no camera to \(purpose): \(remedy)"
  }

  /// Why an existing camera delivers nothing now; nil while it does.
  func refusal(in state: DeviceState) -> FixedText<128>? {
    guard state != .running else { return nil }
    return settings.arming == .atPress
      ? "the camera is closed: begin a take first, or set [record] arm = boot"
      : "the camera no longer sends frames: plug it in"
  }
}
