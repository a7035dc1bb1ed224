import Base
import CLinux

/// The data folder, for those who only look into it: the folder that now has its name, because the card may have gone and
/// come back, or be another one.
struct DataFolder: ~Copyable {
  private(set) var root: FileDescriptor
  private(set) var status: FileStatus
  private let path: FixedText<256>

  /// - Throws: when it cannot be opened.
  init<let capacity: Int>(_ path: borrowing FixedText<capacity>) throws(DeviceFailure) {
    self.path = FixedText(path.bytes)
    guard let root = FileDescriptor(path: path, flags: O_RDONLY | O_DIRECTORY), let status = FileStatus(of: root) else {
      throw storageFailure(path, "cannot be opened")
    }
    self.root = root
    self.status = status
  }

  /// Takes up the folder that now has the name, unless it is the same, or none of ours.
  mutating func follow() {
    guard let found = FileDescriptor(path: path, flags: O_RDONLY | O_DIRECTORY), let now = FileStatus(of: found),
      !now.isSame(as: status), found.hasIdentity
    else { return }
    root = found
    status = now
  }
}

extension FileDescriptor {
  /// Whether a recorder has its identity in this folder: one without it, such as that under an empty mount point, is none
  /// of ours.
  var hasIdentity: Bool {
    let mark: FixedText<16> = "identity"
    return unsafe mark.withCString { unsafe faccessat(number, $0, R_OK | W_OK, AT_EACCESS) } == 0
  }
}
