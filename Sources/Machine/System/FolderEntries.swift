import Base
import CLinux

/// Reads a folder's entries with `getdents64` into a buffer held in place: `opendir` would allocate on the heap.
struct FolderEntries: ~Copyable {
  struct Entry {
    var name: FixedText<256>
    /// `d_type`, which is unknown on some file systems.
    var type: UInt8
    /// The place of the next entry, for ``FolderEntries/init(_:from:)``.
    var nextPlace: UInt64
  }

  let folder: FileDescriptor
  /// Records in the kernel's layout, each aligned to 8 bytes (`struct linux_dirent64`).
  private var records = InlineArray<256, UInt64>(repeating: 0)
  private var filledByteCount = 0
  private var position = 0

  /// - Parameter place: 0 for the first entry.
  init(_ folder: consuming FileDescriptor, from place: UInt64 = 0) {
    if place > 0 { lseek(folder.number, off_t(truncatingIfNeeded: place), SEEK_SET) }
    self.folder = folder
  }

  /// The next entry other than `.` and `..`; nil after the last.
  mutating func next<let capacity: Int>(in path: borrowing FixedText<capacity>) throws(DeviceFailure) -> Entry? {
    while true {
      if position == filledByteCount {
        try fill(path)
        guard filledByteCount > 0 else { return nil }
      }
      let entry = takeRecord()
      if !(entry.name == "."), !(entry.name == "..") { return entry }
    }
  }

  private mutating func fill<let capacity: Int>(_ path: borrowing FixedText<capacity>) throws(DeviceFailure) {
    position = 0
    filledByteCount = 0
    var span = records.mutableSpan
    // Safe: the kernel fills at most the buffer's own bytes.
    let count = unsafe span.withUnsafeMutableBytes { buffer in
      unsafe linux_getdents64(folder.number, buffer.baseAddress!, buffer.count)
    }
    guard count >= 0 else { throw storageFailure(path, "cannot be listed") }
    filledByteCount = count
  }

  /// `d_off` is at byte 8 of a record, `d_reclen` at 16, `d_type` at 18, and the 0-terminated name starts at 19.
  private mutating func takeRecord() -> Entry {
    let bytes = unsafe records.span.bytes
    let nextPlace = unsafe bytes.unsafeLoad(fromByteOffset: position + 8, as: UInt64.self)
    let recordByteCount = unsafe Int(bytes.unsafeLoad(fromByteOffset: position + 16, as: UInt16.self))
    let type = unsafe bytes.unsafeLoad(fromByteOffset: position + 18, as: UInt8.self)
    var name = FixedText<256>()
    for offset in position + 19..<position + recordByteCount {
      let byte = unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
      if byte == 0 { break }
      name.append(byte: byte)
    }
    position += recordByteCount
    return Entry(name: name, type: type, nextPlace: nextPlace)
  }

  /// An entry with its name and kind only. Does not follow a link.
  func kindOnly(_ entry: borrowing Entry) -> FolderEntry {
    var isFile = entry.type == UInt8(DT_REG)
    var isFolder = entry.type == UInt8(DT_DIR)
    if entry.type == UInt8(DT_UNKNOWN), let status = FileStatus(entry.name, in: folder, followsLinks: false) {
      (isFile, isFolder) = (status.isFile, status.isFolder)
    }
    return FolderEntry(name: entry.name, kind: isFile ? .file : isFolder ? .folder : .other)
  }
}

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
