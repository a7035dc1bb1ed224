import CLinux
import Wire

/// The memory in which the recorder finds what was taken out of a file.
@safe struct ExtractOutput: BitwiseCopyable {
  // Sound: mapped for the life of the process.
  let memory: UnsafeMutableRawBufferPointer

  /// - Returns: nil when the descriptor cannot be mapped, or is smaller than a picture.
  init?(descriptor: Int32, byteCount: Int) {
    guard byteCount >= ExtractMemory.byteCount else { return nil }
    let mapped = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard let start = unsafe mapped, unsafe linux_is_map_failed(start) == 0 else { return nil }
    unsafe memory = UnsafeMutableRawBufferPointer(start: start, count: byteCount)
  }
}
