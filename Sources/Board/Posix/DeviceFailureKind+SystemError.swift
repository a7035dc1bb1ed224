import Port
import CLinux

extension DeviceFailure.Kind {
  /// What an `errno` means for whoever asked something of a device or file.
  public init(systemErrorNumber: Int32) {
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
