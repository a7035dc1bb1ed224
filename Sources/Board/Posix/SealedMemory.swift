import Port
import CLinux
import Text

/// Memory that a process beside this one writes and this one reads, mapped for the life of this process.
///
/// It can be made neither shorter nor longer, so that reading it never faults, whatever the other side does.
@usableFromInline
@safe struct SealedMemory: ~Copyable {
  let descriptor: FileDescriptor
  /// Page-aligned; it is never unmapped.
  // Sound: the bytes may change while they are read, and any of them is as good as another.
  let region: UnsafeRawBufferPointer

  /// Maps `byteCount` bytes, 1 or more, all present, and locks them where the system allows it.
  /// - Throws: when the machine has not that much.
  init(byteCount: Int) throws(DeviceFailure) {
    let name: FixedText<16> = "pcm-ring"
    let number = unsafe name.withCString { unsafe linux_shared_memory($0, byteCount) }
    guard number >= 0 else { throw sharingFailure(byteCount) }
    let descriptor = FileDescriptor(owning: number)
    guard linux_seal_memory(number, 0) == 0 else { throw sharingFailure(byteCount) }
    let address = unsafe mmap(nil, byteCount, PROT_READ, MAP_SHARED | MAP_POPULATE, number, 0)
    guard unsafe linux_is_map_failed(address) == 0 else { throw sharingFailure(byteCount) }
    _ = unsafe mlock(address, byteCount)
    self.descriptor = descriptor
    unsafe region = UnsafeRawBufferPointer(start: address, count: byteCount)
  }
}

private func sharingFailure(_ byteCount: Int) -> DeviceFailure {
  DeviceFailure(
    device: .memory, kind: .full, subject: "\(byteCount) bytes", problem: "cannot be shared with the decoder",
    remedy: "free memory, or raise LimitNOFILE in the service", systemErrorNumber: lastSystemError)
}
