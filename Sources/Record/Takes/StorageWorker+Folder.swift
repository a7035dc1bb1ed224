import Base
import Machine

/// The card with the data folder.
enum CardState {
  case works
  /// It has ended a take; it is looked for again at this position.
  case failed(nextLook: TimelinePosition)
  /// The same, and recording goes on in the fallback folder.
  case replaced(nextLook: TimelinePosition)

  /// A take has failed.
  mutating func noteFailure(at now: TimelinePosition) {
    if case .replaced = self { return }
    self = .failed(nextLook: now)
  }

  /// - Returns: whether it is time to look for the card; not again before `next`.
  mutating func isLookDue(at now: TimelinePosition, next: TimelinePosition) -> Bool {
    switch self {
    case .failed(let look) where now >= look: self = .failed(nextLook: next)
    case .replaced(let look) where now >= look: self = .replaced(nextLook: next)
    case .works, .failed, .replaced: return false
    }
    return true
  }
}

extension StorageWorker {
  /// After a take that the card has ended, or that has ended in the fallback folder: looks once a second whether the data
  /// folder is there and can be written to.
  mutating func lookForFolder() -> Bool {
    let now = tracks.timeline.now
    guard isArmed, take == nil, pending == nil, completions.isEmpty,
      card.isLookDue(at: now, next: now + UInt64(formats.timelineRateHz))
    else { return false }
    do throws(DeviceFailure) {
      try takeUpFolder()
      report(.storageReturned)
    } catch {
      return false
    }
    return true
  }

  mutating func takeUpFolder() throws(DeviceFailure) {
    try storage.reopen()
    if case .replaced = card { try takeOverJournal(isElsewhere: true) } else { try takeOverJournal(isElsewhere: false) }
    card = .works
  }

  /// The folder may be another one than before: its journal counts, and its open files are repaired.
  /// - Parameter isElsewhere: whether it is another one for certain.
  private mutating func takeOverJournal(isElsewhere: Bool) throws(DeviceFailure) {
    var found = try TakeJournal(from: &storage)
    let isBehind = found.newestUnixSeconds > journal.newestUnixSeconds
    found.goOn(from: journal)
    try found.save(to: &storage)
    journal = found
    // Another card, or the fallback folder: what is not there cannot be dated again.
    if isBehind || isElsewhere { dated.removeAll(floors: journal.newestSeconds) }
    retryRepairs()
  }

  /// Goes on in the fallback folder. When the take has ended, the card is looked for.
  /// - Returns: whether that is possible.
  mutating func fallBack(after failure: DeviceFailure) -> Bool {
    if case .replaced = card { return false }
    do throws(DeviceFailure) {
      try storage.fallBack()
      try takeOverJournal(isElsewhere: true)
    } catch {
      return false
    }
    card = .replaced(nextLook: tracks.timeline.now)
    trouble.clear()
    journalTrouble.clear()
    measureFreeSpace()
    report(.fellBack(failure))
    return true
  }
}
