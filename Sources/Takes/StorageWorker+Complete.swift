import Board
import Formats
import Text

extension StorageWorker where Store: ~Copyable {
  /// There is room for one file to be completed beside the growing one: an earlier one is completed first.
  mutating func beginCompletion(of take: consuming OpenTake<Store.File>, isSplit: Bool) {
    while completeFile() {}
    completion = TakeCompletion(of: take, purpose: isSplit ? .split : .end)
  }

  /// Takes the next step towards a complete file.
  mutating func completeFile() -> Bool {
    guard completion != nil else { return false }
    do throws(DeviceFailure) {
      guard try completion!.step(scratch: &scratch) else { return true }
      let done = completion.take()!
      try forget(done.path)
      tell(of: done.summary, done.purpose)
    } catch {
      completion = nil
      report(.failed(error))
    }
    return true
  }

  /// Completes what a power cut left open, one file after another.
  mutating func repairNext() -> Bool {
    for index in repairs.indices where !repairs[index].isEmpty {
      let path = repairs[index]
      repairs[index].removeAll()
      beginRepair(of: path)
      return true
    }
    return false
  }

  private mutating func beginRepair(of path: FixedText<128>) {
    do throws(DeviceFailure) {
      let file = try storage.open(path)
      completion = TakeCompletion(repairing: file, path: path)
    } catch {
      // The cut came between the ledger's line and the file's first byte: there is nothing to repair.
      do throws(DeviceFailure) { try forget(path) } catch { report(.failed(error)) }
    }
  }

  mutating func forget(_ path: FixedText<128>) throws(DeviceFailure) {
    ledger.note(closed: path)
    try ledger.save(to: &storage)
  }

  private mutating func tell(of summary: TakeSummary, _ purpose: TakeCompletion<Store.File>.Purpose) {
    switch purpose {
    case .end: report(.finished(summary))
    case .split: report(.split(summary))
    case .repair: report(.repaired(path: summary.path))
    }
  }
}
