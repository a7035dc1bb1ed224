import Base
import Machine
import TestSupport

/// What a ``BreakableFolders`` refuses.
final class Breakage {
  /// Calls with one of these paths fail.
  var paths: Set<String> = []
  /// The free space to tell, to which what has been removed is added.
  var freeAtStart: UInt64 = 0
  /// Bytes of all files that were removed.
  fileprivate(set) var removedByteCount: UInt64 = 0
  /// The files that were removed, in order.
  fileprivate(set) var removals: [String] = []
  /// Whether no folder can be removed.
  var keepsFolders = false
  /// Whether the card does not tell how much is free.
  var hidesFreeSpace = false
}

/// Real folders of days, with calls that fail: root may do everything.
struct BreakableFolders: DayFoldersDriver, ~Copyable {
  private var base: PosixDayFolders
  private let breakage: Breakage

  init(_ folder: borrowing TemporaryFolder, _ breakage: Breakage) throws {
    base = try PosixDayFolders(dataFolder: FixedText<256>(folder.path))
    self.breakage = breakage
  }

  private func check(_ path: borrowing FixedText<128>) throws(DeviceFailure) {
    guard breakage.paths.contains(String(copy path)) else { return }
    throw Self.failure
  }

  private static var failure: DeviceFailure {
    DeviceFailure(device: .storage, kind: .failed, subject: "", problem: "broke", remedy: "mend it")
  }

  mutating func forEachName(
    in folder: borrowing FixedText<128>, _ visit: (borrowing FixedText<256>) -> Void
  ) throws(DeviceFailure) {
    try check(folder)
    try base.forEachName(in: folder, visit)
  }

  mutating func examine(_ path: borrowing FixedText<128>) throws(DeviceFailure) -> DayEntry { try base.examine(path) }

  mutating func fileByteCount(in folder: borrowing FixedText<128>) throws(DeviceFailure) -> UInt64 {
    try check(folder)
    return try base.fileByteCount(in: folder)
  }

  mutating func read(
    _ path: borrowing FixedText<128>, at offset: UInt64, into space: inout MutableRawSpan
  ) throws(DeviceFailure) -> Int {
    try check(path)
    return try base.read(path, at: offset, into: &space)
  }

  mutating func setProtection(of path: borrowing FixedText<128>, to isProtected: Bool) throws(DeviceFailure) {
    try check(path)
    try base.setProtection(of: path, to: isProtected)
  }

  mutating func removeFile(_ path: borrowing FixedText<128>) throws(DeviceFailure) {
    try check(path)
    let byteCount = try base.examine(path).byteCount
    try base.removeFile(path)
    breakage.removedByteCount += byteCount
    breakage.removals.append(String(copy path))
  }

  mutating func removeFolder(_ path: borrowing FixedText<128>) throws(DeviceFailure) {
    if breakage.keepsFolders { throw Self.failure }
    try base.removeFolder(path)
  }

  func freeByteCount() throws(DeviceFailure) -> UInt64 {
    if breakage.hidesFreeSpace { throw Self.failure }
    return breakage.freeAtStart + breakage.removedByteCount
  }
}
