import Base
import CLinux

/// Memory that a sidecar writes and this process reads, mapped for the life of this process.
///
/// Its length is sealed, so that reading it never faults, whatever the sidecar does.
@safe struct SealedMemory: ~Copyable {
  let descriptor: FileDescriptor
  /// Page-aligned and never unmapped.
  // Safe: the bytes may change while they are read, and every value is valid.
  let region: UnsafeRawBufferPointer

  /// Maps `byteCount` bytes, 1 or more, all resident, and locks them if the system allows it.
  /// - Throws: if the machine lacks the memory.
  init(byteCount: Int) throws(DeviceFailure) {
    let name: FixedText<16> = "pcm-ring"
    let number = unsafe name.withCString { unsafe linux_shared_memory($0, byteCount) }
    guard number >= 0 else { throw Self.failure(byteCount) }
    let descriptor = FileDescriptor(owning: number)
    guard linux_seal_memory(number, 0) == 0 else { throw Self.failure(byteCount) }
    let address = unsafe mmap(nil, byteCount, PROT_READ, MAP_SHARED | MAP_POPULATE, number, 0)
    guard unsafe linux_is_map_failed(address) == 0 else { throw Self.failure(byteCount) }
    _ = unsafe mlock(address, byteCount)
    self.descriptor = descriptor
    unsafe region = UnsafeRawBufferPointer(start: address, count: byteCount)
  }

  private static func failure(_ byteCount: Int) -> DeviceFailure {
    sharingFailure(byteCount, "cannot be shared with the decoder", "free memory, or raise LimitNOFILE in the service")
  }
}

/// Memory that this process writes and others can only read, mapped for the life of this process, resident and, if the
/// system allows it, never paged out.
@safe struct ViewedMemory: ~Copyable {
  /// For a process that maps it: it is read-only, and so is any descriptor reopened from it.
  let descriptor: FileDescriptor
  /// Zeroed, page-aligned and never unmapped.
  let region: UnsafeMutableRawBufferPointer

  /// Maps `byteCount` bytes, 1 or more.
  ///
  /// Its length is sealed, and from Linux 5.1 on the kernel refuses every writable mapping after ours. On older kernels
  /// only the read-only descriptor and the file's mode keep a reader from writing.
  /// - Parameter forbidsWriting: false behaves as an older kernel.
  /// - Throws: if the machine lacks the memory.
  init(byteCount: Int, forbidsWriting: Bool = true) throws(DeviceFailure) {
    try requireAvailableMemory(byteCount)
    let name: FixedText<16> = "live-view"
    let number = unsafe name.withCString { unsafe linux_shared_memory($0, byteCount) }
    guard number >= 0 else { throw Self.failure(byteCount) }
    let writable = FileDescriptor(owning: number)
    let address = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, number, 0)
    let path: FixedText<32> = "/proc/self/fd/\(number)"
    guard unsafe linux_is_map_failed(address) == 0, fchmod(writable.number, 0o400) == 0,
      (forbidsWriting && linux_seal_memory(number, 1) == 0) || linux_seal_memory(number, 0) == 0,
      let readable = FileDescriptor(path: path, flags: O_RDONLY)
    else { throw Self.failure(byteCount) }
    _ = unsafe mlock(address, byteCount)
    descriptor = readable
    unsafe region = UnsafeMutableRawBufferPointer(start: address, count: byteCount)
  }

  private static func failure(_ byteCount: Int) -> DeviceFailure {
    sharingFailure(
      byteCount, "cannot be shared with the live view",
      "mount /proc, free memory, or raise LimitNOFILE in the service")
  }
}

/// The kernel treats shared memory as a file, so the file size limit applies to it (RLIMIT_FSIZE).
private func sharingFailure(_ byteCount: Int, _ problem: StaticString, _ remedy: StaticString) -> DeviceFailure {
  let number = lastSystemError
  return DeviceFailure(
    device: .memory, kind: .full, subject: "\(grouped: byteCount) bytes", problem: problem,
    remedy: number == EFBIG ? "raise LimitFSIZE in the service" : remedy, systemErrorNumber: number)
}
