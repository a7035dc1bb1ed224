import Base
import Machine
import TestSupport

/// The folders of days of a disk in memory.
struct DiskDays: DayFoldersDriver, ~Copyable {
  let host: TestHost

  private var names: [String] { Array(host.disk.image.names.keys) }

  mutating func forEachName(
    in folder: borrowing FixedText<128>, _ visit: (borrowing FixedText<256>) -> Void
  ) throws(DeviceFailure) {
    let isEmptied = host.emptiedFolders.contains(String(copy folder))
    let prefix = String(copy folder) + "/"
    let inside = names.filter { $0.hasPrefix(prefix) }.map { $0.dropFirst(prefix.count).prefix { $0 != "/" } }
    guard !inside.isEmpty || isEmptied else { throw Self.absent }
    for name in Set(inside) { visit(FixedText(String(name))) }
  }

  mutating func examine(_ path: borrowing FixedText<128>) throws(DeviceFailure) -> DayEntry {
    let path = String(copy path)
    if let content = host.disk.image[path] {
      return DayEntry(
        kind: .file, byteCount: UInt64(content.count), modifiedNanoseconds: 0,
        isProtected: host.protectedPaths.contains(path))
    }
    guard names.contains(where: { $0.hasPrefix(path + "/") }) else { throw Self.absent }
    return DayEntry(kind: .folder, byteCount: 0, modifiedNanoseconds: 0, isProtected: false)
  }

  mutating func fileByteCount(in folder: borrowing FixedText<128>) throws(DeviceFailure) -> UInt64 {
    var byteCount: UInt64 = 0
    let (host, parent) = (host, String(copy folder))
    try forEachName(in: folder) { name in
      byteCount += UInt64(host.disk.image[parent + "/" + String(copy name)]?.count ?? 0)
    }
    return byteCount
  }

  mutating func read(
    _ path: borrowing FixedText<128>, at offset: UInt64, into space: inout MutableRawSpan
  ) throws(DeviceFailure) -> Int {
    guard let content = host.disk.image[String(copy path)] else { throw Self.absent }
    let part = content.dropFirst(Int(offset)).prefix(space.byteCount)
    unsafe space.withUnsafeMutableBytes { unsafe $0.copyBytes(from: part) }
    return part.count
  }

  mutating func setProtection(of path: borrowing FixedText<128>, to isProtected: Bool) throws(DeviceFailure) {
    if isProtected {
      host.protectedPaths.insert(String(copy path))
    } else {
      host.protectedPaths.remove(String(copy path))
    }
  }

  mutating func removeFile(_ path: borrowing FixedText<128>) throws(DeviceFailure) {
    var storage = try host.openStorage()
    try storage.remove(path)
    let folder = path.parentFolder
    host.emptiedFolders.formUnion([String(folder), String(folder.parentFolder)])
  }

  mutating func removeFolder(_ path: borrowing FixedText<128>) throws(DeviceFailure) {
    guard host.emptiedFolders.remove(String(copy path)) != nil else { throw Self.absent }
  }

  func freeByteCount() throws(DeviceFailure) -> UInt64 {
    host.disk.toldFreeByteCount ?? UInt64(max(host.disk.capacityByteCount - host.disk.image.byteCount, 0))
  }

  private static var absent: DeviceFailure {
    DeviceFailure(device: .storage, kind: .absent, subject: "", problem: "does not exist", remedy: "look for it")
  }
}
