import CalculationHistory
import Port
import Retention
import Values

/// What has time, on the retention worker's thread: what a person asks of the system, the small applications' files, and old
/// takes. A driver or a card that does not answer holds up nothing else.
public struct HousekeepingWorker<Machine: Hardware & ~Copyable>: ~Copyable {
  private var inspector: LentDevice<Machine.BoardInspector>
  private var history: HistoryKeeper<Machine.BoardStorage>
  private var retention: RetentionWorker<Machine.BoardDayFolders, Machine.BoardStorage>
  private let pace: RetentionPace

  init(
    inspector: consuming LentDevice<Machine.BoardInspector>, history: consuming HistoryKeeper<Machine.BoardStorage>,
    retention: consuming RetentionWorker<Machine.BoardDayFolders, Machine.BoardStorage>, pace: RetentionPace
  ) {
    self.inspector = inspector
    self.history = history
    self.retention = retention
    self.pace = pace
  }

  /// Whether an order is not finished yet.
  public var isBusy: Bool { history.isBusy || retention.isBusy }

  /// Does the next bounded piece of work: somebody waits for a calculation, and nobody for a take that goes.
  /// - Returns: false when there was none, or it rests: then wait before asking again.
  public mutating func step(at now: Instant) -> Bool {
    inspector.step() || history.step(at: now, isRecording: pace.isRecording) || retention.step(at: now)
  }
}
