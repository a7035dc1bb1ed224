import Base
import Machine
import Record

/// A walk through the folder of a day that is to go: file by file in the order of their names, then the folder.
struct DayWalk {
  enum Step {
    /// This stays.
    case stayed(FixedText<256>, StayReason)
    case removed
    /// What had that name is not there any more, or goes with the folder.
    case passed
    case ended
  }

  let day: DayPath
  private let purge: Purge
  /// Nil: files go whether they were copied or not.
  private let mark: CopyMark?
  /// It ends as soon as this much is free; 0: only at its end.
  private let leastFreeByteCount: UInt64
  /// What a dry run would have made free before.
  private let promisedByteCount: UInt64
  private let folder: FixedText<128>
  private var lastName: FixedText<256> = ""
  private(set) var summary: DaySummary

  init(_ day: DayPath, _ purge: Purge, _ mark: CopyMark?, leastFreeByteCount: UInt64, promisedByteCount: UInt64) {
    self.day = day
    self.purge = purge
    self.mark = mark
    self.leastFreeByteCount = leastFreeByteCount
    self.promisedByteCount = promisedByteCount
    folder = day.path
    summary = DaySummary(path: folder)
  }

  /// Removes one file, or finds that one stays. After the last it removes the folder if nothing stays.
  mutating func step(_ folders: inout Storage) throws(DeviceFailure) -> Step {
    guard let name = try folders.firstName(in: folder, after: lastName) else {
      try removeFolder(&folders)
      return .ended
    }
    if try isEnoughFree(folders) {
      summary.isGone = false
      return .ended
    }
    lastName = name
    if name == CopyMark.name || name == CopyMark.unfinishedName { return .passed }
    guard let take = TakeName(name.bytes, of: day.root) else { return stay(name, .foreignFile) }
    let path: FixedText<128> = "\(folder)/\(name)"
    guard let entry = try folders.find(path) else { return .passed }
    if let reason = try reasonToStay(take, name, entry, &folders) {
      if reason == .undated, !purge.ticket.isDryRun { try folders.setProtection(of: path, to: true) }
      return stay(name, reason)
    }
    if !purge.ticket.isDryRun { try folders.removeTake(take.number, at: path) }
    summary.fileCount += 1
    summary.byteCount += entry.byteCount
    return .removed
  }

  /// Something failed: what was not looked at stays.
  mutating func breakOff() { summary.isGone = false }

  private mutating func stay(_ name: FixedText<256>, _ reason: StayReason) -> Step {
    summary.isGone = false
    return .stayed("\(folder)/\(name)", reason)
  }

  private func reasonToStay(
    _ take: TakeName, _ name: FixedText<256>, _ entry: FolderEntry, _ folders: inout Storage
  ) throws(DeviceFailure) -> StayReason? {
    guard entry.kind == .file else { return .foreignFile }
    if entry.isProtected { return .protected }
    // Asked for each file: a take may have begun meanwhile.
    if try folders.hasOpenFile(at: folder) { return .open }
    if purge.undated.contains(take.number) { return .undated }
    guard let mark else { return nil }
    return try mark.covers(name, entry, in: &folders) ? nil : .notCopied
  }

  private func isEnoughFree(_ folders: borrowing Storage) throws(DeviceFailure) -> Bool {
    guard leastFreeByteCount > 0 else { return false }
    let promised = purge.ticket.isDryRun ? promisedByteCount + summary.byteCount : 0
    return try folders.freeByteCount() + promised >= leastFreeByteCount
  }

  private mutating func removeFolder(_ folders: inout Storage) throws(DeviceFailure) {
    guard summary.isGone, !purge.ticket.isDryRun else { return }
    // Should it fail, the folder is still there.
    summary.isGone = false
    if try folders.hasOpenFile(at: folder) { return }
    try folders.removeIfThere("\(folder)/\(CopyMark.unfinishedName)")
    try folders.removeIfThere("\(folder)/\(CopyMark.name)")
    try folders.removeFolder(folder)
    summary.isGone = true
  }
}
