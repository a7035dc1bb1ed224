import Port
import Text

/// From the storage worker to the loop. Each take that was ordered ends in one ``finished(_:)`` or ``failed(_:)``.
public enum TakeReport: BitwiseCopyable, Sendable {
  /// A file is open and growing; its first instant is at this position of the timeline.
  case opened(path: FixedText<128>, startPosition: UInt64)
  /// A file that the take does not grow in any more is complete; a take goes on, or failed already.
  case split(TakeSummary)
  /// The take's last file is complete and safe.
  case finished(TakeSummary)
  /// An interrupted file of an earlier take was completed.
  case repaired(TakeSummary)
  /// The take ended by this. What was safe of it stays.
  case failed(DeviceFailure)
  /// A file that does not grow any more could not be completed, or the ledger not be written. The file plays as it is,
  /// and is tried again after the next take and at the next boot.
  case completionFailed(DeviceFailure)
  /// Some of what the camera sent, or all of it, is no picture that can be put into the growing file; the rest of the
  /// take goes on. Told once a file.
  case picturesRefused(DeviceFailure)
  /// The rings are empty.
  case disarmed
}
