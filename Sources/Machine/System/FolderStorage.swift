import Base
import CLinux

/// The data folder as an ordinary folder in the file system. It may itself be a link.
package struct FolderStorage: StorageDriver, ~Copyable {
  var dataFolder: DataFolder
  let use: FolderUse
  private var isLocked = false
  private let folder: FixedText<128>
  private let fallbackFolder: FixedText<64>?
  /// Whether this is a folder outside the data folder.
  private var isElsewhere = false

  private var root: FileDescriptor { _read { yield dataFolder.root } }

  /// Opens the data folder, creating it if it is missing.
  /// - Parameter fallbackFolder: for ``fallBack()``; created when it is used.
  /// - Throws: if it cannot be created or written to.
  package init(
    folder: borrowing FixedText<128>, for use: FolderUse = .recording, fallbackFolder: FixedText<64>? = nil
  ) throws(DeviceFailure) {
    try forEachFolder(of: copy folder) { folder throws(DeviceFailure) in _ = try makeOneFolder(folder, at: folder) }
    let dataFolder = try DataFolder(folder)
    guard dataFolder.root.isWritableFolder else { throw storageFailure(folder, "cannot be written to") }
    self.dataFolder = dataFolder
    self.use = use
    self.folder = copy folder
    self.fallbackFolder = fallbackFolder
  }

  /// Keeps other recorders out during the value's lifetime (flock(2)): they would mistake our open take for an
  /// interrupted one and complete it. Some network file systems have no locks; there it does nothing.
  /// - Throws: if another process holds the lock.
  mutating func lock(_ folder: borrowing FixedText<128>) throws(DeviceFailure) {
    guard flock(root.number, LOCK_EX | LOCK_NB) != 0, lastSystemError == EWOULDBLOCK else {
      isLocked = true
      return
    }
    throw DeviceFailure(
      device: .storage, kind: .busy, subject: "\(folder)", problem: "is in use",
      remedy: "end that recorder, or give --data another folder", holderProcessNumber: lockHolder(of: root) ?? 0)
  }

  /// Switches to the folder that has the name now, and moves the lock if this one is locked. One without an identity is
  /// ours only if it is a disk, not the place where none is mounted.
  package mutating func reopen() throws(DeviceFailure) {
    let found = try DataFolder(folder)
    guard found.isOurs else { throw storageFailure(folder, "has no identity that can be written") }
    if isLocked { try moveLock(to: found.root) }
    dataFolder = found
  }

  package var isReplaced: Bool {
    guard let found = try? DataFolder(folder) else { return false }
    let present = dataFolder.status
    return !found.status.isSame(as: present) && found.isOurs
  }

  /// The folder must exist: one created where nothing is mounted would fill the wrong disk.
  @export(interface)
  package func elsewhere(_ folder: borrowing FixedText<128>) throws(DeviceFailure) -> HostStorage {
    do throws(DeviceFailure) {
      guard FileDescriptor(path: folder, flags: O_RDONLY | O_DIRECTORY) != nil else {
        throw storageFailure(folder, "cannot be opened")
      }
      var storage = try FolderStorage(folder: folder)
      storage.isElsewhere = true
      return storage
    } catch {
      var failure = error
      let isDevice = folder.bytes.removingPrefix("/dev/") != nil
      failure.remedy = remedy(forFolderElsewhere: error.systemErrorNumber, isDevice: isDevice) ?? error.remedy
      throw failure
    }
  }

  private func moveLock(to found: borrowing FileDescriptor) throws(DeviceFailure) {
    // It may be the one that is already locked.
    flock(root.number, LOCK_UN)
    guard flock(found.number, LOCK_EX | LOCK_NB) != 0, lastSystemError == EWOULDBLOCK else { return }
    flock(root.number, LOCK_EX | LOCK_NB)
    throw storageFailure(folder, "is in use by another recorder", systemErrorNumber: EBUSY)
  }

  /// Creates it if it is missing, and locks it.
  @export(interface)
  package mutating func fallBack() throws(DeviceFailure) {
    guard let fallbackFolder else { throw storageFailure(folder, "has no fallback", systemErrorNumber: ENOENT) }
    let path = FixedText<128>(fallbackFolder.bytes)
    var fallback = try FolderStorage(folder: path)
    try fallback.lock(path)
    dataFolder = fallback.dataFolder
    isLocked = true
  }

  /// Makes the folder and its missing parents.
  @export(interface)
  package mutating func makeFolder(_ path: borrowing FixedText<128>) throws(DeviceFailure) {
    try forEachFolder(of: copy path) { path throws(DeviceFailure) in
      let place = try place(of: path)
      let isMade = try makeOneFolder(place.name, in: place.folder.number, at: path)
      // The name may belong to a file, or to a link that leads out.
      if !isMade { _ = try openFolder(path.bytes) }
    }
  }

  /// Makes a new file (`O_EXCL`).
  @export(interface)
  package mutating func create(_ path: borrowing FixedText<128>) throws(DeviceFailure) -> HostFile {
    guard let file = descriptor(at: path.bytes, flags: O_RDWR | O_CREAT | O_EXCL, mode: 0o644) else {
      throw storageFailure(path, "cannot be created")
    }
    return PosixFile(made: file, path: path)
  }

  /// Uses `O_NONBLOCK` if files are only read: what was examined as a file may be a pipe by now.
  @export(interface)
  package mutating func open(_ path: borrowing FixedText<128>) throws(DeviceFailure) -> HostFile {
    let file = try openFile(path, flags: use == .keeping ? O_RDONLY | O_NONBLOCK : O_RDWR)
    if isElsewhere { _ = posix_fadvise(file.number, 0, 0, POSIX_FADV_DONTNEED) }
    return try PosixFile(file, path: path)
  }

  private func openFile(_ path: borrowing FixedText<128>, flags: Int32) throws(DeviceFailure) -> FileDescriptor {
    guard let file = descriptor(at: path.bytes, flags: flags) else { throw storageFailure(path, "cannot be opened") }
    return file
  }

  /// Writes a file `….new` beside it, flushes that to the disk and renames it over the old one. A folder that has one
  /// of the two names is renamed: on a damaged card it would keep everything from being recorded.
  @export(interface)
  package mutating func replace(_ path: borrowing FixedText<128>, with bytes: RawSpan) throws(DeviceFailure) {
    let temporary: FixedText<128> = "\(path).new"
    do throws(DeviceFailure) { try writeWhole(temporary, bytes) } catch {
      do throws(DeviceFailure) { try remove(temporary) } catch {}
      switch error.systemErrorNumber {
      case EISDIR: setAsideFolder(temporary)
      // A pipe, a link or another user's file, which is removed by now.
      case ESPIPE, EXDEV, ELOOP, EACCES: break
      default: throw error
      }
      try writeWhole(temporary, bytes)
    }
    let place = try place(of: path)
    var isMoved = try moves(temporary, to: place)
    if !isMoved, lastSystemError == EISDIR {
      setAsideFolder(path)
      isMoved = try moves(temporary, to: place)
    }
    guard isMoved else { throw storageFailure(path, "cannot be replaced") }
    try flushEntry(place)
    try synchroniseFolder(path.parentFolder)
  }

  private mutating func setAsideFolder(_ path: borrowing FixedText<128>) {
    for number in 1...99 {
      do throws(DeviceFailure) { return try rename(path, to: "\(path).damaged-\(number)") } catch {
        guard error.kind == .exists else { return }
      }
    }
  }

  /// Checks first whether the name is taken: nothing else makes files here.
  @export(interface)
  package mutating func rename(
    _ path: borrowing FixedText<128>, to newPath: borrowing FixedText<128>
  ) throws(DeviceFailure) {
    let newPlace = try place(of: newPath)
    let isFree = FileStatus(newPlace.name, in: newPlace.folder, followsLinks: false) == nil
    guard isFree else { throw storageFailure(newPath, "cannot be created", systemErrorNumber: EEXIST) }
    guard try moves(path, to: newPlace) else { throw storageFailure(newPath, "cannot be created") }
    try flushEntry(newPlace)
  }

  /// FAT keeps a file's length and place with its name. Linux writes a new name without them, and adds them when the
  /// file is written or flushed: until then the file would be empty after a power cut, or on a stick that is pulled.
  private func flushEntry(_ place: borrowing Place) throws(DeviceFailure) {
    guard linux_is_on_fat(place.folder.number) else { return }
    let flags = O_RDONLY | O_NONBLOCK | O_NOFOLLOW
    guard let entry = FileDescriptor(path: place.name, flags: flags, in: place.folder.number),
      retryingWhenInterrupted({ Int(fsync(entry.number)) }) == 0
    else { throw storageFailure(place.name, "cannot be flushed to the disk") }
  }

  private func moves(_ path: borrowing FixedText<128>, to new: borrowing Place) throws(DeviceFailure) -> Bool {
    let old = try place(of: path)
    return unsafe old.name.withCString { from in
      unsafe new.name.withCString { to in unsafe renameat(old.folder.number, from, new.folder.number, to) }
    } == 0
  }

  /// Where an entry is: calls that change entries take it instead of a path, and so follow no link.
  private struct Place: ~Copyable {
    let folder: FileDescriptor
    let name: FixedText<128>
  }

  private func place(of path: borrowing FixedText<128>) throws(DeviceFailure) -> Place {
    guard path.isPlainPath else {
      throw storageFailure(path, "leads out of the data folder", systemErrorNumber: EXDEV)
    }
    return Place(folder: try openFolder(path.parentFolder.bytes), name: FixedText(path.lastPart))
  }

  private func writeWhole(_ path: borrowing FixedText<128>, _ bytes: RawSpan) throws(DeviceFailure) {
    let flags = O_RDWR | O_CREAT | O_TRUNC
    // The data folder's own files include the device's secret key; files about takes are in subfolders.
    var mode: mode_t = 0o644
    if !isElsewhere { mode = path.parentFolder.isEmpty ? 0o600 : 0o644 }
    guard let descriptor = descriptor(at: path.bytes, flags: flags, mode: mode) else {
      throw storageFailure(path, "cannot be created")
    }
    var file = try PosixFile(descriptor, path: path)
    try file.write(bytes, at: 0)
    try file.synchronise()
  }

  /// Calls `fsync` on the folder.
  @export(interface)
  package mutating func synchroniseFolder(_ path: borrowing FixedText<128>) throws(DeviceFailure) {
    let folder = try openFolder(path.bytes)
    guard retryingWhenInterrupted({ Int(fsync(folder.number)) }) == 0 else {
      throw storageFailure(path, "cannot be flushed to the disk")
    }
  }

  /// A file is protected if it is not writable (`chmod a-w`), as cameras mark pictures to keep. Uses `fchmod`, then
  /// `fsync`, because `fdatasync` may leave out a file's mode.
  @export(interface)
  package mutating func setProtection(of path: borrowing FixedText<128>, to isProtected: Bool) throws(DeviceFailure) {
    let file = try openFile(path, flags: O_RDONLY | O_NONBLOCK)
    guard let mode = FileStatus(of: file)?.permissions else {
      throw storageFailure(path, "cannot be examined")
    }
    let wanted = isProtected ? mode & ~0o222 : mode | 0o200
    guard fchmod(file.number, wanted) == 0 else { throw storageFailure(path, "cannot be protected or released") }
    guard retryingWhenInterrupted({ Int(fsync(file.number)) }) == 0 else {
      throw storageFailure(path, "cannot be flushed to the disk")
    }
  }

  package mutating func remove(_ path: borrowing FixedText<128>) throws(DeviceFailure) {
    try remove(path, flags: 0)
  }

  package mutating func removeFolder(_ path: borrowing FixedText<128>) throws(DeviceFailure) {
    try remove(path, flags: AT_REMOVEDIR)
  }

  private func remove(_ path: borrowing FixedText<128>, flags: Int32) throws(DeviceFailure) {
    let place = try place(of: path)
    let removed = unsafe place.name.withCString { name in unsafe unlinkat(place.folder.number, name, flags) }
    guard removed == 0 else { throw storageFailure(path, "cannot be removed") }
  }

  /// What is no folder is another matter.
  package func requireAccess(to folder: borrowing FixedText<128>) throws(DeviceFailure) {
    do throws(DeviceFailure) {
      let opened = try openFolder(folder.bytes)
      if !opened.isWritableFolder { throw storageFailure(folder, "cannot be written to") }
    } catch {
      if error.kind == .noPermission { throw error }
    }
  }

  /// Bytes that an ordinary user may still use.
  package func freeByteCount() throws(DeviceFailure) -> UInt64 { try freeBytes(of: root) }

  /// The data folder itself if `path` is empty.
  @export(interface)
  func openFolder(_ path: Span<UInt8>) throws(DeviceFailure) -> FileDescriptor {
    let itself: StaticString = "."
    guard
      let folder = descriptor(at: path.isEmpty ? itself.utf8Bytes : path, flags: O_RDONLY | O_DIRECTORY)
    else {
      throw storageFailure(FixedText<256>(path), "cannot be opened")
    }
    return folder
  }

  /// Opens the entry at a path, treating links as the folder's use requires.
  private func descriptor(at path: Span<UInt8>, flags: Int32, mode: mode_t = 0) -> FileDescriptor? {
    let path = FixedText<256>(path)
    return switch use {
    case .recording: FileDescriptor(path: path, flags: flags, mode: mode, beneath: root)
    case .keeping: FileDescriptor(walking: path, flags: flags, mode: mode, from: root)
    case .browsing: FileDescriptor(path: path, flags: flags, mode: mode, in: root.number)
    }
  }
}

