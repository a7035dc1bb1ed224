import Base
import Machine
import Media

extension StorageWorker {
  /// Queues the file, to be completed while no fragment can be written.
  mutating func beginCompletion(
    of take: consuming OpenTake, for purpose: TakeCompletion.Purpose
  ) {
    completions.append(TakeCompletion(of: take, purpose: purpose))
  }

  /// Does the next piece of completing a file.
  mutating func completeFile() -> Bool {
    guard !completions.isEmpty, completionTrouble.isDue(at: moment) else { return false }
    do throws(DeviceFailure) {
      guard let completed = try completions.step(scratch: &scratch, &ledgers.texts, key: settings.signingKey)
      else { return true }
      completionTrouble.clear()
      let summary = completed.summary
      if summary.byteCount == 0 { remove(summary.path) } else { forget(summary.path) }
      tell(of: summary, completed.purpose)
    } catch {
      if error.kind == .full, giveUpSpare() {
        completions.restart()
        return true
      }
      // A full card or file may still have room for the rest.
      return (error.kind == .full || error.isFileLimit) && completions.goOnWithoutLedger() || completionFailed(error)
    }
    return true
  }

  /// - Returns: whether it is not retried.
  private mutating func completionFailed(_ failure: DeviceFailure) -> Bool {
    if completionTrouble.mayRetry(after: failure, at: moment) {
      completions.restart()
      return false
    }
    switch completions.giveUp().purpose {
    case .end(let take): report(.failed(take: take, failure, end: nil))
    case .split, .repair: report(.completionFailed(failure))
    }
    return true
  }

  /// Starts to complete the next file that a power cut or a failing card left open. A file that waits for a retry keeps
  /// its turn.
  mutating func repairNext() -> Bool {
    guard completions.isEmpty else { return false }
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
      completions.repair(
        TakeCompletion(
          repairing: try storage.open(path), ledger: ledger(ofTake: path), path: path,
          confirmed: journal.confirmed(of: path),
          sound: journal.sound(of: path)?.description(of: path, settings: settings)))
    } catch  where error.kind == .absent {
      // The power was cut between the journal's line and the file's first byte: there is nothing to repair.
      forget(path)
    } catch {
      report(.completionFailed(error))
    }
  }

  /// Removes from the journal a file that is complete, or that no repair can complete.
  private mutating func forget(_ path: FixedText<128>) {
    journal.note(closed: path)
    if saveJournal() { removeLedger(of: path) }
  }

  private mutating func remove(_ path: FixedText<128>) {
    do throws(DeviceFailure) {
      try storage.remove(path)
      forget(path)
    } catch  where error.kind == .absent {
      // The file is on the card that has failed.
      forget(path)
    } catch {
      report(.completionFailed(error))
    }
  }

  private mutating func tell(of summary: TakeSummary, _ purpose: TakeCompletion.Purpose) {
    switch purpose {
    case .end(let take): report(.finished(take: take, summary))
    case .split: report(.split(summary))
    case .repair: report(.repaired(summary))
    }
  }

  /// The card works again: completing the files that failed before is worth another try.
  mutating func retryRepairs() {
    discardLedgers()
    repairs = journal.openPaths
    for index in repairs.indices where repairs[index] == take?.path || completions.holds(repairs[index]) {
      repairs[index].removeAll()
    }
  }

  /// Reports problems with files on the card that have been repaired or dropped from the journal.
  mutating func reportNotices() {
    if let notice = kept?.takeNotice() { report(.completionFailed(notice)) }
    guard let notice = journal.takeNotice() else { return }
    report(.completionFailed(notice))
    saveJournal()
  }
}
