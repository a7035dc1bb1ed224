import Base
import Machine
import Record

/// A walk through a day folder to be removed, or through the bin: file by file in the order of names, so that the
/// oldest is removed first; then the folder.
struct TakeWalk {
  enum Step {
    /// This file is kept.
    case stayed(FixedText<256>, StayReason)
    case removed
    /// The file has vanished, or is removed with the folder.
    case passed
    case ended
  }

  /// Nil for the bin.
  private let day: DayPath?
  private let purge: Purge
  /// Nil to remove files whether they were copied or not.
  private let mark: CopyMark?
  /// The walk ends as soon as this much is free; 0 to continue to the end.
  private let leastFreeByteCount: UInt64
  /// What a dry run would have freed so far.
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

  /// Empties the bin as far as required.
  init(bin purge: Purge) {
    day = nil
    self.purge = purge
    mark = nil
    leastFreeByteCount = purge.policy.leastFreeBesideBin
    promisedByteCount = 0
    folder = BinPath.folder
    summary = DaySummary(path: folder)
  }

  var isInBin: Bool { day == nil }

  /// Removes or keeps one file. After the last, removes the folder if nothing is kept.
  mutating func step(_ folders: inout Storage) throws(DeviceFailure) -> Step {
    guard let name = try nextName(&folders) else {
      try removeFolder(&folders)
      return .ended
    }
    if !isInBin, leastFreeByteCount > 0, try isEnoughFree(folders) { return end() }
    lastName = name
    if !isInBin, name == CopyMark.name || name == CopyMark.unfinishedName { return .passed }
    guard let number = takeNumber(name) else { return stay(name, .foreignFile) }
    let path: FixedText<128> = "\(folder)/\(name)"
    guard let entry = try folders.find(path) else { return .passed }
    guard entry.kind == .file else { return stay(name, .foreignFile) }
    if !purge.scope.followsPolicy {
      // Checked for each file: a take may have begun meanwhile.
      if try folders.hasOpenFile(at: folder) { return stay(name, .open) }
      if number > purge.lastNumber { return stay(name, .recent) }
    } else if entry.isProtected {
      return stay(name, .protected)
    } else if isInBin {
      guard try leavesBin(name, folders) else { return end() }
    } else if let reason = try reasonToStay(number, name, entry, &folders) {
      if reason == .undated, !purge.isDryRun { try folders.setProtection(of: path, to: true) }
      return stay(name, reason)
    }
    if !purge.isDryRun { try folders.removeTake(number, at: path) }
    summary.fileCount += 1
    summary.byteCount += entry.byteCount
    summary.lastNumber = max(summary.lastNumber, number)
    return .removed
  }

  /// A missing bin counts as empty.
  private func nextName(_ folders: inout Storage) throws(DeviceFailure) -> FixedText<256>? {
    if isInBin { return try folders.firstNameIfThere(in: folder, after: lastName) }
    return try folders.firstName(in: folder, after: lastName)
  }

  /// Stops after a failure: whatever has not been examined is kept.
  mutating func breakOff() { summary.isGone = false }

  private mutating func end() -> Step {
    summary.isGone = false
    return .ended
  }

  private mutating func stay(_ name: FixedText<256>, _ reason: StayReason) -> Step {
    summary.isGone = false
    return .stayed("\(folder)/\(name)", reason)
  }

  private func takeNumber(_ name: FixedText<256>) -> UInt32? {
    guard let day else { return BinPath.origin(of: name.bytes).flatMap { TakeFilePath($0)?.number } }
    return TakeName(name.bytes, of: day.root)?.number
  }

  private func reasonToStay(
    _ number: UInt32, _ name: FixedText<256>, _ entry: FolderEntry, _ folders: inout Storage
  ) throws(DeviceFailure) -> StayReason? {
    // Checked for each file: a take may have begun meanwhile.
    if try folders.hasOpenFile(at: folder) { return .open }
    if purge.undated.contains(number) { return .undated }
    guard let mark else { return nil }
    return try mark.covers(name, entry, in: &folders) ? nil : .notCopied
  }

