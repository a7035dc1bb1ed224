import Base
import Machine

/// The data folder in memory.
package struct MemoryStorage: StorageDriver, ~Copyable {
  /// The disk itself, or its fallback.
  private var disk: MemoryDisk
  private let firstDisk: MemoryDisk

  /// A handle to `disk`; there may be others.
  package init(_ disk: MemoryDisk) {
    self.disk = disk
    firstDisk = disk
  }

  /// The disk in memory is always there, unless the test has replaced it.
  package mutating func reopen() throws(DeviceFailure) {
    let present = firstDisk.successor ?? firstDisk
    try present.serveCall(.open, "")
    disk = present
  }

  package var isReplaced: Bool { firstDisk.successor.map { $0 !== disk } ?? false }

  /// Switches to the fallback disk, if the test has one.
  package mutating func fallBack() throws(DeviceFailure) {
    guard let fallback = firstDisk.fallback, disk !== fallback else { throw MemoryDisk.failure(.absent, "fallback") }
    try fallback.serveCall(.open, "")
    disk = fallback
  }

  /// The disk that the test has plugged in under a folder's name.
  package func elsewhere(_ folder: borrowing FixedText<128>) throws(DeviceFailure) -> HostStorage {
    guard let disk = firstDisk.others[String(copy folder)] else {
      throw MemoryDisk.failure(.absent, String(copy folder))
    }
    return MemoryStorage(disk)
  }

  /// Creates nothing: folders exist as soon as they contain a file. Fails if a file has the same name.
  package mutating func makeFolder(_ path: borrowing FixedText<128>) throws(DeviceFailure) {
    let path = String(copy path)
    try disk.serveCall(.makeFolder, path)
    if disk.isFullOfFolders { throw MemoryDisk.failure(.full, path) }
    let isMade = entry(path) != nil
    if !isMade, disk.refusedFolders.contains(where: { path.hasPrefix($0 + "/") }) {
      throw MemoryDisk.failure(.noPermission, path)
    }
    var above = ""
    for part in path.split(separator: "/") {
      above += (above.isEmpty ? "" : "/") + part
      guard disk.image.names[above] == nil else { throw MemoryDisk.failure(.unsupported, above) }
    }
  }

  /// The name survives a power cut once its folder is synchronised.
  package mutating func create(_ path: borrowing FixedText<128>) throws(DeviceFailure) -> HostFile {
    let path = String(copy path)
    try disk.serveCall(.create, path)
    guard disk.image.names[path] == nil else { throw MemoryDisk.failure(.exists, path) }
    if disk.refusedFolders.contains(where: { path.hasPrefix($0 + "/") }) {
      throw MemoryDisk.failure(.noPermission, path)
    }
    guard disk.image.names.count < disk.capacityFileCount else { throw MemoryDisk.failure(.full, path) }
    let file = disk.image.makeFileNumber()
    disk.perform(.create(path: path, file: file))
    return MemoryDiskFile(disk, file)
  }

  /// Opens an existing file.
  package mutating func open(_ path: borrowing FixedText<128>) throws(DeviceFailure) -> HostFile {
    let path = String(copy path)
    try disk.serveCall(.open, path)
    guard let file = disk.image.names[path] else { throw MemoryDisk.failure(.absent, path) }
    return MemoryDiskFile(disk, file)
  }

  /// Complete and durable at once, as the port promises.
  package mutating func replace(_ path: borrowing FixedText<128>, with bytes: RawSpan) throws(DeviceFailure) {
    let path = String(copy path)
    try disk.serveCall(.replace, path)
    guard disk.image.byteCount + bytes.byteCount <= disk.capacityByteCount,
      disk.image.names.count < disk.capacityFileCount
    else {
      throw MemoryDisk.failure(.full, path)
    }
    disk.perform(.replace(path: path, bytes: unsafe bytes.withUnsafeBytes { unsafe Array($0) }))
  }

  /// Survives a power cut once the new folder is synchronised; before that the file has one name or the other.
  package mutating func rename(
    _ path: borrowing FixedText<128>, to newPath: borrowing FixedText<128>
  ) throws(DeviceFailure) {
    let path = String(copy path)
    let newPath = String(copy newPath)
    try disk.serveCall(.rename, path)
    guard disk.image.names[newPath] == nil else { throw MemoryDisk.failure(.exists, newPath) }
    guard disk.refusedFolders.remove(path) == nil else { return renameFolder(path, to: newPath) }
    guard let file = disk.image.names[path] else { throw MemoryDisk.failure(.absent, path) }
    disk.perform(.rename(path: path, newPath: newPath, file: file))
  }

  private func renameFolder(_ path: String, to newPath: String) {
    disk.refusedFolders.insert(newPath)
    for (name, file) in disk.image.names where name.hasPrefix(path + "/") {
      disk.perform(.rename(path: name, newPath: newPath + name.dropFirst(path.count), file: file))
    }
  }

  /// Makes names created and removed in the folder survive a power cut.
  package mutating func synchroniseFolder(_ path: borrowing FixedText<128>) throws(DeviceFailure) {
    try disk.serveCall(.synchroniseFolder, String(copy path))
    disk.perform(.synchroniseFolder(String(copy path)))
  }

  /// Survives a power cut once the folder is synchronised.
  package mutating func remove(_ path: borrowing FixedText<128>) throws(DeviceFailure) {
    let path = String(copy path)
    try disk.serveCall(.remove, path)
    guard disk.image.names[path] != nil else { throw MemoryDisk.failure(.absent, path) }
    disk.perform(.remove(path: path))
    let folder = FixedText<128>(path).parentFolder
    disk.emptiedFolders.formUnion([String(folder), String(folder.parentFolder)])
  }

  /// Only a folder whose last file was removed is known as an empty one.
  package mutating func removeFolder(_ path: borrowing FixedText<128>) throws(DeviceFailure) {
    let path = String(copy path)
    guard disk.emptiedFolders.remove(path) != nil else { throw MemoryDisk.failure(.absent, path) }
  }

  /// Durable at once.
  package mutating func setProtection(
    of path: borrowing FixedText<128>, to isProtected: Bool
  ) throws(DeviceFailure) {
    guard disk.keepsProtection else { return }
    if isProtected {
      disk.protectedPaths.insert(String(copy path))
    } else {
      disk.protectedPaths.remove(String(copy path))
    }
  }

  package func requireAccess(to folder: borrowing FixedText<128>) throws(DeviceFailure) {
    let folder = String(copy folder)
    if disk.refusedFolders.contains(folder) { throw MemoryDisk.failure(.noPermission, folder) }
  }

  /// The true value, or the one set by the test.
  package func freeByteCount() throws(DeviceFailure) -> UInt64 {
    disk.toldFreeByteCount ?? UInt64(max(disk.capacityByteCount - disk.image.byteCount, 0))
  }

  /// In order of name. A place is the index of an entry.
  package mutating func forEachEntry(
    of folder: borrowing FixedText<256>, from place: UInt64, isExamined: Bool,
    _ visit: (borrowing FolderEntry) -> Bool
  ) throws(DeviceFailure) -> UInt64? {
    let folder = String(copy folder)
    let prefix = folder.isEmpty ? "" : folder + "/"
    let names = disk.image.names.keys.filter { $0.hasPrefix(prefix) }.map { $0.dropFirst(prefix.count) }
    guard folder.isEmpty || !names.isEmpty || disk.emptiedFolders.contains(folder) else {
      throw MemoryDisk.failure(.absent, folder)
    }
    let entries = Set(names.map { $0.prefix { $0 != "/" } }).sorted()
    for (index, name) in entries.enumerated().dropFirst(Int(place)) {
      guard let entry = entry(prefix + name), visit(entry) else { return UInt64(index + 1) }
    }
    return nil
  }

  package mutating func entry(at path: borrowing FixedText<256>) throws(DeviceFailure) -> FolderEntry {
    guard let entry = entry(String(copy path)) else { throw MemoryDisk.failure(.absent, String(copy path)) }
    return entry
  }

  private func entry(_ path: String) -> FolderEntry? {
    let name = FixedText<256>(String(path.split(separator: "/").last ?? ""))
    if let content = disk.image[path] {
      return FolderEntry(
        name: name, kind: .file, byteCount: UInt64(content.count), isProtected: disk.protectedPaths.contains(path))
    }
    if disk.hasOtherFile(path) { return FolderEntry(name: name, kind: .file) }
    guard disk.image.names.keys.contains(where: { $0.hasPrefix(path + "/") }) else { return nil }
    return FolderEntry(name: name, kind: .folder)
  }
}
