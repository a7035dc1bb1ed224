import CLinux
import Viewing

/// The recorder's memory, which it shares to be read.
struct SharedView {
  let reader: ViewReader

  /// - Returns: nil when the descriptor cannot be mapped, or what it holds is no recorder's of this version.
  init?(descriptor: Int32) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_size > 0 else { return nil }
    let byteCount = Int(status.st_size)
    let address = unsafe mmap(nil, byteCount, PROT_READ, MAP_SHARED, descriptor, 0)
    guard unsafe linux_is_map_failed(address) == 0 else { return nil }
    // Sound: it is never unmapped, and nobody can make it shorter.
    guard let reader = unsafe ViewReader(UnsafeRawBufferPointer(start: address, count: byteCount)) else { return nil }
    self.reader = reader
  }
}
