import Base
import Configuration
import Machine

/// A pass through the day folders: each step lists a folder or removes a file.
struct PurgeRun {
  private enum Stage {
    /// Searches for days that are too old, root by root.
    case ages
    /// Searches for the oldest day of all roots until enough space is free.
    case space
    /// Removes the calculator's history.
    case history
    /// Removes the names of takes, and then what people have added to them.
    case names
    case remarks
    case ended
  }

  let purge: Purge
  /// What to search for once ``walk`` has ended.
  private var stage: Stage
  /// The root being searched.
  private var rootIndex = 0
  /// The last entry examined in it.
  private var lastName: FixedText<256> = ""
  /// The last day examined for space.
  private var lastDay: DayPath?
  /// The folder being emptied. The bin is first: what the user has deleted goes before anything else.
  private var walk: TakeWalk?
  /// The roots in which something failed.
  private var hasFailed = InlineArray<3, Bool>(repeating: false)
  private var summary = PurgeSummary()

  init(_ purge: Purge) {
    self.purge = purge
    walk = TakeWalk(bin: purge)
    switch purge.scope {
    case .everything: stage = purge.policy.isOff ? .ended : .ages
    case .space: stage = purge.policy.leastFreeByteCount > 0 ? .space : .ended
    case .spaceInBin, .bin: stage = .ended
    case .wipe: stage = .ages
    }
  }

  private var policy: RetentionSettings { purge.policy }

  private var rule: RetentionRule { purge.rule }

  enum Step {
    case looked
    case removed
    case ended
  }

  /// Does the next piece.
  mutating func step(
    _ folders: inout Storage, _ replies: inout KeeperReplies
  ) -> Step {
    do throws(DeviceFailure) {
      if walk != nil { return try stepWalk(&folders, &replies) }
      switch stage {
      case .ages: try lookForAge(&folders, &replies)
      case .space: try lookForSpace(&folders, &replies)
      case .history: try removeHistory(&folders)
      case .names: try removeName(in: EnteredText.name.folder, &folders, next: .remarks)
      case .remarks: try removeName(in: EnteredText.remarks.folder, &folders, next: .ended)
      case .ended:
        replies.tell(.purged(summary, isDryRun: purge.isDryRun))
        return .ended
      }
    } catch {
      fail(error, &replies)
    }
    return .looked
  }

  private mutating func stepWalk(
    _ folders: inout Storage, _ replies: inout KeeperReplies
  ) throws(DeviceFailure) -> Step {
    switch try walk!.step(&folders) {
    case .stayed(let path, let reason): tellStay(path, reason, &replies)
    case .removed: return .removed
    case .passed: break
    case .ended: endWalk(&replies)
    }
    return .looked
  }

  private mutating func endWalk(_ replies: inout KeeperReplies) {
    guard let ended = walk.take() else { return }
    let day = ended.summary
    guard day.fileCount > 0 || (!ended.isInBin && (day.isGone || purge.isDryRun)) else { return }
    summary.add(day)
    tell(.day(day), &replies)
  }

  /// The first failure ends its root.
  private mutating func fail(_ failure: DeviceFailure, _ replies: inout KeeperReplies) {
    if walk?.isInBin == true {
      endWalk(&replies)
      return tell(.failed(folder: "bin", failure), &replies)
    }
    switch stage {
    case .history: return goOn(to: .names, after: failure, in: "calculations", &replies)
    case .names: return goOn(to: .remarks, after: failure, in: "names", &replies)
    case .remarks: return goOn(to: .ended, after: failure, in: "remarks", &replies)
    case .ages, .space, .ended: break
    }
    walk?.breakOff()
    endWalk(&replies)
    hasFailed[rootIndex] = true
    tell(.failed(folder: "\(TakeRoots.root(rootIndex).name)", failure), &replies)
    if stage == .ages { beginNextRoot() }
  }

  private mutating func goOn(
    to stage: Stage, after failure: DeviceFailure, in folder: FixedText<16>, _ replies: inout KeeperReplies
  ) {
    self.stage = stage
    lastName = ""
    tell(.failed(folder: folder, failure), &replies)
  }

  private mutating func beginNextRoot() {
    rootIndex += 1
    lastName = ""
    guard rootIndex == TakeRoots.count else { return }
    rootIndex = 0
    if purge.removesTexts {
      stage = .history
    } else {
      stage = purge.scope.followsPolicy && policy.leastFreeByteCount > 0 ? .space : .ended
    }
  }

  private mutating func removeHistory(_ folders: inout Storage) throws(DeviceFailure) {
    for index in 0..<2 {
      let path = (index == 0 ? HistoryPart.old : .new).path
      if try folders.find(path)?.kind == .file { try folders.remove(path) }
    }
    stage = .names
  }

  /// Removes the next file about a take; after the last, their folder.
  private mutating func removeName(
    in folder: FixedText<128>, _ folders: inout Storage, next stage: Stage
  ) throws(DeviceFailure) {
    guard let name = try folders.firstNameIfThere(in: folder, after: lastName) else {
      // It stays if it holds anything else.
      try? folders.removeFolder(folder)
      // What was removed does not come back after a power cut.
      try folders.synchroniseFolder("")
      lastName = ""
      self.stage = stage
      return
    }
    lastName = name
    guard let number = EnteredText.number(in: name.bytes), number <= purge.lastNumber else { return }
    let path: FixedText<128> = "\(folder)/\(name)"
    if try folders.find(path)?.kind == .file { try folders.remove(path) }
  }

