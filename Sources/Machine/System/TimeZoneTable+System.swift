import Base
import CLinux

extension TimeZoneTable {
  /// Reads a time zone of the system (tzdata). At boot: the memory is kept for the life of the process.
  /// - Parameters:
  ///   - name: such as `Asia/Seoul`; a path within the folder.
  ///   - folder: where time zones are.
  package init(
    named name: FixedText<40>, in folder: FixedText<64> = "/usr/share/zoneinfo"
  ) throws(TimeZoneProblem) {
    let path: FixedText<128> = "\(folder)/\(name)"
    // What is no file must not be waited for.
    guard let file = FileDescriptor(path: path, flags: O_RDONLY | O_NONBLOCK) else {
      throw lastSystemError == ENOENT || lastSystemError == ENOTDIR ? .absent : .damaged
    }
    guard let memory = unsafe lockedPages(byteCount: TimeZoneLimits.byteCount) else { throw .damaged }
    // Sound: the kernel fills at most the memory's own bytes.
    let count = retryingWhenInterrupted { unsafe read(file.number, memory, TimeZoneLimits.byteCount) }
    guard count > 0, count < TimeZoneLimits.byteCount else { throw .damaged }
    // Sound: the pages are never unmapped, and nobody else has them.
    try unsafe self.init(
      UnsafeBufferPointer(start: memory.bindMemory(to: UInt8.self, capacity: count), count: count))
  }
}
