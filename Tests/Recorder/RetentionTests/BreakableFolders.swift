import Base
import Machine
import TestSupport

/// The failures of a ``BreakableFolders``.
final class Breakage {
  /// Calls with one of these paths fail.
  var paths: Set<String> = []
  /// The reported free space, to which the size of removed files is added.
  var freeAtStart: UInt64 = 0
  /// Bytes of all files that were removed.
  fileprivate(set) var removedByteCount: UInt64 = 0
  /// The files that were removed, in order.
  fileprivate(set) var removals: [String] = []
  /// Whether no folder can be removed.
  var keepsFolders = false
  /// Whether the card does not report its free space.
  var hidesFreeSpace = false
}

/// A real data folder with failing calls, because root may do everything.
struct BreakableFolders: StorageDriver, ~Copyable {
  private var base: FolderStorage
  private let breakage: Breakage

  init(_ folder: borrowing TemporaryFolder, _ breakage: Breakage) throws {
    base = try FolderStorage(folder: FixedText(folder.path), for: .keeping)
    self.breakage = breakage
  }

  private func check(_ path: borrowing FixedText<128>) throws(DeviceFailure) {
    guard breakage.paths.contains(String(copy path)) else { return }
    throw Self.failure
  }

  private static var failure: DeviceFailure {
    DeviceFailure(device: .storage, kind: .failed, subject: "", problem: "broke", remedy: "mend it")
  }

  mutating func forEachEntry(
    of folder: borrowing FixedText<256>, from place: UInt64, isExamined: Bool,
    _ visit: (borrowing FolderEntry) -> Bool
  ) throws(DeviceFailure) -> UInt64? {
    try check(FixedText(folder.bytes))
    return try base.forEachEntry(of: folder, from: place, isExamined: isExamined, visit)
  }

  mutating func entry(at path: borrowing FixedText<256>) throws(DeviceFailure) -> FolderEntry {
    try base.entry(at: path)
  }

  mutating func makeFolder(_ path: borrowing FixedText<128>) throws(DeviceFailure) { try base.makeFolder(path) }

  mutating func create(_ path: borrowing FixedText<128>) throws(DeviceFailure) -> HostFile { try base.create(path) }

  mutating func open(_ path: borrowing FixedText<128>) throws(DeviceFailure) -> HostFile {
    try check(path)
    return try base.open(path)
  }

  mutating func replace(_ path: borrowing FixedText<128>, with bytes: RawSpan) throws(DeviceFailure) {
    try base.replace(path, with: bytes)
  }

  mutating func rename(
    _ path: borrowing FixedText<128>, to newPath: borrowing FixedText<128>
  ) throws(DeviceFailure) { try base.rename(path, to: newPath) }

  mutating func synchroniseFolder(_ path: borrowing FixedText<128>) throws(DeviceFailure) {
    try base.synchroniseFolder(path)
  }

  mutating func setProtection(of path: borrowing FixedText<128>, to isProtected: Bool) throws(DeviceFailure) {
    try check(path)
    try base.setProtection(of: path, to: isProtected)
  }

  mutating func remove(_ path: borrowing FixedText<128>) throws(DeviceFailure) {
    try check(path)
    let byteCount = try base.entry(at: FixedText(path.bytes)).byteCount
    try base.remove(path)
    breakage.removedByteCount += byteCount
    breakage.removals.append(String(copy path))
  }

  mutating func removeFolder(_ path: borrowing FixedText<128>) throws(DeviceFailure) {
    if breakage.keepsFolders { throw Self.failure }
    try base.removeFolder(path)
  }

  mutating func reopen() throws(DeviceFailure) { try base.reopen() }

  mutating func fallBack() throws(DeviceFailure) { try base.fallBack() }

  func elsewhere(_ folder: borrowing FixedText<128>) throws(DeviceFailure) -> HostStorage { try base.elsewhere(folder) }

  func freeByteCount() throws(DeviceFailure) -> UInt64 {
    if breakage.hidesFreeSpace { throw Self.failure }
    return breakage.freeAtStart + breakage.removedByteCount
  }
}
