/// What a ``MemoryDisk`` was asked to change, in order: enough to rebuild it as a power cut leaves it.
public enum DiskOperation: Equatable, Sendable {
  case create(path: String, file: Int)
  case write(file: Int, offset: Int, bytes: [UInt8])
  case truncate(file: Int, byteCount: Int)
  case synchronise(file: Int)
  case synchroniseFolder(String)
  /// Whole and safe at once.
  case replace(path: String, bytes: [UInt8])
  case rename(path: String, newPath: String, file: Int)
  case remove(path: String)
}
