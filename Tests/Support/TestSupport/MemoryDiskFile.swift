import Port
import Values

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
  public mutating func read(at offset: UInt64, into room: inout MutableRawSpan) throws(DeviceFailure) -> Int {
    try disk.serveCall("file \(file)")
    let start = min(Int(offset), content.count)
    let end = min(start + room.byteCount, content.count)
    unsafe room.withUnsafeMutableBytes { target in
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