  /// - Parameter name: begins with the take's day.
  private func leavesBin(_ name: FixedText<256>, _ folders: borrowing Storage) throws(DeviceFailure) -> Bool {
    if purge.scope == .bin { return true }
    let day = CivilTime.dayNumber(ofDateText: name.bytes.extracting(first: 8)) ?? 0
    if purge.scope == .everything, RetentionRule.isPlausible(day), purge.rule.isDue(day) { return true }
    return try !isEnoughFree(folders)
  }

  private func isEnoughFree(_ folders: borrowing Storage) throws(DeviceFailure) -> Bool {
    let promised = purge.isDryRun ? promisedByteCount + summary.byteCount : 0
    return try folders.freeByteCount() + promised >= leastFreeByteCount
  }

  private mutating func removeFolder(_ folders: inout Storage) throws(DeviceFailure) {
    guard summary.isGone, !purge.isDryRun else { return }
    if isInBin {
      if summary.fileCount > 0 { try folders.removeFolder(folder) }
      return
    }
    // If this fails, the folder is still there.
    summary.isGone = false
    if try folders.hasOpenFile(at: folder) { return }
    try folders.removeIfThere("\(folder)/\(CopyMark.unfinishedName)")
    try folders.removeIfThere("\(folder)/\(CopyMark.name)")
    try folders.removeFolder(folder)
    summary.isGone = true
  }
}

/// The mark of a day that was copied: the file `.copied` in its folder, with a line `SIZE NAME` for each copied file.
///
/// A list never covers a take made after it, whatever the clock showed then, or one that has grown since.
struct CopyMark {
  static var name: StaticString { ".copied" }
  /// The name of the list until the copy is complete.
  static var unfinishedName: StaticString { ".copying" }

  private let path: FixedText<128>
  private let writtenNanoseconds: Int64

  /// - Returns: nil if the folder has no mark.
  init?(of folder: FixedText<128>, in folders: inout Storage) throws(DeviceFailure) {
    path = "\(folder)/\(Self.name)"
    guard let entry = try folders.find(path), entry.kind == .file else { return nil }
    writtenNanoseconds = entry.modifiedNanoseconds
  }

  /// Whether it lists a file with its present size, and the file has not changed since.
  func covers(
    _ name: FixedText<256>, _ entry: FolderEntry, in folders: inout Storage
  ) throws(DeviceFailure) -> Bool {
    guard entry.modifiedNanoseconds <= writtenNanoseconds else { return false }
    var search = LineSearch("\(entry.byteCount) \(name)")
    var chunk = InlineArray<512, UInt8>(repeating: 0)
    var offset: UInt64 = 0
    while offset < KeeperLimits.copyListByteCount {
      var span = chunk.mutableSpan
      var space = unsafe span.mutableBytes
      let count = try folders.read(path, at: offset, into: &space)
      if search.finds(in: chunk.span.extracting(first: count)) { return true }
      guard count == chunk.count else { break }
      offset += UInt64(count)
    }
    return search.finds(in: ("\n" as StaticString).utf8Bytes)
  }
}

/// Searches for a line in text that arrives in pieces.
private struct LineSearch {
  /// A size has at most 20 digits and a take's name 48 bytes. Longer lines are truncated, and still longer than this.
  private let wanted: FixedText<80>
  private var line = FixedText<80>()

  init(_ wanted: FixedText<80>) { self.wanted = wanted }

  /// Whether the line ends in this piece.
  mutating func finds(in piece: Span<UInt8>) -> Bool {
    for index in piece.indices where piece[index] != UInt8(ascii: "\r") {
      guard piece[index] == UInt8(ascii: "\n") else {
        line.append(byte: piece[index])
        continue
      }
      if line == wanted { return true }
      line.removeAll()
    }
    return false
  }
}
