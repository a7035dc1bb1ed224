import Port
import Rings
import Sealing
import Text
import Values

/// Removes the folders of old days, marks takes that are to be kept, and compares takes with their seals. It works only
/// when ordered to, and while a take is being recorded it rests after each file, and after each piece that it reads.
///
/// It removes nothing but takes by their names and kind, its own marks beside them, and folders of days that are then
/// empty. Only this worker removes takes that are complete.
public struct RetentionWorker<Folders: DayFolders & ~Copyable>: ~Copyable {
  private var folders: Folders
  private var orders: QueueConsumer<RetentionOrder>
  private var reports: QueueProducer<RetentionReport>
  private let pace: RetentionPace
  private let policy: RetentionPolicy
  private let publicKey: KeyBytes
  private var buffer: FixedBuffer
  private var work = Work.none
  /// While a take is being recorded nothing is done before this instant.
  private var restEnd: Instant = 0
  /// When it is told next how far a comparison has come.
  private var nextProgress: Instant = 0

  private enum Work {
    case none
    case purging(PurgeRun)
    case verifying(TakeVerification)
  }

  /// - Parameters:
  ///   - policy: what is in force until the next boot.
  ///   - publicKey: of the key with which this device seals.
  ///   - buffer: of ``TakeVerification/bufferByteCount`` bytes.
  public init(
    folders: consuming Folders, orders: consuming QueueConsumer<RetentionOrder>,
    reports: consuming QueueProducer<RetentionReport>, pace: RetentionPace, policy: RetentionPolicy,
    publicKey: KeyBytes, buffer: consuming FixedBuffer
  ) {
    self.folders = folders
    self.orders = orders
    self.reports = reports
    self.pace = pace
    self.policy = policy
    self.publicKey = publicKey
    self.buffer = buffer
  }

  /// Whether an order is not finished yet.
  public var isBusy: Bool { if case .none = work { orders.count > 0 } else { true } }

  /// Does the next bounded piece of work: lists a folder, removes one file, or reads a piece of one.
  /// - Returns: false when there was none, or it rests: then wait before asking again.
  public mutating func step(at now: Instant) -> Bool {
    guard reports.freeCount >= RetentionLimits.reportsPerStep else { return false }
    if case .none = work { return takeOrder() }
    if pace.isRecording, now < restEnd { return false }
    switch work {
    case .none: break
    case .purging(let run): purge(run, at: now)
    case .verifying(let verification):
      restEnd = now + RetentionLimits.verificationRestNanoseconds
      verify(verification, at: now)
    }
    return true
  }

  private mutating func purge(_ run: PurgeRun, at now: Instant) {
    var run = run
    let outcome = run.step(&folders, &reports)
    work = .purging(run)
    switch outcome {
    case .looked: break
    case .removed: restEnd = now + RetentionLimits.restNanoseconds
    case .ended: work = .none
    }
  }

  private mutating func verify(_ verification: TakeVerification, at now: Instant) {
    guard !pace.isBrokenOff(verification.ticket) else { return work = .none }
    if now >= nextProgress {
      nextProgress = now + RetentionLimits.progressNanoseconds
      report(.verifying(verification.ticket, verification.progress))
    }
    var verification = verification
    do throws(DeviceFailure) {
      let verdict = try verification.step(&folders, &buffer)
      work = .verifying(verification)
      guard let verdict else { return }
      report(.verified(verification.ticket, path: verification.path, verdict))
    } catch {
      report(.refused(verification.ticket, .failed(error)))
    }
    work = .none
  }

  private mutating func takeOrder() -> Bool {
    guard let order = orders.pop() else { return false }
    switch order {
    case .purge(let purge): work = .purging(PurgeRun(purge, policy))
    case .mark(let ticket, let path, let isProtected):
      if let refusal = mark(path, isProtected: isProtected) {
        report(.refused(ticket, refusal))
      } else {
        report(.marked(ticket, path: path, isProtected: isProtected))
      }
    case .verify(let ticket, let path): beginVerification(ticket, path)
    }
    return true
  }

  private mutating func beginVerification(_ ticket: RetentionTicket, _ path: FixedText<128>) {
    do throws(RetentionRefusal) {
      let byteCount = try completeTake(at: path).byteCount
      work = .verifying(TakeVerification(ticket, path, byteCount: byteCount, ownKey: publicKey))
    } catch {
      report(.refused(ticket, error))
    }
  }

  private mutating func mark(_ path: FixedText<128>, isProtected: Bool) -> RetentionRefusal? {
    do throws(RetentionRefusal) {
      let entry = try completeTake(at: path)
      guard entry.isProtected != isProtected else { return nil }
      do throws(DeviceFailure) { try folders.setProtection(of: path, to: isProtected) } catch { throw .failed(error) }
      return nil
    } catch {
      return error
    }
  }

  /// An open take is refused: repairing it after a power cut would need the right to write to it, and its seal grows.
  private mutating func completeTake(at path: FixedText<128>) throws(RetentionRefusal) -> DayEntry {
    guard TakeFilePath(path) != nil else { throw .noTake(path) }
    var entry: DayEntry?
    var isOpen = false
    do throws(DeviceFailure) {
      entry = try folders.entry(at: path)
      isOpen = try folders.hasOpenFile(at: path)
    } catch {
      throw .failed(error)
    }
    guard let entry else { throw .absent(path) }
    guard entry.kind == .file else { throw .noTake(path) }
    guard !isOpen else { throw .open(path) }
    return entry
  }

  private mutating func report(_ report: RetentionReport) {
    let isTold = reports.push(report)
    precondition(isTold, "an order was taken without space for its report")
  }
}
