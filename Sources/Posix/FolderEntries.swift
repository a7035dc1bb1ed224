import Board
import CLinux
import Text

/// Reads a folder's entries with `getdents64` into a buffer held in place: `opendir` would take memory from the heap.
struct FolderEntries: ~Copyable {
  struct Entry {
    var name: FixedText<128>
    var isFolder: Bool
  }

  private let folder: FileDescriptor
  /// Records as the kernel lays them out, each starting on 8 bytes (`struct linux_dirent64`).
  private var records = InlineArray<256, UInt64>(repeating: 0)
  private var filledByteCount = 0
  private var position = 0

  init(_ folder: consuming FileDescriptor) {
    self.folder = folder
  }

  /// The next entry but `.` and `..`, and names longer than any of ours; nil behind the last.
  mutating func next(in path: borrowing FixedText<128>) throws(DeviceFailure) -> Entry? {
    while true {
      if position == filledByteCount {
        try fill(path)
        guard filledByteCount > 0 else { return nil }
      }
      let entry = takeRecord()
      if !entry.name.isTruncated, !(entry.name == "."), !(entry.name == "..") { return entry }
    }
  }

  private mutating func fill(_ path: borrowing FixedText<128>) throws(DeviceFailure) {
    position = 0
    filledByteCount = 0
    var span = records.mutableSpan
    // Sound: the kernel fills at most the buffer's own bytes.
    let count = unsafe span.withUnsafeMutableBytes { room in
      unsafe linux_getdents64(folder.number, room.baseAddress!, room.count)
    }
    guard count >= 0 else { throw storageFailure(path, "cannot be listed") }
    filledByteCount = count
  }

  /// `d_reclen` lies at byte 16 of a record, `d_type` at 18, the name with its closing 0 from 19 on.
  private mutating func takeRecord() -> Entry {
    let bytes = unsafe records.span.bytes
    let recordByteCount = unsafe Int(bytes.unsafeLoad(fromByteOffset: position + 16, as: UInt16.self))
    let type = unsafe bytes.unsafeLoad(fromByteOffset: position + 18, as: UInt8.self)
    var name = FixedText<128>()
    for offset in position + 19..<position + recordByteCount {
      let byte = unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
      if byte == 0 { break }
      name.append(byte: byte)
    }
    position += recordByteCount
    return Entry(name: name, isFolder: isFolder(type, name))
  }

  /// Some file systems do not tell the type in the record.
  private func isFolder(_ type: UInt8, _ name: borrowing FixedText<128>) -> Bool {
    guard type == UInt8(DT_UNKNOWN) else { return type == UInt8(DT_DIR) }
    var status = stat()
    let found = unsafe name.withCString { name in
      unsafe fstatat(folder.number, name, &status, AT_SYMLINK_NOFOLLOW)
    }
    return found == 0 && linux_mode_is_folder(status.st_mode) != 0
  }
}
