import Base
import Machine

/// Empties the bin, the oldest take first, as far as it is to be emptied.
struct BinWalk {
  private let purge: Purge
  private let rule: RetentionRule
  private let leastFreeByteCount: UInt64
  private var lastName: FixedText<256> = ""
  private(set) var summary = DaySummary(path: BinPath.folder)

  init(_ purge: Purge, _ rule: RetentionRule, leastFreeByteCount: UInt64) {
    self.purge = purge
    self.rule = rule
    self.leastFreeByteCount = leastFreeByteCount
  }

  /// Removes one take, or finds that one stays.
  mutating func step(_ folders: inout Storage) throws(DeviceFailure) -> DayWalk.Step {
    var next: FixedText<256>?
    do throws(DeviceFailure) { next = try folders.firstName(in: BinPath.folder, after: lastName) } catch {
      guard error.kind == .absent else { throw error }
    }
    guard let name = next else {
      if summary.isGone, summary.fileCount > 0, !purge.ticket.isDryRun { try folders.removeFolder(BinPath.folder) }
      return .ended
    }
    let path: FixedText<128> = "\(BinPath.folder)/\(name)"
    lastName = name
    guard let origin = BinPath.origin(of: name.bytes), let take = TakeFilePath(origin) else {
      return stay(path, .foreignFile)
    }
    guard let entry = try folders.find(path) else { return .passed }
    guard entry.kind == .file else { return stay(path, .foreignFile) }
    if entry.isProtected { return stay(path, .protected) }
    guard try mayGo(take, folders) else {
      summary.isGone = false
      return .ended
    }
    if !purge.ticket.isDryRun { try folders.removeTake(take.number, at: path) }
    summary.fileCount += 1
    summary.byteCount += entry.byteCount
    return .removed
  }

  private mutating func stay(_ path: FixedText<128>, _ reason: StayReason) -> DayWalk.Step {
    summary.isGone = false
    return .stayed(FixedText(path.bytes), reason)
  }

  private func mayGo(
    _ take: TakeFilePath, _ folders: borrowing Storage
  ) throws(DeviceFailure) -> Bool {
    if purge.scope == .bin { return true }
    let day = CivilTime.dayNumber(ofDateText: take.folder.lastPart) ?? 0
    if purge.scope == .everything, RetentionRule.isPlausible(day), rule.isDue(day) { return true }
    let promised = purge.ticket.isDryRun ? summary.byteCount : 0
    return try folders.freeByteCount() + promised < leastFreeByteCount
  }
}
