import Base
import CLinux

extension FolderStorage {
  /// A place is the file system's offset of an entry (`d_off`).
  package mutating func forEachEntry(
    of folder: borrowing FixedText<256>, from place: UInt64, isExamined: Bool,
    _ visit: (borrowing FolderEntry) -> Bool
  ) throws(DeviceFailure) -> UInt64? {
    if use != .recording, place == 0 { dataFolder.follow() }
    let path: FixedText<256> = folder.isEmpty ? "." : copy folder
    var entries = FolderEntries(try openFolder(path.bytes), from: place)
    while let entry = try entries.next(in: path) {
      guard let found = isExamined ? examine(entry, in: entries.folder, at: path) : entries.kindOnly(entry) else {
        continue
      }
      guard visit(found) else { return entry.nextPlace }
    }
    return nil
  }

  /// Asks the file system; opens nothing but the folder.
  package mutating func entry(at path: borrowing FixedText<256>) throws(DeviceFailure) -> FolderEntry {
    if use == .keeping { dataFolder.follow() }
    let name = FixedText<256>(path.lastPart)
    guard let status = use == .browsing ? FileStatus(path, in: dataFolder.root) : try status(of: name, at: path) else {
      throw storageFailure(path, "cannot be examined")
    }
    guard use != .browsing || status.isFile || status.isFolder else {
      throw storageFailure(path, "is neither a file nor a folder", systemErrorNumber: ENOENT)
    }
    return FolderEntry(status, name: name, root: dataFolder.status)
  }

  private func status(of name: FixedText<256>, at path: borrowing FixedText<256>) throws(DeviceFailure) -> FileStatus? {
    FileStatus(name, in: try openFolder(path.parentFolder.bytes), followsLinks: false)
  }

  /// - Returns: nil for an entry that has vanished or is not shown when browsing.
  @export(interface)
  private func examine(
    _ entry: borrowing FolderEntries.Entry, in folder: borrowing FileDescriptor, at path: borrowing FixedText<256>
  ) -> FolderEntry? {
    let isBrowsing = use == .browsing
    if isBrowsing, entry.name.bytes[0] == UInt8(ascii: ".") { return nil }
    guard let status = FileStatus(entry.name, in: folder, followsLinks: isBrowsing) else { return nil }
    if isBrowsing {
      guard status.isFile || status.isFolder else { return nil }
      let isLink = entry.type != UInt8(DT_DIR) && status.isFolder
      if isLink, isAround(path, status) { return nil }
    }
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

  /// Whether `folder` is the one at `bottom` or one of its parents, up to the root.
  private func isAbove(_ bottom: FixedText<256>, _ folder: borrowing FileStatus) -> Bool {
    var path = copy bottom
    guard var last = FileStatus(path, in: dataFolder.root) else { return true }
    while !last.isSame(as: folder) {
      path.append("/..")
      guard !path.isTruncated, let status = FileStatus(path, in: dataFolder.root) else { return true }
      // The root's parent is the root.
      guard !status.isSame(as: last) else { return false }
      last = status
    }
    return true
  }
}

extension FolderEntry {
  fileprivate init(_ status: borrowing FileStatus, name: FixedText<256>, root: borrowing FileStatus) {
    self.init(
      name: name, kind: status.isFile ? .file : status.isFolder ? .folder : .other, byteCount: status.byteCount,
      modifiedNanoseconds: status.modifiedNanoseconds, isProtected: !status.mayBeWritten,
      isOnOtherDevice: !status.isOnDevice(of: copy root))
  }
}

/// The data folder as seen by those who only read it: the folder that has its name now, because the card may have been
/// removed and put back, or be another one.
struct DataFolder: ~Copyable {
  private(set) var root: FileDescriptor
  private(set) var status: FileStatus
  private let path: FixedText<256>

  /// - Throws: if it cannot be opened.
  init<let capacity: Int>(_ path: borrowing FixedText<capacity>) throws(DeviceFailure) {
    self.path = FixedText(path.bytes)
    guard let root = FileDescriptor(path: path, flags: O_RDONLY | O_DIRECTORY), let status = FileStatus(of: root) else {
      throw storageFailure(path, "cannot be opened")
    }
    self.root = root
    self.status = status
  }

  var isOurs: Bool { root.hasIdentity || isDisk }

  /// Whether a file system is mounted here.
  private var isDisk: Bool { FileStatus(".." as FixedText<3>, in: root).map { !$0.isOnDevice(of: status) } ?? false }

  /// Switches to the folder that has the name now, unless it is the same or is not ours.
  mutating func follow() {
    guard let found = FileDescriptor(path: path, flags: O_RDONLY | O_DIRECTORY), let now = FileStatus(of: found),
      !now.isSame(as: status), found.hasIdentity
    else { return }
    root = found
    status = now
  }
}

extension FileDescriptor {
  /// Whether this folder holds a recorder's identity: one without it, such as that under an empty mount point, is not
  /// ours.
  var hasIdentity: Bool {
    let mark: FixedText<16> = "identity"
    return unsafe mark.withCString { unsafe faccessat(number, $0, R_OK | W_OK, AT_EACCESS) } == 0
  }
}
