import Base

/// The folders of days; on the simulated machine with the faults of its world.
package struct DayFolders: ~Copyable {
  private var base: HostDayFolders
  /// Nil for a real machine.
  private let world: SimWorld?

  package init(_ base: consuming HostDayFolders, world: SimWorld? = nil) {
    self.base = base
    self.world = world
  }

  package mutating func forEachName(
    in folder: borrowing FixedText<128>, _ visit: (borrowing FixedText<256>) -> Void
  ) throws(DeviceFailure) {
    try world?.useStorage(needsSpace: false, folder)
    try base.forEachName(in: folder, visit)
  }

  package mutating func examine(_ path: borrowing FixedText<128>) throws(DeviceFailure) -> DayEntry {
    try world?.useStorage(needsSpace: false, path)
    return try base.examine(path)
  }

  package mutating func fileByteCount(in folder: borrowing FixedText<128>) throws(DeviceFailure) -> UInt64 {
    try world?.useStorage(needsSpace: false, folder)
    return try base.fileByteCount(in: folder)
  }

  package mutating func read(
    _ path: borrowing FixedText<128>, at offset: UInt64, into space: inout MutableRawSpan
  ) throws(DeviceFailure) -> Int {
    try world?.useStorage(needsSpace: false, path)
    return try base.read(path, at: offset, into: &space)
  }

  package mutating func setProtection(
    of path: borrowing FixedText<128>, to isProtected: Bool
  ) throws(DeviceFailure) {
    try world?.useStorage(needsSpace: false, path)
    try base.setProtection(of: path, to: isProtected)
  }

  package mutating func removeFile(_ path: borrowing FixedText<128>) throws(DeviceFailure) {
    try world?.useStorage(needsSpace: false, path)
    try base.removeFile(path)
  }

  package mutating func removeFolder(_ path: borrowing FixedText<128>) throws(DeviceFailure) {
    try world?.useStorage(needsSpace: false, path)
    try base.removeFolder(path)
  }

  package func freeByteCount() throws(DeviceFailure) -> UInt64 {
    try world?.useStorage(needsSpace: false, "")
    return world?.fault(of: .storage)?.kind == .full ? 0 : try Self.freeByteCount(of: base)
  }

  private static func freeByteCount(of folders: borrowing HostDayFolders) throws(DeviceFailure) -> UInt64 {
    try folders.freeByteCount()
  }
}
