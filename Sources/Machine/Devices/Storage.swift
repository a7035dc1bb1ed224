import Base

/// The data folder; on the simulated machine with the faults of its world.
package struct Storage: ~Copyable {
  private var base: HostStorage
  /// Nil on a real machine.
  private let world: SimWorld?
  private let purpose: FolderUse
  private var openedAt: Instant
  /// The fallback folder is on another card, which has no faults.
  private var hasFaults = true

  /// - Parameter use: what `base` was opened for.
  package init(_ base: consuming HostStorage, for use: FolderUse = .recording, world: SimWorld? = nil) {
    self.base = base
    self.world = world
    self.purpose = use
    openedAt = world?.now ?? 0
  }

  @export(interface)
  @discardableResult private func use(
    needsSpace: Bool, _ path: borrowing FixedText<128>
  ) throws(DeviceFailure) -> Bool {
    guard hasFaults, let world else { return false }
    return try world.useStorage(needsSpace: needsSpace, path, openedAt: purpose == .recording ? openedAt : nil)
  }

  /// On another disk, which has no faults.
  package func elsewhere(_ folder: borrowing FixedText<128>) throws(DeviceFailure) -> Storage {
    var storage = Storage(try Self.elsewhere(folder, of: base), world: world)
    storage.hasFaults = false
    return storage
  }

  @export(interface)
  package mutating func reopen() throws(DeviceFailure) {
    if let world { try world.useStorage(needsSpace: false, "", openedAt: world.now) }
    try base.reopen()
    openedAt = world?.now ?? 0
    hasFaults = true
  }

  package var isReplaced: Bool { Self.isReplaced(base) }

  private static func isReplaced(_ storage: borrowing HostStorage) -> Bool { storage.isReplaced }

  package mutating func fallBack() throws(DeviceFailure) {
    try base.fallBack()
    hasFaults = false
  }

  @export(interface)
  package mutating func makeFolder(_ path: borrowing FixedText<128>) throws(DeviceFailure) {
    try use(needsSpace: true, path)
    try base.makeFolder(path)
  }

  package mutating func create(_ path: borrowing FixedText<128>) throws(DeviceFailure) -> StoredFile {
    try use(needsSpace: true, path)
    return StoredFile(try base.create(path), world: hasFaults ? world : nil)
  }

  @export(interface)
  package mutating func open(_ path: borrowing FixedText<128>) throws(DeviceFailure) -> StoredFile {
    try use(needsSpace: false, path)
    return StoredFile(try base.open(path), world: hasFaults ? world : nil)
  }

  /// Needs space; a torn write leaves the old bytes.
  @export(interface)
  package mutating func replace(_ path: borrowing FixedText<128>, with bytes: RawSpan) throws(DeviceFailure) {
    if try use(needsSpace: true, path) { throw .simulated(.tornWrites, path) }
    try base.replace(path, with: bytes)
  }

  @export(interface)
  package mutating func rename(
    _ path: borrowing FixedText<128>, to newPath: borrowing FixedText<128>
  ) throws(DeviceFailure) {
    try use(needsSpace: false, path)
    try base.rename(path, to: newPath)
  }

  @export(interface)
  package mutating func synchroniseFolder(_ path: borrowing FixedText<128>) throws(DeviceFailure) {
    try use(needsSpace: false, path)
    try base.synchroniseFolder(path)
  }

  @export(interface)
  package mutating func remove(_ path: borrowing FixedText<128>) throws(DeviceFailure) {
    try use(needsSpace: false, path)
    try base.remove(path)
  }

  @export(interface)
  package mutating func removeFolder(_ path: borrowing FixedText<128>) throws(DeviceFailure) {
    try use(needsSpace: false, path)
    try base.removeFolder(path)
  }

  @export(interface)
  package mutating func setProtection(of path: borrowing FixedText<128>, to isProtected: Bool) throws(DeviceFailure) {
    try use(needsSpace: false, path)
    try base.setProtection(of: path, to: isProtected)
  }

  /// Reads a file from `offset`; opens it for each call.
  /// - Returns: the number of bytes read; less than the size of `space` only at the end of the file.
  /// - Throws: with kind `absent` if there is no such file.
  @export(interface)
  package mutating func read(
    _ path: borrowing FixedText<128>, at offset: UInt64, into space: inout MutableRawSpan
  ) throws(DeviceFailure) -> Int {
    var file = try open(path)
    return try file.read(at: offset, into: &space)
  }

  @export(interface)
  package func freeByteCount() throws(DeviceFailure) -> UInt64 {
    try use(needsSpace: false, "")
    return hasFaults && world?.fault(of: .storage)?.kind == .full ? 0 : try Self.freeByteCount(of: base)
  }

  package mutating func forEachEntry(
    of folder: borrowing FixedText<256>, from place: UInt64, isExamined: Bool = true,
    _ visit: (borrowing FolderEntry) -> Bool
  ) throws(DeviceFailure) -> UInt64? {
    try use(needsSpace: false, FixedText(folder.bytes))
    return try base.forEachEntry(of: folder, from: place, isExamined: isExamined, visit)
  }

  /// Calls `visit` with the name and kind of each entry of a folder, in any order.
  @export(interface)
  package mutating func forEachName(
    in folder: borrowing FixedText<128>, _ visit: (borrowing FolderEntry) -> Void
  ) throws(DeviceFailure) {
    _ = try forEachEntry(of: FixedText(folder.bytes), from: 0, isExamined: false) { entry in
      visit(entry)
      return true
    }
  }

  @export(interface)
  package mutating func entry(at path: borrowing FixedText<256>) throws(DeviceFailure) -> FolderEntry {
    try use(needsSpace: false, FixedText(path.bytes))
    return try base.entry(at: path)
  }

  @export(interface)
  package func requireAccess(to folder: borrowing FixedText<128>) throws(DeviceFailure) {
    try Self.requireAccess(to: folder, in: base)
  }

  private static func requireAccess(
    to folder: borrowing FixedText<128>, in storage: borrowing HostStorage
  ) throws(DeviceFailure) { try storage.requireAccess(to: folder) }

  private static func elsewhere(
    _ folder: borrowing FixedText<128>, of storage: borrowing HostStorage
  ) throws(DeviceFailure) -> HostStorage { try storage.elsewhere(folder) }

  private static func freeByteCount(of storage: borrowing HostStorage) throws(DeviceFailure) -> UInt64 {
    try storage.freeByteCount()
  }
}

