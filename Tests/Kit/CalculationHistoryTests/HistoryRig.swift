import Base
import Catalog
import Kit
import Machine
import TestSupport

/// The history's worker, on a disk in memory.
final class HistoryRig {
  let disk: MemoryDisk
  private var keeper: HistoryKeeper
  private var orders: QueueProducer<Ticketed<HistoryRequest>>
  private var reports: QueueConsumer<Ticketed<HistoryReply>>
  private var number: UInt32 = 0
  private(set) var stepCount = 0
  var now: Instant = 0
  var isRecording = false

  init(_ disk: MemoryDisk = MemoryDisk()) throws {
    var memory = leakedBootMemory()
    let channel = try unwrapped(
      JobChannel<HistoryRequest, HistoryReply>(requestCapacity: 4, answerCapacity: 8, in: &memory))
    self.disk = disk
    keeper = HistoryKeeper(
      storage: Storage(MemoryStorage(disk)), loop: channel.worker,
      buffer: try unwrapped(FixedBuffer(byteCount: HistoryLimits.pieceByteCount, in: &memory)))
    orders = channel.client.requests
    reports = channel.client.answers
  }

  /// Executes an order.
  /// - Returns: the lines of the reply, then the outcome.
  @discardableResult func run(_ task: HistoryRequest) throws -> [String] {
    number += 1
    guard orders.push(Ticketed(ticket: number, value: task)) else { throw NothingThere() }
    var told: [String] = []
    for _ in 0..<1_000_000 {
      stepCount += keeper.step(at: now, isRecording: isRecording) ? 1 : 0
      now = now + 1_000_000
      while let report = reports.pop() {
        guard report.ticket == number else { throw NothingThere() }
        switch report.value {
        case .line(let line): told.append(String(line))
        case .done(let count): return told + ["done \(count)"]
        case .refused(let refusal): return told + ["refused: \(String(refusal.line))"]
        }
      }
    }
    throw NothingThere()
  }

  /// Calculates an expression, and stores it.
  @discardableResult func keep(_ expression: String) throws -> Bool {
    let line = try Calculation(Array(expression.utf8).span).line
    return try run(.keep(line)) == ["done 1"]
  }

  func told(_ count: Int = HistoryLimits.calculations) throws -> [String] { try run(.tell(count: count)).dropLast() }
}