  private mutating func lookForAge(
    _ folders: inout Storage, _ replies: inout KeeperReplies
  ) throws(DeviceFailure) {
    let root = TakeRoots.root(rootIndex)
    var next: FixedText<256>?
    do throws(DeviceFailure) {
      next = try folders.firstName(in: "\(root.name)", after: lastName)
    } catch {
      guard error.kind == .absent else { throw error }
      if purge.scope.followsPolicy { tell(.absent(root), &replies) }
    }
    guard let name = next else { return beginNextRoot() }
    lastName = name
    let path: FixedText<256> = "\(root.name)/\(name)"
    guard let day = try day(name, &folders) else { return tellStay(path, .foreignFolder, &replies) }
    let followsPolicy = purge.scope.followsPolicy
    if followsPolicy, !RetentionRule.isPlausible(day.day) { return tellStay(path, .neverDated, &replies) }
    if !followsPolicy || rule.isDue(day.day) {
      try begin(day, leastFreeByteCount: 0, &folders, &replies)
    } else if policy.leastFreeByteCount == 0 {
      tellStay(path, .recent, &replies)
    }
  }

  /// The day folder with this name; nil for a link, a file, or any other name.
  private func day(
    _ name: FixedText<256>, _ folders: inout Storage
  ) throws(DeviceFailure) -> DayPath? {
    guard let number = CivilTime.dayNumber(ofDateText: name.bytes) else { return nil }
    let day = DayPath(rootIndex: rootIndex, day: number)
    return try folders.find(day.path)?.kind == .folder ? day : nil
  }

  private mutating func begin(
    _ day: DayPath, leastFreeByteCount: UInt64, _ folders: inout Storage,
    _ replies: inout KeeperReplies
  ) throws(DeviceFailure) {
    let path = FixedText<256>(day.path.bytes)
    if try folders.hasOpenFile(at: day.path) { return tellStay(path, .open, &replies) }
    let takesOnlyCopied = policy.takesOnlyCopied && purge.scope.followsPolicy
    let mark = takesOnlyCopied ? try CopyMark(of: day.path, in: &folders) : nil
    if takesOnlyCopied, mark == nil { return tellStay(path, .notCopied, &replies) }
    walk = TakeWalk(
      day, purge, mark, leastFreeByteCount: leastFreeByteCount, promisedByteCount: summary.byteCount)
  }

  private mutating func lookForSpace(
    _ folders: inout Storage, _ replies: inout KeeperReplies
  ) throws(DeviceFailure) {
    let promised = purge.isDryRun ? summary.byteCount : 0
    // If the card cannot tell, there is nothing to go by.
    stage = .ended
    let isEnough = try folders.freeByteCount() + promised >= policy.leastFreeByteCount
    stage = .space
    guard !isEnough || purge.isDryRun, let day = try oldestDay(&folders) else {
      summary.isShortOfSpace = !isEnough
      stage = .ended
      return
    }
    lastDay = day
    rootIndex = day.rootIndex
    // Already examined for its age.
    if purge.scope == .everything, rule.isDue(day.day) { return }
    guard try folders.find(day.path)?.kind == .folder else { return }
    let path = FixedText<256>(day.path.bytes)
    guard rule.mayGoForSpace(day.day) else { return tellStay(path, .recent, &replies) }
    if isEnough { return tellStay(path, .enoughFree, &replies) }
    try begin(day, leastFreeByteCount: policy.leastFreeByteCount, &folders, &replies)
  }

  /// The oldest day after ``lastDay`` by name, in the roots without a failure.
  private mutating func oldestDay(
    _ folders: inout Storage
  ) throws(DeviceFailure) -> DayPath? {
    var oldest: DayPath?
    for index in 0..<TakeRoots.count where !hasFailed[index] {
      rootIndex = index
      do throws(DeviceFailure) {
        try folders.forEachName(in: "\(TakeRoots.root(index).name)") { entry in
          guard let number = CivilTime.dayNumber(ofDateText: entry.name.bytes), RetentionRule.isPlausible(number) else {
            return
          }
          let day = DayPath(rootIndex: index, day: number)
          if let lastDay, !lastDay.precedes(day) { return }
          if oldest.map({ day.precedes($0) }) ?? true { oldest = day }
        }
      } catch {
        guard error.kind == .absent else { throw error }
      }
    }
    return oldest
  }

  private mutating func tellStay(
    _ path: FixedText<256>, _ reason: StayReason, _ replies: inout KeeperReplies
  ) {
    // That a take is protected is reported once, when it happens.
    guard purge.isDryRun || reason == .undated else { return }
    tell(.stays(path: path, reason), &replies)
  }

  private mutating func tell(_ event: PurgeEvent, _ replies: inout KeeperReplies) {
    if case .failed = event { summary.hasFailed = true }
    replies.tell(.purging(event, isDryRun: purge.isDryRun))
  }
}