package struct StoredFile: StorageFile, ~Copyable {
  private var base: HostFile
  /// Nil for a file without faults.
  private let world: SimWorld?
  private let openedAt: Instant

  package init(_ base: consuming HostFile, world: SimWorld? = nil) {
    self.base = base
    self.world = world
    openedAt = world?.now ?? 0
  }

  @discardableResult private func use(
    needsSpace: Bool, _ path: borrowing FixedText<128>
  ) throws(DeviceFailure) -> Bool {
    try world?.useStorage(needsSpace: needsSpace, path, openedAt: openedAt) ?? false
  }

  package var byteCount: UInt64 { Self.byteCount(of: base) }

  private static func byteCount(of file: borrowing HostFile) -> UInt64 { file.byteCount }

  package var largestByteCount: UInt64 { Self.largestByteCount(of: base) }

  private static func largestByteCount(of file: borrowing HostFile) -> UInt64 { file.largestByteCount }

  @export(interface)
  package mutating func read(at offset: UInt64, into space: inout MutableRawSpan) throws(DeviceFailure) -> Int {
    try use(needsSpace: false, "")
    return try base.read(at: offset, into: &space)
  }

  /// Needs space, even to overwrite.
  @export(interface)
  package mutating func write(_ bytes: RawSpan, at offset: UInt64) throws(DeviceFailure) {
    let isTorn = try use(needsSpace: true, "")
    world?.writeToDisk(byteCount: UInt64(bytes.byteCount))
    try base.write(isTorn ? bytes.extracting(first: bytes.byteCount / 2) : bytes, at: offset)
    if isTorn { throw .simulated(.tornWrites, "") }
  }

  @export(interface)
  package mutating func synchronise() throws(DeviceFailure) {
    try use(needsSpace: false, "")
    world?.flushDisk()
    try base.synchronise()
  }

  package mutating func setModified(unixNanoseconds: Int64) { base.setModified(unixNanoseconds: unixNanoseconds) }

  package mutating func truncate(to byteCount: UInt64) throws(DeviceFailure) {
    try use(needsSpace: false, "")
    try base.truncate(to: byteCount)
  }
}
