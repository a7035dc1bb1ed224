import Base
import Machine
import Media
import Record

extension TakeKeeper {
  /// Starts an action on the take at a path.
  /// - Returns: the result; nil while more steps are needed.
  mutating func begin(_ task: TakeTask, at path: FixedText<128>) throws(KeeperRefusal) -> TakeResult? {
    guard case .one(_, let action, let openName, let isDryRun) = task.kind else { return nil }
    guard let take = TakeFilePath(path) else { throw .noTake(path) }
    switch action {
    case .undelete: return try undelete(take, path)
    case .name(let name): return .name(try call(take, name, path))
    case .judge(let verdict):
      guard try isFile(path) else { throw .absent(path) }
      return try judge(take, verdict, at: path)
    case .note(let remark):
      guard try isFile(path) else { throw .absent(path) }
      return try note(take, remark, at: path)
    case .verify: work = .verifying(try beginVerification(path))
    case .export(let folder): try begin(path, try completeTake(at: path), into: folder)
    case .protect(let isProtected):
      if try completeTake(at: path).isProtected != isProtected {
        try onCard { () throws(DeviceFailure) in try folders.setProtection(of: path, to: isProtected) }
        // Some file systems report success and do nothing.
        guard try completeTake(at: path).isProtected == isProtected else {
          throw .failed(.unprotectable(path))
        }
      }
      return .protected(isProtected)
    case .delete: return try delete(path, openName: openName, isDryRun: isDryRun)
    case .remove:
      let entry = try deletable(path, openName: openName)
      try onCard { () throws(DeviceFailure) in try folders.removeTake(take.number, at: path) }
      _ = moves.push(path)
      return .removed(byteCount: entry.byteCount)
    }
    return nil
  }

  private mutating func delete(
    _ path: FixedText<128>, openName: FixedText<48>, isDryRun: Bool
  ) throws(KeeperRefusal) -> TakeResult {
    let entry = try deletable(path, openName: openName)
    guard !isDryRun else { return .deletable(byteCount: entry.byteCount, hasBin: hasRoomForBin()) }
    try move(path, to: BinPath.path(of: path))
    _ = moves.push(path)
    return .deleted(byteCount: entry.byteCount)
  }

  private mutating func deletable(
    _ path: FixedText<128>, openName: FixedText<48>
  ) throws(KeeperRefusal) -> FolderEntry {
    let entry = try completeTake(at: path)
    if entry.isProtected { throw .protected(path) }
    if openName.bytes.equals(path.lastPart) { throw .played(path) }
    return entry
  }

  /// Whether nothing keeps the bin from being made for lack of space: on a card that is full to the last byte, deleting
  /// must not need some.
  private mutating func hasRoomForBin() -> Bool {
    do throws(DeviceFailure) { try makeFolder(BinPath.folder) } catch { return error.kind != .full }
    return true
  }

  func verification(_ path: FixedText<128>, byteCount: UInt64) -> TakeVerification {
    TakeVerification(path, byteCount: byteCount, ownKey: publicKey)
  }

  mutating func beginVerification(_ path: FixedText<128>) throws(KeeperRefusal) -> TakeVerification {
    verification(path, byteCount: try completeTake(at: path).byteCount)
  }

  /// Refuses an open take: repairing it after a power cut would need write permission, and its seal still grows.
  private mutating func completeTake(at path: FixedText<128>) throws(KeeperRefusal) -> FolderEntry {
    let entry = try onCard { () throws(DeviceFailure) in try folders.find(path) }
    let isOpen = try onCard { () throws(DeviceFailure) in try folders.hasOpenFile(at: path) }
    guard let entry else { throw .absent(path) }
    guard entry.kind == .file else { throw .noTake(path) }
    guard !isOpen else { throw pace.isRecording ? .open(path) : .leftOpen(path) }
    return entry
  }

  private mutating func isFile(_ path: FixedText<128>) throws(KeeperRefusal) -> Bool {
    try onCard { () throws(DeviceFailure) in try folders.find(path)?.kind == .file }
  }

  private mutating func undelete(
    _ take: TakeFilePath, _ path: FixedText<128>
  ) throws(KeeperRefusal) -> TakeResult {
    let place = BinPath.path(of: path)
    guard try isFile(place) else { throw .notInBin(take.number) }
    try move(place, to: path)
    _ = moves.push(path)
    return .undeleted
  }

