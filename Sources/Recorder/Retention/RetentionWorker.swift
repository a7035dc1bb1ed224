import Port
import Rings
import Text
import Values

/// Removes the folders of old days, and marks takes that are to be kept. It works only when ordered to, and while a take
/// is being recorded it rests after each file.
///
/// It removes nothing but takes by their names and kind, its own marks beside them, and folders of days that are then
/// empty. Only this worker removes takes that are complete.
public struct RetentionWorker<Folders: DayFolders & ~Copyable>: ~Copyable {
  private var folders: Folders
  private var orders: QueueConsumer<RetentionOrder>
  private var reports: QueueProducer<RetentionReport>
  private let pace: RetentionPace
  private let policy: RetentionPolicy
  private var run: PurgeRun?
  /// While a take is being recorded nothing is done before this instant.
  private var restEnd: Instant = 0

  /// - Parameter policy: what is in force until the next boot.
  public init(
    folders: consuming Folders, orders: consuming QueueConsumer<RetentionOrder>,
    reports: consuming QueueProducer<RetentionReport>, pace: RetentionPace, policy: RetentionPolicy
  ) {
    self.folders = folders
    self.orders = orders
    self.reports = reports
    self.pace = pace
    self.policy = policy
  }

  /// Whether an order is not finished yet.
  public var isBusy: Bool { run != nil || orders.count > 0 }

  /// Does the next bounded piece of work: lists a folder, or removes one file.
  /// - Returns: false when there was none, or it rests: then wait before asking again.
  public mutating func step(at now: Instant) -> Bool {
    guard reports.freeCount >= RetentionLimits.reportsPerStep else { return false }
    guard run != nil else { return takeOrder() }
    if pace.isRecording, now < restEnd { return false }
    switch run!.step(&folders, &reports) {
    case .looked: break
    case .removed: restEnd = now + RetentionLimits.restNanoseconds
    case .ended: run = nil
    }
    return true
  }

  private mutating func takeOrder() -> Bool {
    guard let order = orders.pop() else { return false }
    switch order {
    case .purge(let purge): run = PurgeRun(purge, policy)
    case .mark(let ticket, let path, let isProtected):
      if let refusal = mark(path, isProtected: isProtected) {
        report(.refused(ticket, refusal))
      } else {
        report(.marked(ticket, path: path, isProtected: isProtected))
      }
    }
    return true
  }

  /// An open take is refused: repairing it after a power cut would need the right to write to it.
  private mutating func mark(_ path: FixedText<128>, isProtected: Bool) -> RetentionRefusal? {
    guard TakeFilePath(path) != nil else { return .noTake(path) }
    do throws(DeviceFailure) {
      guard let entry = try folders.entry(at: path) else { return .absent(path) }
      guard entry.kind == .file else { return .noTake(path) }
      if try folders.hasOpenFile(at: path) { return .open(path) }
      if entry.isProtected != isProtected { try folders.setProtection(of: path, to: isProtected) }
      return nil
    } catch {
      return .failed(error)
    }
  }

  private mutating func report(_ report: RetentionReport) {
    let isTold = reports.push(report)
    precondition(isTold, "an order was taken without space for its report")
  }
}
