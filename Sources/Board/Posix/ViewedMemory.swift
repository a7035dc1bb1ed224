import Port
import CLinux
import Text

/// Memory that this process writes and others can only read, mapped for the life of this process, present and, where
/// the system allows it, never paged out.
@usableFromInline
@safe struct ViewedMemory: ~Copyable {
  /// For a process that is to map it: it gives no right to write, and neither does what is opened anew of it.
  let descriptor: FileDescriptor
  /// Zeroed and page-aligned; it is never unmapped.
  let region: UnsafeMutableRawBufferPointer

  /// Maps `byteCount` bytes, 1 or more.
  ///
  /// Nobody can make it shorter or longer, and from Linux 5.1 on the kernel itself refuses every mapping to write that
  /// comes after ours. Before, a reader is kept from writing by its descriptor alone, and by the file's mode from
  /// opening another.
  /// - Parameter forbidsWriting: false as on a kernel that cannot.
  /// - Throws: when the machine has not that much free.
  init(byteCount: Int, forbidsWriting: Bool = true) throws(DeviceFailure) {
    try requireAvailableMemory(byteCount)
    let name: FixedText<16> = "live-view"
    let number = unsafe name.withCString { unsafe linux_shared_memory($0, byteCount) }
    guard number >= 0 else { throw viewedMemoryFailure(byteCount) }
    let writable = FileDescriptor(owning: number)
    let address = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, number, 0)
    let path: FixedText<32> = "/proc/self/fd/\(number)"
    guard unsafe linux_is_map_failed(address) == 0, fchmod(writable.number, 0o400) == 0,
      (forbidsWriting && linux_seal_memory(number, 1) == 0) || linux_seal_memory(number, 0) == 0,
      let readable = FileDescriptor(path: path, flags: O_RDONLY)
    else { throw viewedMemoryFailure(byteCount) }
    _ = unsafe mlock(address, byteCount)
    descriptor = readable
    unsafe region = UnsafeMutableRawBufferPointer(start: address, count: byteCount)
  }
}

private func viewedMemoryFailure(_ byteCount: Int) -> DeviceFailure {
  DeviceFailure(
    device: .memory, kind: .full, subject: "\(byteCount) bytes", problem: "cannot be shared with the live view",
    remedy: "mount /proc, free memory, or raise LimitNOFILE in the service", systemErrorNumber: lastSystemError)
}