/// Bytes that an ordinary user may still use on a folder's file system.
func freeBytes(of folder: borrowing FileDescriptor) throws(DeviceFailure) -> UInt64 {
  var status = statvfs()
  guard unsafe fstatvfs(folder.number, &status) == 0 else {
    throw storageFailure("" as FixedText<1>, "does not report its free space")
  }
  return UInt64(status.f_bavail) * UInt64(status.f_frsize)
}

/// Calls `make` with the path of each folder in `path`, outermost first, and then with `path`.
private func forEachFolder(
  of path: FixedText<128>, _ make: (FixedText<128>) throws(DeviceFailure) -> Void
) throws(DeviceFailure) {
  for end in 1..<max(1, path.byteCount) where path.bytes[end] == UInt8(ascii: "/") {
    var above = path
    above.truncate(to: end)
    try make(above)
  }
  try make(path)
}

/// - Parameter path: the full path, for the error.
/// - Returns: whether it was made; false if the name is already taken.
private func makeOneFolder(
  _ name: FixedText<128>, in folder: Int32 = AT_FDCWD, at path: FixedText<128>
) throws(DeviceFailure) -> Bool {
  let made = unsafe name.withCString { name in unsafe mkdirat(folder, name, 0o755) }
  guard made == 0 || lastSystemError == EEXIST else { throw storageFailure(path, "cannot be created") }
  return made == 0
}

extension FileDescriptor {
  /// Whether this user may make files in this folder; ``lastSystemError`` says why not.
  fileprivate var isWritableFolder: Bool {
    let itself: FixedText<2> = "."
    return unsafe itself.withCString { unsafe faccessat(number, $0, W_OK | X_OK, AT_EACCESS) } == 0
  }
}
