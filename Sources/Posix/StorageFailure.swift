import Board
import CLinux
import Text

/// What `errno` means for a file of the data folder, and what a person can do.
/// - Parameter path: names the file; its end is what tells files apart, so a long one loses its beginning.
func storageFailure(
  _ path: borrowing FixedText<128>, _ problem: StaticString, systemErrorNumber: Int32 = lastSystemError
) -> DeviceFailure {
  let (kind, remedy) = storageRemedy(systemErrorNumber)
  var subject = FixedText<64>()
  subject.append(bytes: path.bytes.extracting(last: 64))
  return DeviceFailure(
    device: .storage, kind: kind, subject: subject, problem: problem, remedy: remedy,
    systemErrorNumber: systemErrorNumber)
}

private func storageRemedy(_ systemErrorNumber: Int32) -> (DeviceFailure.Kind, StaticString) {
  switch systemErrorNumber {
  case ENOSPC, EDQUOT: (.full, "delete takes, or use a larger card")
  case EACCES, EPERM: (.noPermission, "give the recorder's user the right to write there, or set --data")
  case EROFS: (.noPermission, "the file system is read-only: remount it, or set --data")
  case EEXIST: (.exists, "nothing is overwritten: move the other one away")
  case ENOENT: (.absent, "it is not there; check --data")
  case ENOTDIR: (.unsupported, "part of that path is a file: move it away, or set --data")
  case EISDIR: (.unsupported, "a folder has that name: move it away")
  case ENAMETOOLONG: (.unsupported, "use a shorter path")
  case EFBIG: (.unsupported, "the file system takes no larger files: set [record] split_bytes")
  case EMFILE, ENFILE: (.busy, "too many files are open: raise LimitNOFILE")
  default: (.failed, "check the card and its file system")
  }
}
