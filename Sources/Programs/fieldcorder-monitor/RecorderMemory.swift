import CLinux
import Wire

/// The recorder's memory, mapped read-only.
@safe struct RecorderMemory: BitwiseCopyable {
  // Sound: mapped until `unmap()`, after which nobody uses the reader; it is sealed against shrinking.
  private let region: UnsafeRawBufferPointer
  let reader: ViewReader

  /// - Returns: nil when the descriptor cannot be mapped, is not sealed, or was not written by this version of the
  ///   recorder.
  init?(descriptor: Int32) {
    // To ask for a file's status takes a call that the sandbox refuses.
    let byteCount = Int(lseek(descriptor, 0, Int32(SEEK_END)))
    guard byteCount > 0, linux_keeps_its_size(descriptor) == 1 else { return nil }
    let address = unsafe mmap(nil, byteCount, PROT_READ, MAP_SHARED, descriptor, 0)
    guard unsafe linux_is_map_failed(address) == 0 else { return nil }
    let region = unsafe UnsafeRawBufferPointer(start: address, count: byteCount)
    guard let reader = unsafe ViewReader(region) else {
      unsafe munmap(address, byteCount)
      return nil
    }
    unsafe self.region = region
    self.reader = reader
  }

  func unmap() { unsafe _ = munmap(UnsafeMutableRawPointer(mutating: region.baseAddress!), region.count) }
}
