import Base
import Catalog
import Machine

/// What has time, on the keeper's thread: what a person asks of the system, the small applications' files, and old
/// takes. A driver or a card that does not answer holds up nothing else.
package struct HousekeepingWorker: ~Copyable {
  private var inspector: LentDevice<Inspector>
  private var history: HistoryKeeper
  private var keeper: TakeKeeper
  private let pace: KeeperPace

  init(
    inspector: consuming LentDevice<Inspector>, history: consuming HistoryKeeper,
    keeper: consuming TakeKeeper, pace: KeeperPace
  ) {
    self.inspector = inspector
    self.history = history
    self.keeper = keeper
    self.pace = pace
  }

  /// Whether an order is not finished yet.
  package var isBusy: Bool { history.isBusy || keeper.isBusy }

  /// Does the next bounded piece of work: somebody waits for a calculation, and nobody for a take that goes.
  /// - Returns: false when there was none, or it rests: then wait before asking again.
  package mutating func step(at now: Instant) -> Bool {
    inspector.step() || history.step(at: now, isRecording: pace.isRecording) || keeper.step(at: now)
  }
}