  /// One rename moves the whole take: it is in one place or the other whenever the power fails. The target folder is
  /// flushed first, and the new name before the absence of the old one.
  private mutating func move(_ path: FixedText<128>, to newPath: FixedText<128>) throws(KeeperRefusal) {
    try onCard { () throws(DeviceFailure) in
      // The card may have been removed and reinserted since its last use.
      try folders.reopen()
      try makeFolder(newPath.parentFolder)
      try folders.rename(path, to: newPath)
      try folders.synchroniseFolder(newPath.parentFolder)
      try folders.synchroniseFolder(path.parentFolder)
    }
  }

  private mutating func makeFolder(_ path: FixedText<128>) throws(DeviceFailure) {
    do throws(DeviceFailure) { try folders.makeFolder(path) } catch {
      guard (try? folders.setAsideObstacle(to: path)) ?? nil != nil else { throw error }
      try folders.makeFolder(path)
    }
    var above = path
    while !above.isEmpty {
      above = above.parentFolder
      try folders.synchroniseFolder(above)
    }
  }

  /// Stores the user's name for a take, even while it is being recorded.
  /// - Parameter name: nil to keep it.
  /// - Returns: the present name.
  private mutating func call(
    _ take: TakeFilePath, _ name: FixedText<64>?, _ path: FixedText<128>
  ) throws(KeeperRefusal) -> KeptName {
    guard try isFile(path) else { throw .absent(path) }
    return try onCard { () throws(DeviceFailure) in
      if let name { try keep(name, ofTake: take.number) }
      return try self.name(of: take.number)
    }
  }

  /// An empty name removes the name's file.
  private mutating func keep(_ name: FixedText<64>, ofTake number: UInt32) throws(DeviceFailure) {
    var line: FixedText<80> = "\(name)\n"
    if name.isEmpty { line.removeAll() }
    try keep(line.bytes, at: EnteredText.name.path(ofTake: number))
  }

  /// Replaces a small file about a take; an empty text removes it.
  mutating func keep(_ text: Span<UInt8>, at path: FixedText<128>) throws(DeviceFailure) {
    try folders.reopen()
    guard !text.isEmpty else {
      guard try folders.find(path) != nil else { return }
      try folders.remove(path)
      return try folders.synchroniseFolder(path.parentFolder)
    }
    try makeFolder(path.parentFolder)
    try unsafe folders.replace(path, with: text.bytes)
  }

  /// The user's name for a take; empty if it has none.
  mutating func name(of number: UInt32) throws(DeviceFailure) -> KeptName {
    let path = EnteredText.name.path(ofTake: number)
    // The longest name, its line end, and whatever else damage may have put there.
    var bytes = InlineArray<128, UInt8>(repeating: 0)
    let byteCount = try folders.readIfThere(path, into: &bytes)
    if byteCount == 0, try folders.find(path) == nil { return KeptName() }
    return KeptName(bytes.span.extracting(first: byteCount))
  }

  /// - Returns: nil if the take has vanished.
  mutating func summary(of take: FoundTake, isInBin: Bool) throws(DeviceFailure) -> ListedTake? {
    let path = FixedText<128>(take.path.bytes)
    let place = isInBin ? BinPath.path(of: path) : path
    guard let entry = try folders.find(place), entry.kind == .file else { return nil }
    let isOpen = isInBin ? false : try folders.hasOpenFile(at: path)
    var summary = ListedTake(take, entry, isOpen ? pace.isRecording ? .growing : .leftOpen : .complete)
    if !isOpen {
      // A file that cannot be read must not hide the others.
      do throws(DeviceFailure) { try summary.read(at: place, &folders, &buffer) } catch {
        guard error.kind != .absent else { return nil }
        summary.state = .unreadable
      }
    }
    // If a name cannot be read, only the name is missing: asking for it gives the reason.
    summary.name = (try? name(of: take.number)) ?? KeptName(isDamaged: true)
    return summary
  }
}

extension DeviceFailure {
  @inline(never)
  fileprivate static func unprotectable(_ path: FixedText<128>) -> DeviceFailure {
    DeviceFailure(
      device: .storage, kind: .unsupported, subject: FixedText(path.bytes), problem: "cannot be protected or released",
      remedy: "its file system does not keep that; ext4 does")
  }
}
