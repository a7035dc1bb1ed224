import Base
import CLinux

/// The data folder and others as ordinary folders of the system. Symbolic links are followed, except to
/// a folder around them.
package struct PosixMediaFolders: MediaFoldersDriver, ~Copyable {
  private var dataFolder: DataFolder

  /// - Parameter dataFolder: relative paths start there; it must exist.
  /// - Throws: when it cannot be opened.
  package init<let capacity: Int>(dataFolder: borrowing FixedText<capacity>) throws(DeviceFailure) {
    self.dataFolder = try DataFolder(dataFolder)
  }

  /// A place is what the file system calls the offset of an entry (`d_off`).
  package mutating func forEachEntry(
    of folder: borrowing FixedText<256>, from place: UInt64, _ visit: (borrowing FolderEntry) -> Bool
  ) throws(DeviceFailure) -> UInt64? {
    if place == 0 { dataFolder.follow() }
    let path: FixedText<256> = folder.isEmpty ? "." : copy folder
    guard let opened = FileDescriptor(path: path, flags: O_RDONLY | O_DIRECTORY, in: dataFolder.root.number) else {
      throw storageFailure(path, "cannot be opened")
    }
    var entries = FolderEntries(opened, from: place)
    while let entry = try entries.next(in: path) {
      guard let found = examine(entry, in: entries.folder, at: path) else { continue }
      guard visit(found) else { return entry.nextPlace }
    }
    return nil
  }

  /// Asks the file system; nothing is opened.
  package mutating func entry(at path: borrowing FixedText<256>) throws(DeviceFailure) -> FolderEntry {
    guard let status = FileStatus(path, in: dataFolder.root) else {
      throw storageFailure(path, "cannot be examined")
    }
    guard status.isFile || status.isFolder else {
      throw storageFailure(path, "is neither a file nor a folder", systemErrorNumber: ENOENT)
    }
    return FolderEntry(status, name: FixedText(path.lastPart), root: dataFolder.status)
  }

  /// - Returns: nil for what the library ignores.
  private func examine(
    _ entry: borrowing FolderEntries.Entry, in folder: borrowing FileDescriptor, at path: borrowing FixedText<256>
  ) -> FolderEntry? {
    guard entry.name.bytes[0] != UInt8(ascii: ".") else { return nil }
    guard let status = FileStatus(entry.name, in: folder), status.isFile || status.isFolder else { return nil }
    let isLink = entry.type != UInt8(DT_DIR) && status.isFolder
    if isLink, isAround(path, status) { return nil }
    return FolderEntry(status, name: entry.name, root: dataFolder.status)
  }

  /// Whether `folder` is the one at `path` or contains it: following a link there would never end.
  private func isAround(_ path: borrowing FixedText<256>, _ folder: borrowing FileStatus) -> Bool {
    var above = copy path
    while true {
      guard let status = FileStatus(above, in: dataFolder.root) else { return true }
      if status.isSame(as: folder) { return true }
      guard !above.parentFolder.isEmpty else { break }
      above = above.parentFolder
    }
    return isAbove(path.bytes[0] == UInt8(ascii: "/") ? "/" : ".", folder)
  }

  /// Whether `folder` is the one at `bottom` or above it, up to the root.
  private func isAbove(_ bottom: FixedText<256>, _ folder: borrowing FileStatus) -> Bool {
    var path = copy bottom
    guard var last = FileStatus(path, in: dataFolder.root) else { return true }
    while !last.isSame(as: folder) {
      path.append("/..")
      guard !path.isTruncated, let status = FileStatus(path, in: dataFolder.root) else { return true }
      // Above the root is the root.
      guard !status.isSame(as: last) else { return false }
      last = status
    }
    return true
  }
}

extension FolderEntry {
  fileprivate init(_ status: borrowing FileStatus, name: FixedText<256>, root: borrowing FileStatus) {
    self.init(
      name: name, isFolder: status.isFolder, byteCount: status.byteCount,
      modifiedNanoseconds: status.modifiedNanoseconds, isOnOtherDevice: !status.isOnDevice(of: copy root))
  }
}
