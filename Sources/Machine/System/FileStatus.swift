import Base
import CLinux

/// Whether anything exists at an absolute path.
package func deviceExists(_ path: borrowing FixedText<64>) -> Bool {
  unsafe path.withCString { unsafe access($0, F_OK) } == 0
}

struct FileStatus {
  private let status: stat

  /// - Parameters:
  ///   - path: relative to `folder`, or absolute.
  ///   - followsLinks: whether a symbolic link stands for its target.
  /// - Returns: nil on failure; ``lastSystemError`` says why.
  init?<let capacity: Int>(
    _ path: borrowing FixedText<capacity>, in folder: borrowing FileDescriptor, followsLinks: Bool = true
  ) {
    var status = stat()
    let number = folder.number
    let found = unsafe path.withCString { path in
      retryingWhenInterrupted {
        unsafe Int(fstatat(number, path, &status, followsLinks ? 0 : AT_SYMLINK_NOFOLLOW))
      }
    }
    guard found == 0 else { return nil }
    self.status = status
  }

  /// The status of an open file. Returns nil on failure; ``lastSystemError`` says why.
  init?(of file: borrowing FileDescriptor) {
    var status = stat()
    guard unsafe fstat(file.number, &status) == 0 else { return nil }
    self.status = status
  }

  var isFolder: Bool { linux_mode_is_folder(status.st_mode) != 0 }

  /// Whether it is an ordinary file: not a folder, device, pipe or socket.
  var isFile: Bool { linux_mode_is_file(status.st_mode) != 0 }

  /// Whether a name still leads to it.
  var hasName: Bool { status.st_nlink > 0 }

  /// Whether its owner may write to it.
  var mayBeWritten: Bool { permissions & 0o200 != 0 }

  /// The nine permission bits of `chmod`.
  var permissions: mode_t { status.st_mode & 0o777 }

  /// The size; 0 for anything without a length.
  var byteCount: UInt64 { UInt64(max(status.st_size, 0)) }

  /// When it was last changed, since 1970-01-01 00:00 UTC.
  var modifiedNanoseconds: Int64 {
    let (seconds, overflow) = Int64(status.st_mtim.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? 0 : seconds &+ Int64(status.st_mtim.tv_nsec)
  }

  /// Whether both are on the same file system.
  func isOnDevice(of other: FileStatus) -> Bool { status.st_dev == other.status.st_dev }

  /// Whether both are the same file or folder, perhaps under different names.
  func isSame(as other: FileStatus) -> Bool {
    isOnDevice(of: other) && status.st_ino == other.status.st_ino
  }
}
