import Formats
import Port
import Text

extension StorageWorker where Store: ~Copyable {
  /// One file at a time is completed beside the growing one, so an earlier one is completed first.
  mutating func beginCompletion(of take: consuming OpenTake<Store.File>, isSplit: Bool) {
    while completeFile() {}
    completion = TakeCompletion(of: take, isSplit: isSplit)
  }

  /// Does the next piece of completing a file.
  mutating func completeFile() -> Bool {
    guard let purpose = completion?.purpose else { return false }
    do throws(DeviceFailure) {
      guard try completion!.step(scratch: &scratch) else { return true }
      let summary = completion.take()!.summary
      if summary.byteCount == 0 { remove(summary.path) } else { forget(summary.path) }
      tell(of: summary, purpose)
    } catch {
      completion = nil
      if case .end(let number) = purpose {
        report(.failed(take: number, error, end: nil))
      } else {
        report(.completionFailed(error))
      }
    }
    return true
  }

  /// Starts to complete the next file that a power cut or a failing card left open.
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
      completion = TakeCompletion(
        repairing: try storage.open(path), path: path, confirmed: journal.confirmed(of: path))
    } catch  where error.kind == .absent {
      // The power was cut between the journal's line and the file's first byte: there is nothing to repair.
      forget(path)
    } catch {
      report(.completionFailed(error))
    }
  }

  /// Takes a file out of the journal that is complete, or that no repair can complete.
  private mutating func forget(_ path: FixedText<128>) {
    journal.note(closed: path)
    do throws(DeviceFailure) { try journal.save(to: &storage) } catch { report(.completionFailed(error)) }
  }

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
    case .end(let number): report(.finished(take: number, summary))
    case .split: report(.split(summary))
    case .repair: report(.repaired(summary))
    }
  }

  /// The card works again, so completing the files that failed before is worth another try.
  mutating func retryRepairs() {
    repairs = journal.openPaths
    for index in repairs.indices where repairs[index] == take?.path || repairs[index] == completion?.path {
      repairs[index].removeAll()
    }
  }

  /// Reports the path in the journal that was not accepted, and takes it out.
  mutating func reportRefusedPath() {
    guard !journal.refusedPath.isEmpty else { return }
    report(.completionFailed(journal.refusal))
    journal.refusedPath.removeAll()
    do throws(DeviceFailure) { try journal.save(to: &storage) } catch { report(.completionFailed(error)) }
  }
}
