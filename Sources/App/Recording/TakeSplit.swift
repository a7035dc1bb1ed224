import Configuration
import Record

/// When a take goes on in a new file.
struct TakeSplit {
  let settings: SplitSettings
  /// Also when the device is rotated.
  let isOnRotate: Bool

  init(_ settings: RecordSettings) {
    self.settings = SplitSettings(byteCount: settings.splitByteCount, seconds: UInt64(settings.splitSeconds))
    isOnRotate = settings.splitsOnRotate
  }
}
