import Base
import CLinux

/// The file with the configuration saved on the console.
package enum SavedSettingsFile: ~Copyable {
  /// Nothing was saved.
  case absent
  /// The system refuses to open it, with this `errno`.
  case unreadable(errorNumber: Int32)
  case open(FileDescriptor)
}

/// Opens the file before anything else in the data folder, and without blocking: its name may belong to anything.
package func savedSettingsFile(in folder: FixedText<128>) -> SavedSettingsFile {
  guard let root = FileDescriptor(path: folder, flags: O_RDONLY | O_DIRECTORY) else { return .absent }
  let name: FixedText<16> = "settings"
  guard let file = FileDescriptor(path: name, flags: O_RDONLY | O_NONBLOCK, beneath: root) else {
    let reason = lastSystemError
    return reason == ENOENT ? .absent : .unreadable(errorNumber: reason)
  }
  return .open(file)
}

/// The first line of a kernel file, up to 64 bytes; nil if it cannot be read.
package func firstLine(of path: FixedText<128>) -> FixedText<64>? {
  guard let file = FileDescriptor(path: path, flags: O_RDONLY) else { return nil }
  var buffer = InlineArray<64, UInt8>(repeating: 0)
  var span = buffer.mutableSpan
  // Safe: the kernel fills at most the buffer's own bytes.
  let count = unsafe span.withUnsafeMutableBytes { bytes in
    retryingWhenInterrupted { unsafe CLinux.read(file.number, bytes.baseAddress!, bytes.count) }
  }
  guard count >= 0 else { return nil }
  var text = FixedText<64>()
  // Strings in the device tree end with a 0.
  for index in 0..<count {
    guard buffer[index] != UInt8(ascii: "\n"), buffer[index] != 0 else { break }
    text.append(byte: buffer[index])
  }
  return text
}
