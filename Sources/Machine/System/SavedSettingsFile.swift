import Base
import CLinux

/// The file with what was saved of the configuration on the console.
package enum SavedSettingsFile: ~Copyable {
  /// Nothing was saved.
  case absent
  /// The system refuses to open it, with this `errno`.
  case unreadable(errorNumber: Int32)
  case open(FileDescriptor)
}

/// Opens that file, before anything else is opened in the data folder, and without waiting: anything may have its name.
package func savedSettingsFile(in folder: FixedText<128>) -> SavedSettingsFile {
  guard let root = FileDescriptor(path: folder, flags: O_RDONLY | O_DIRECTORY) else { return .absent }
  let name: FixedText<16> = "settings"
  guard let file = FileDescriptor(path: name, flags: O_RDONLY | O_NONBLOCK, beneath: root) else {
    let reason = lastSystemError
    return reason == ENOENT ? .absent : .unreadable(errorNumber: reason)
  }
  return .open(file)
}
