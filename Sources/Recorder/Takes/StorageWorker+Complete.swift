import Port
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
    guard let purpose = completion?.purpose else { return false }
    do throws(DeviceFailure) {
      guard try completion!.step(scratch: &scratch) else { return true }
      let summary = completion.take()!.summary
      if summary.byteCount == 0 { remove(summary.path) } else { forget(summary.path) }
      tell(of: summary, purpose)
    } catch {
      completion = nil
      report(purpose == .end ? .failed(error) : .completionFailed(error))
    }
    return true
  }

  /// Completes what a power cut or a failing card left open, one file after another.
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
      completion = TakeCompletion(repairing: try storage.open(path), path: path)
    } catch  where error.kind == .absent {
      // The cut came between the ledger's line and the file's first byte: there is nothing to repair.
      forget(path)
    } catch {
      report(.completionFailed(error))
    }
  }

  /// What is complete needs no line in the ledger any more.
  private mutating func forget(_ path: FixedText<128>) {
    ledger.note(closed: path)
    do throws(DeviceFailure) { try ledger.save(to: &storage) } catch { report(.completionFailed(error)) }
  }

  /// What holds nothing needs no file.
  private mutating func remove(_ path: FixedText<128>) {
    do throws(DeviceFailure) {
      try storage.remove(path)
      forget(path)
    } catch {
      report(.completionFailed(error))
    }
  }

  private mutating func tell(of summary: TakeSummary, _ purpose: TakeCompletion<Store.File>.Purpose) {
    switch purpose {
    case .end: report(.finished(summary))
    case .split: report(.split(summary))
    case .repair: report(.repaired(summary))
    }
  }

  /// The card works: what it did not let us complete before may be possible now.
  mutating func retryRepairs() {
    repairs = ledger.openPaths
    for index in repairs.indices where repairs[index] == take?.path || repairs[index] == completion?.path {
      repairs[index].removeAll()
    }
  }
}
