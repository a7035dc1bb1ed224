import Port
import Values

/// What lies behind a ``MemoryStorage``, for a test to look at and to break.
public final class MemoryDisk {
  /// All that the disk holds.
  public internal(set) var image: DiskImage
  /// All that was changed, in order.
  public private(set) var operations: [DiskOperation] = []
  /// How often the disk was asked for anything.
  public private(set) var callCount = 0
  /// How much fits; what does not fit of a write is left off.
  public var capacityByteCount = Int.max
  /// What the card says to have left; nil for the truth.
  public var toldFreeByteCount: UInt64?
  /// Which calls fail with an error of the card, by their number.
  public var failingCalls = 0..<0
  /// Called before each call is served: a stall is what happens meanwhile.
  public var beforeCall: () -> Void = {}

  /// A disk with what `image` holds.
  public init(_ image: DiskImage = DiskImage()) { self.image = image }

  func perform(_ operation: DiskOperation) {
    image.apply(operation)
    operations.append(operation)
  }

  /// Counts a call.
  /// - Throws: when it is one of those that fail.
  func serveCall(_ subject: String) throws(DeviceFailure) {
    beforeCall()
    callCount += 1
    if failingCalls.contains(callCount) { throw Self.failure(.failed, subject) }
  }

  static func failure(_ kind: DeviceFailure.Kind, _ subject: String) -> DeviceFailure {
    DeviceFailure(
      device: .storage, kind: kind, subject: .init(subject), problem: "is what a test breaks", remedy: "mend it")
  }
}

/// An open file of a ``MemoryDisk``; it can be written to even after its name was removed.
public struct MemoryDiskFile: MediaFile, ~Copyable {
  private let disk: MemoryDisk
  private let file: Int

  init(_ disk: MemoryDisk, _ file: Int) {
    self.disk = disk
    self.file = file
  }

  private var content: [UInt8] { disk.image.contents[file] ?? [] }

  /// As it is on the disk now.
  public var byteCount: UInt64 { UInt64(disk.image.contents[file]?.count ?? 0) }

  /// Fails only when the disk is made to.
  public mutating func read(at offset: UInt64, into space: inout MutableRawSpan) throws(DeviceFailure) -> Int {
    try disk.serveCall("file \(file)")
    let start = min(Int(offset), content.count)
    let end = min(start + space.byteCount, content.count)
    unsafe space.withUnsafeMutableBytes { target in
      unsafe content.withUnsafeBytes {
        unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[start..<end]))
      }
    }
    return end - start
  }

  /// Writes what fits, and fails when that is not all.
  public mutating func write(_ bytes: RawSpan, at offset: UInt64) throws(DeviceFailure) {
    try disk.serveCall("file \(file)")
    let bytes = unsafe bytes.withUnsafeBytes { unsafe Array($0) }
    let growth = max(Int(offset) + bytes.count - content.count, 0)
    let fitting = bytes.count - min(max(disk.image.byteCount + growth - disk.capacityByteCount, 0), growth, bytes.count)
    if fitting > 0 || bytes.isEmpty {
      disk.perform(.write(file: file, offset: Int(offset), bytes: Array(bytes.prefix(fitting))))
    }
    if fitting < bytes.count { throw MemoryDisk.failure(.full, "file \(file)") }
  }

  /// Makes what was written to this file survive a cut.
  public mutating func synchronise() throws(DeviceFailure) {
    try disk.serveCall("file \(file)")
    disk.perform(.synchronise(file: file))
  }

  /// Fails only when the disk is made to.
  public mutating func truncate(to byteCount: UInt64) throws(DeviceFailure) {
    try disk.serveCall("file \(file)")
    disk.perform(.truncate(file: file, byteCount: Int(byteCount)))
  }
}
