import Base
import CLinux

/// Maps memory for boot: zeroed, page-aligned, present, never unmapped and, where the system allows it, never paged out.
/// - Returns: nil when less is free (`MemAvailable`): the kernel itself promises memory that it does not have.
package func lockedPages(byteCount: Int) -> UnsafeMutableRawPointer? {
  do throws(DeviceFailure) { try requireAvailableMemory(byteCount) } catch { return nil }
  let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE
  let address = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, flags, -1, 0)
  guard unsafe linux_is_map_failed(address) == 0 else { return nil }
  _ = unsafe mlock(address, byteCount)
  return unsafe address
}

/// - Throws: when the machine has less than `byteCount` bytes free.
func requireAvailableMemory(_ byteCount: Int) throws(DeviceFailure) {
  guard let available = availableMemoryByteCount(), byteCount > available else { return }
  throw .memoryRefused(byteCount: byteCount, systemErrorNumber: ENOMEM)
}

/// `MemAvailable` of `/proc/meminfo`: what can be had without swapping; nil when the kernel does not report it.
func availableMemoryByteCount() -> Int? {
  let path: FixedText<64> = "/proc/meminfo"
  guard let file = FileDescriptor(path: path, flags: O_RDONLY) else { return nil }
  var bytes = InlineArray<1024, UInt8>(repeating: 0)
  var span = bytes.mutableSpan
  let count = unsafe span.withUnsafeMutableBytes { buffer in
    retryingWhenInterrupted { unsafe read(file.number, buffer.baseAddress!, buffer.count) }
  }
  guard count > 0 else { return nil }
  return kibibytes(after: "MemAvailable:", in: bytes.span.extracting(first: count)).map { $0 * 1024 }
}

/// The number after `label` in lines such as `MemAvailable:    3906252 kB`.
func kibibytes(after label: StaticString, in text: Span<UInt8>) -> Int? {
  let length = label.utf8CodeUnitCount
  for start in 0..<max(0, text.count - length) where text.extracting(start..<start + length).equals(label) {
    var first = start + length
    while first < text.count, text[first] == UInt8(ascii: " ") { first += 1 }
    var end = first
    while end < text.count, text[end] != UInt8(ascii: " ") { end += 1 }
    return text.extracting(first..<end).parseInteger().flatMap { Int(exactly: $0) }
  }
  return nil
}
