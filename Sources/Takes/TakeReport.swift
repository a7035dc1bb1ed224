import Board
import Text

/// From the storage worker to the loop.
public enum TakeReport: BitwiseCopyable, Sendable {
  /// A file is open and growing.
  case opened(path: FixedText<128>, prerollFrames: UInt64)
  /// A full file gave way to the next one; the take goes on.
  case split(TakeSummary)
  /// The take's last file is complete and safe.
  case finished(TakeSummary)
  /// An interrupted file of an earlier run was completed.
  case repaired(path: FixedText<128>)
  case failed(DeviceFailure)
}
