import Port
import Posix
import Text
import Values

/// A storage with the faults of its world.
package struct SimStorage<Base: Storage & ~Copyable>: Storage, ~Copyable {
  private var base: Base
  private let world: SimWorld
  private var openedAt: Instant
  /// The fallback folder is on another card, which has no faults.
  private var hasFaults = true

  init(_ base: consuming Base, world: SimWorld) {
    self.base = base
    self.world = world
    openedAt = world.now
  }

  @discardableResult private func use(
    needsSpace: Bool, _ path: borrowing FixedText<128>
  ) throws(DeviceFailure) -> Bool {
    guard hasFaults else { return false }
    return try world.useStorage(needsSpace: needsSpace, path, openedAt: openedAt)
  }

  /// On another disk, which has no faults.
  package func elsewhere(_ folder: borrowing FixedText<128>) throws(DeviceFailure) -> SimStorage {
    var storage = SimStorage(try base.elsewhere(folder), world: world)
    storage.hasFaults = false
    return storage
  }

  package mutating func reopen() throws(DeviceFailure) {
    try world.useStorage(needsSpace: false, "", openedAt: world.now)
    try base.reopen()
    openedAt = world.now
    hasFaults = true
  }

  package mutating func fallBack() throws(DeviceFailure) {
    try base.fallBack()
    hasFaults = false
  }

  package mutating func makeFolder(_ path: borrowing FixedText<128>) throws(DeviceFailure) {
    try use(needsSpace: true, path)
    try base.makeFolder(path)
  }

  package mutating func create(_ path: borrowing FixedText<128>) throws(DeviceFailure) -> SimFile<Base.File> {
    try use(needsSpace: true, path)
    return SimFile(try base.create(path), world: hasFaults ? world : nil)
  }

  package mutating func open(_ path: borrowing FixedText<128>) throws(DeviceFailure) -> SimFile<Base.File> {
    try use(needsSpace: false, path)
    return SimFile(try base.open(path), world: hasFaults ? world : nil)
  }

  /// Needs space; a torn write leaves the old bytes.
  package mutating func replace(_ path: borrowing FixedText<128>, with bytes: RawSpan) throws(DeviceFailure) {
    if try use(needsSpace: true, path) { throw .simulated(.tornWrites, path) }
    try base.replace(path, with: bytes)
  }

  package mutating func rename(
    _ path: borrowing FixedText<128>, to newPath: borrowing FixedText<128>
  ) throws(DeviceFailure) {
    try use(needsSpace: false, path)
    try base.rename(path, to: newPath)
  }

  package mutating func synchroniseFolder(_ path: borrowing FixedText<128>) throws(DeviceFailure) {
    try use(needsSpace: false, path)
    try base.synchroniseFolder(path)
  }

  package mutating func remove(_ path: borrowing FixedText<128>) throws(DeviceFailure) {
    try use(needsSpace: false, path)
    try base.remove(path)
  }

  package func freeByteCount() throws(DeviceFailure) -> UInt64 {
    try use(needsSpace: false, "")
    return hasFaults && world.fault(of: .storage)?.kind == .full ? 0 : try base.freeByteCount()
  }

  package mutating func forEachEntry(
    of folder: borrowing FixedText<128>, _ visit: (borrowing FixedText<128>, _ isFolder: Bool) -> Bool
  ) throws(DeviceFailure) {
    try use(needsSpace: false, folder)
    try base.forEachEntry(of: folder, visit)
  }
}

/// A file of a ``SimStorage``.
package struct SimFile<Base: MediaFile & ~Copyable>: MediaFile, ~Copyable where Base.Failure == DeviceFailure {
  private var base: Base
  /// Nil for a file without faults.
  private let world: SimWorld?
  private let openedAt: Instant

  init(_ base: consuming Base, world: SimWorld?) {
    self.base = base
    self.world = world
    openedAt = world?.now ?? 0
  }

  @discardableResult private func use(
    needsSpace: Bool, _ path: borrowing FixedText<128>
  ) throws(DeviceFailure) -> Bool {
    try world?.useStorage(needsSpace: needsSpace, path, openedAt: openedAt) ?? false
  }

  package var byteCount: UInt64 { base.byteCount }

  package mutating func read(at offset: UInt64, into space: inout MutableRawSpan) throws(DeviceFailure) -> Int {
    try use(needsSpace: false, "")
    return try base.read(at: offset, into: &space)
  }

  /// Needs space, even when overwriting.
  package mutating func write(_ bytes: RawSpan, at offset: UInt64) throws(DeviceFailure) {
    let isTorn = try use(needsSpace: true, "")
    world?.writeToDisk(byteCount: UInt64(bytes.byteCount))
    try base.write(isTorn ? bytes.extracting(first: bytes.byteCount / 2) : bytes, at: offset)
    if isTorn { throw .simulated(.tornWrites, "") }
  }

  package mutating func synchronise() throws(DeviceFailure) {
    try use(needsSpace: false, "")
    world?.flushDisk()
    try base.synchronise()
  }

  package mutating func truncate(to byteCount: UInt64) throws(DeviceFailure) {
    try use(needsSpace: false, "")
    try base.truncate(to: byteCount)
  }
}

extension SimWorld {
  /// Applies the current fault to a storage call. In real time a stall makes the call wait; in virtual time the
  /// workers that use the storage get no steps instead. What was opened before a card vanished stays useless when it is
  /// back.
  /// - Parameter openedAt: nil for what is opened again by each call.
  /// - Returns: whether only a part of a write reaches the storage.
  @discardableResult func useStorage(
    needsSpace: Bool, _ path: borrowing FixedText<128>, openedAt: Instant? = nil
  ) throws(DeviceFailure) -> Bool {
    let openedAt = openedAt ?? now
    let life = openedAt.distance(since: start)..<max(now.distance(since: start), openedAt.distance(since: start))
    if faults.hadAbsence(of: .storage, inNanoseconds: life) { throw .simulated(.absent, path) }
    guard let fault = fault(of: .storage) else { return false }
    switch fault.kind {
    case .absent, .held, .failing: throw .simulated(fault.kind, path)
    case .full where needsSpace: throw .simulated(.full, path)
    case .full: return false
    case .tornWrites: return true
    case .stalled, .losing, .dead, .clipping, .stopping, .changed, .corrupt, .doubling, .black, .frozen, .hanging,
      .nonsense, .stuck, .slow:
      var clock = MonotonicClock()
      if mode == .real {
        clock.sleep(until: start + fault.nanoseconds.upperBound)
      }
      return false
    }
  }
}

extension DeviceFailure {
  fileprivate static func simulated(_ kind: Fault.Kind, _ path: borrowing FixedText<128>) -> DeviceFailure {
    // ENODEV, ENOSPC, EIO.
    let (failureKind, number): (Kind, Int32) =
      switch kind {
      case .absent, .held: (.absent, 19)
      case .full: (.full, 28)
      default: (.failed, 5)
      }
    return DeviceFailure(
      device: .storage, kind: failureKind, subject: "\(copy path)", problem: "has a simulated fault",
      remedy: "wait until it is over", systemErrorNumber: number)
  }
}
