import Base
import CLinux

extension DeviceFailure.Kind {
  /// The kind of an `errno` from a device or file.
  package init(systemErrorNumber: Int32) {
    switch systemErrorNumber {
    case ENOENT, ENODEV, ENXIO, ESHUTDOWN: self = .absent
    case EACCES, EPERM, EROFS: self = .noPermission
    case EBUSY, EMFILE, ENFILE: self = .busy
    case EINVAL, ENOTTY, EOPNOTSUPP, ENOTDIR, EISDIR, ENAMETOOLONG, EFBIG: self = .unsupported
    case ENOSPC, EDQUOT, ENOMEM: self = .full
    case EEXIST: self = .exists
    default: self = .failed
    }
  }
}

extension DeviceFailure {
  /// Whether a file has reached its size limit. Another file has room.
  package var isFileLimit: Bool { systemErrorNumber == EFBIG }
}

/// What `errno` means for a file in the data folder, and what a person can do.
/// - Parameter path: names the file; a long one loses its beginning, as the end is what tells files apart.
func storageFailure<let capacity: Int>(
  _ path: borrowing FixedText<capacity>, _ problem: StaticString, systemErrorNumber: Int32 = lastSystemError
) -> DeviceFailure {
  var subject = FixedText<64>()
  var end = path.bytes.extracting(last: 64)
  while !end.isEmpty, end[0].isUTF8Continuation { end = end.extracting(droppingFirst: 1) }
  subject.append(bytes: end)
  return DeviceFailure(
    device: .storage,
    // If the kernel briefly lacks memory, the card is not full, and the call is worth another try.
    kind: systemErrorNumber == ENOMEM ? .failed : DeviceFailure.Kind(systemErrorNumber: systemErrorNumber),
    subject: subject, problem: problem, remedy: storageRemedy(systemErrorNumber), systemErrorNumber: systemErrorNumber)
}

/// What to do about a folder that is not the data folder, where it differs.
/// - Parameter isDevice: whether the name is that of a device's node.
func remedy(forFolderElsewhere systemErrorNumber: Int32, isDevice: Bool) -> StaticString? {
  switch systemErrorNumber {
  case ENOTDIR where isDevice: "this is a disk, not a folder: mount it, and name the folder on it"
  case ENOTDIR: "name a folder"
  case EACCES, EPERM: "give the recorder's user the right to write there, or name another folder"
  case EROFS: "the file system is read-only: remount it, or name another folder"
  default: nil
  }
}

private func storageRemedy(_ systemErrorNumber: Int32) -> StaticString {
  switch systemErrorNumber {
  case ENOSPC, EDQUOT: "delete takes, or use a larger card"
  case EACCES, EPERM: "give the recorder's user the right to write there, or set --data"
  case EROFS: "the file system is read-only: remount it, or set --data"
  case EEXIST: "nothing is overwritten: move the existing one away"
  case ENOENT: "it does not exist; check --data"
  case ENOTDIR: "part of that path is a file: move it away, or set --data"
  case EISDIR: "a folder has that name: move it away"
  case ENAMETOOLONG: "use a shorter path"
  case EFBIG: "no larger file is allowed there: set [record] split_bytes, or raise LimitFSIZE"
  case EXDEV, ELOOP: "a link or a path leads out of the data folder: put the files there, or set --data"
  case EMFILE, ENFILE: "too many files are open: raise LimitNOFILE in the service"
  default: "check the card and its file system"
  }
}
