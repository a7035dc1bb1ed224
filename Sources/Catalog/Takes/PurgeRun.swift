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

extension RetentionSettings {
  /// The bin loses its oldest takes until this much is free, even if no other takes are removed: a deleted take must
  /// not end one that is being recorded.
  package var leastFreeBesideBin: UInt64 {
    leastFreeByteCount > 0 ? leastFreeByteCount : KeeperLimits.leastFreeBesideBin
  }
}

/// When a day is old enough to be removed. Days are counted from 1970-01-01.
struct RetentionRule {
  let days: UInt32
  let today: Int64

  /// Whether a day is removed for its age: today and the ``days`` before it are kept.
  func isDue(_ day: Int64) -> Bool { days > 0 && day < today - Int64(days) }

  /// Whether a day may be removed when space runs out. Because of its pre-roll, a take that begins just after midnight
  /// belongs to the previous day, whose folder must not vanish meanwhile.
  func mayGoForSpace(_ day: Int64) -> Bool { day < today - 1 }

  /// Whether a day's folder was named by a clock that was set. A clock that was not starts at 1970 or at 1980.
  static func isPlausible(_ day: Int64) -> Bool { day >= KeeperLimits.firstPlausibleDay }
}

enum KeeperLimits {
  /// 2000-01-01.
  static var firstPlausibleDay: Int64 { 10_957 }

  /// The interval between removals while a take is being recorded: otherwise the card is for the take. Removing
  /// gigabytes can stall a card for a second, and the rings bridge ten.
  static var restNanoseconds: UInt64 { 1_000_000_000 }

  /// How much of a list of copied files is read for each file: 40,000 files of a day.
  static var copyListByteCount: UInt64 { 1 << 20 }

  /// The space kept free while takes are in the bin, unless it is configured: at 100 Mbit/s a take fills 125 MB between
  /// two checks, and StorageSettings.reserveByteCount stays free.
  static var leastFreeBesideBin: UInt64 { 512_000_000 }

  /// The longest list of takes: 32 kB.
  static var listedTakes: Int { 500 }

  /// A copy is flushed after this many bytes: data waiting in memory for a slow disk delays all other writes.
  static var copyFlushByteCount: UInt64 { 8 << 20 }

  /// Space that a copy leaves free, for a file's name and metadata.
  static var copyReserveByteCount: UInt64 { 1 << 20 }

  /// How much of a take is compared with its seal in a step; a whole ledger with its seal fits.
  static var verificationByteCount: Int { 65_536 }

  /// The duration of a comparison step while a take is being recorded: 6.5 MB a second, which cards have to spare.
  static var verificationRestNanoseconds: UInt64 { 10_000_000 }

  /// How often the progress of a comparison is reported.
  static var progressNanoseconds: UInt64 { 250_000_000 }

  /// A take's ledger begins within this many bytes of its end: LedgerCoding.codedByteCount, and the boxes around it.
  static var ledgerTailByteCount: Int { 66_048 }

  /// The most bytes in the two lines before a seal: 256 and 60.
  static var ledgerHeadByteCount: Int { 320 }

  /// A step reports at most an entry, the end of its folder, and a failure.
  static var repliesPerStep: Int { 4 }
}
