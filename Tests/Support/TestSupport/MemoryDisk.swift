import Base
import Glibc
import Machine

/// The calls to a ``MemoryStorage`` and its files.
package enum MemoryCall: CaseIterable, Sendable {
  case makeFolder, create, open, replace, rename, remove, synchroniseFolder, read, write, synchronise, truncate
}

/// The disk of a ``MemoryStorage``, which a test can inspect and break.
package final class MemoryDisk {
  /// The contents of the disk.
  package internal(set) var image: DiskImage
  /// All changes, in order.
  package private(set) var operations: [DiskOperation] = []
  /// The number of calls so far.
  package private(set) var callCount = 0
  /// The disk's size; the part of a write that does not fit is dropped.
  package var capacityByteCount = Int.max
  /// The largest possible size of a file.
  package var largestFileByteCount = Int.max
  /// Whether that limit is reported before it is reached.
  package var tellsLargestFile = true
  /// The maximum number of files; a file that is being replaced counts twice.
  package var capacityFileCount = Int.max
  /// The free space reported by the card; nil for the true value.
  package var toldFreeByteCount: UInt64?
  /// The numbers of the calls that fail with a card error.
  package var failingCalls = 0..<0
  /// Decides for each call whether it fails with a card error.
  package var fails: (MemoryCall) -> Bool = { _ in false }
  /// The disk on which recording continues if this one fails; nil for none.
  package var fallback: MemoryDisk?
  /// The disk that has been put in instead of this one.
  package var successor: MemoryDisk?
  /// Whether a bit of each write is flipped.
  package var changesWrites = false
  /// Whether no folder can be made for lack of space.
  package var isFullOfFolders = false
  /// Whether it keeps which files are protected.
  package var keepsProtection = true
  /// The files that are protected.
  package var protectedPaths: Set<String> = []
  /// Folders whose last file was removed; a disk in memory has only files.
  package var emptiedFolders: Set<String> = []
  /// The folders in which the recorder's user may make no files.
  package var refusedFolders: Set<String> = []
  /// Whether there is a file at a path outside the disk's folders.
  package var hasOtherFile: (String) -> Bool = { _ in false }
  /// Other disks, by the paths of their folders.
  package var others: [String: MemoryDisk] = [:]
  /// Called before each call is served; a test can simulate a stall with it.
  package var beforeCall: () -> Void = {}

  /// A disk with the contents of `image`.
  package init(_ image: DiskImage = DiskImage()) { self.image = image }

  /// Frees memory: a test that runs for hours needs no history. No removed file may be open.
  package func forgetOperations() {
    operations.removeAll()
    image.forgetRemovedFiles()
  }

  func perform(_ operation: DiskOperation) {
    image.apply(operation)
    operations.append(operation)
  }

  /// Counts a call.
  /// - Throws: if this call is one of those that fail.
  func serveCall(_ call: MemoryCall, _ subject: String) throws(DeviceFailure) {
    beforeCall()
    callCount += 1
    if failingCalls.contains(callCount) || fails(call) { throw Self.failure(.failed, subject) }
  }

  /// `EFBIG`.
  static func fileLimit(_ subject: String) -> DeviceFailure {
    var failure = failure(.unsupported, subject)
    failure.systemErrorNumber = EFBIG
    return failure
  }

  static func failure(_ kind: DeviceFailure.Kind, _ subject: String) -> DeviceFailure {
    DeviceFailure(
      device: .storage, kind: kind, subject: .init(subject), problem: "is what a test breaks", remedy: "mend it")
  }
}

/// An open file of a ``MemoryDisk``; it can be written to even after its name has been removed.
package struct MemoryDiskFile: StorageFile, ~Copyable {
  private let disk: MemoryDisk
  private let file: Int

  init(_ disk: MemoryDisk, _ file: Int) {
    self.disk = disk
    self.file = file
  }

  private var content: [UInt8] { disk.image.contents[file] ?? [] }

  /// The current size on the disk.
  package var byteCount: UInt64 { UInt64(disk.image.contents[file]?.count ?? 0) }

  package var largestByteCount: UInt64 { disk.tellsLargestFile ? UInt64(disk.largestFileByteCount) : .max }

  /// Fails only if the test requests it.
  package mutating func read(at offset: UInt64, into space: inout MutableRawSpan) throws(DeviceFailure) -> Int {
    try disk.serveCall(.read, "file \(file)")
    let start = min(Int(offset), content.count)
    let end = min(start + space.byteCount, content.count)
    unsafe space.withUnsafeMutableBytes { target in
      unsafe content.withUnsafeBytes {
        unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[start..<end]))
      }
    }
    return end - start
  }

  /// Writes what fits, and fails if that is not everything.
  package mutating func write(_ bytes: RawSpan, at offset: UInt64) throws(DeviceFailure) {
    try disk.serveCall(.write, "file \(file)")
    var bytes = unsafe bytes.withUnsafeBytes { unsafe Array($0) }
    if disk.changesWrites, !bytes.isEmpty { bytes[bytes.count / 2] ^= 1 }
    let growth = max(Int(offset) + bytes.count - content.count, 0)
    let beyond = Int(offset) + bytes.count - disk.largestFileByteCount
    if beyond > 0 {
      let fitting = bytes.prefix(max(bytes.count - beyond, 0))
      if !fitting.isEmpty { disk.perform(.write(file: file, offset: Int(offset), bytes: Array(fitting))) }
      throw MemoryDisk.fileLimit("file \(file)")
    }
    let fitting = bytes.count - min(max(disk.image.byteCount + growth - disk.capacityByteCount, 0), growth, bytes.count)
    if fitting > 0 || bytes.isEmpty {
      disk.perform(.write(file: file, offset: Int(offset), bytes: Array(bytes.prefix(fitting))))
    }
    if fitting < bytes.count { throw MemoryDisk.failure(.full, "file \(file)") }
  }

  /// Makes the data written to this file survive a power cut.
  package mutating func synchronise() throws(DeviceFailure) {
    try disk.serveCall(.synchronise, "file \(file)")
    disk.perform(.synchronise(file: file))
  }

  /// A disk in memory keeps no times.
  package mutating func setModified(unixNanoseconds: Int64) {}

  /// Fails only if the test requests it.
  package mutating func truncate(to byteCount: UInt64) throws(DeviceFailure) {
    try disk.serveCall(.truncate, "file \(file)")
    disk.perform(.truncate(file: file, byteCount: Int(byteCount)))
  }
}
