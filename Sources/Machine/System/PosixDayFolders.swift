import Base
import CLinux

/// The folders of days as ordinary folders of the system. A file is protected when it may not be written to
/// (`chmod a-w`), as cameras mark what is to be kept.
package struct PosixDayFolders: DayFoldersDriver, ~Copyable {
  private var dataFolder: DataFolder

  /// - Parameter dataFolder: must exist; it may be a link itself.
  /// - Throws: when it cannot be opened.
  package init<let capacity: Int>(dataFolder: borrowing FixedText<capacity>) throws(DeviceFailure) {
    self.dataFolder = try DataFolder(dataFolder)
  }

  /// Leaves out `.` and `..`.
  package mutating func forEachName(
    in folder: borrowing FixedText<128>, _ visit: (borrowing FixedText<256>) -> Void
  ) throws(DeviceFailure) {
    dataFolder.follow()
    var entries = FolderEntries(try openFolder(folder))
    while let entry = try entries.next(in: folder) { visit(entry.name) }
  }

  /// Asks the file system; nothing is opened but the folder.
  package mutating func examine(_ path: borrowing FixedText<128>) throws(DeviceFailure) -> DayEntry {
    dataFolder.follow()
    let folder = try openFolder(path.parentFolder)
    guard let status = FileStatus(FixedText<128>(path.lastPart), in: folder, followsLinks: false) else {
      throw storageFailure(path, "cannot be examined")
    }
    return DayEntry(
      kind: status.isFile ? .file : status.isFolder ? .folder : .other, byteCount: status.byteCount,
      modifiedNanoseconds: status.modifiedNanoseconds, isProtected: !status.mayBeWritten)
  }

  /// Asks the file system about each entry; what vanished meanwhile has nothing.
  package mutating func fileByteCount(in folder: borrowing FixedText<128>) throws(DeviceFailure) -> UInt64 {
    dataFolder.follow()
    var entries = FolderEntries(try openFolder(folder))
    var byteCount: UInt64 = 0
    while let entry = try entries.next(in: folder) {
      guard let status = FileStatus(entry.name, in: entries.folder, followsLinks: false), status.isFile else {
        continue
      }
      byteCount += status.byteCount
    }
    return byteCount
  }

  /// Opens the file for each call.
  package mutating func read(
    _ path: borrowing FixedText<128>, at offset: UInt64, into space: inout MutableRawSpan
  ) throws(DeviceFailure) -> Int {
    var file = try PosixFile(try openFile(path), path: path)
    return try file.read(at: offset, into: &space)
  }

  /// `fchmod`, then `fsync`: `fdatasync` may leave out a file's mode.
  package mutating func setProtection(
    of path: borrowing FixedText<128>, to isProtected: Bool
  ) throws(DeviceFailure) {
    let file = try openFile(path)
    guard let mode = FileStatus(of: file)?.permissions else {
      throw storageFailure(path, "cannot be examined")
    }
    let wanted = isProtected ? mode & ~0o222 : mode | 0o200
    guard fchmod(file.number, wanted) == 0 else { throw storageFailure(path, "cannot be protected or released") }
    guard retryingWhenInterrupted({ Int(fsync(file.number)) }) == 0 else {
      throw storageFailure(path, "cannot be flushed to the disk")
    }
  }

  /// `unlinkat`.
  package mutating func removeFile(_ path: borrowing FixedText<128>) throws(DeviceFailure) {
    try remove(path, flags: 0)
  }

  /// `unlinkat` with `AT_REMOVEDIR`.
  package mutating func removeFolder(_ path: borrowing FixedText<128>) throws(DeviceFailure) {
    try remove(path, flags: AT_REMOVEDIR)
  }

  private func remove(_ path: borrowing FixedText<128>, flags: Int32) throws(DeviceFailure) {
    let folder = try openFolder(path.parentFolder)
    let name = FixedText<128>(path.lastPart)
    let removed = unsafe name.withCString { name in unsafe unlinkat(folder.number, name, flags) }
    guard removed == 0 else { throw storageFailure(path, "cannot be removed") }
  }

  /// What an ordinary user may still use.
  package func freeByteCount() throws(DeviceFailure) -> UInt64 { try freeBytes(of: dataFolder.root) }

  /// The data folder itself when `path` is empty.
  private func openFolder(_ path: borrowing FixedText<128>) throws(DeviceFailure) -> FileDescriptor {
    let relative: FixedText<128> = path.isEmpty ? "." : copy path
    guard let folder = FileDescriptor(walking: relative, flags: O_RDONLY | O_DIRECTORY, from: dataFolder.root) else {
      throw storageFailure(path, "cannot be opened")
    }
    return folder
  }

  /// `O_NONBLOCK`: what was examined as a file may be a pipe by now.
  private func openFile(_ path: borrowing FixedText<128>) throws(DeviceFailure) -> FileDescriptor {
    guard let file = FileDescriptor(walking: path, flags: O_RDONLY | O_NONBLOCK, from: dataFolder.root) else {
      throw storageFailure(path, "cannot be opened")
    }
    return file
  }
}
