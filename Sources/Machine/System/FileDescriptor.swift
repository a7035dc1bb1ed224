import Base
import CLinux

/// An open file, device or folder; it closes when the value is destroyed.
@usableFromInline package struct FileDescriptor: ~Copyable, Sendable {
  /// The number by which the kernel knows it, 0 or more.
  package let number: Int32

  /// Takes over a number that nothing else closes.
  package init(owning number: Int32) {
    self.number = number
  }

  /// Opens `path`, relative to `folder` (by default the working folder), with `O_CLOEXEC` added to `flags`.
  /// - Returns: nil on failure; ``lastSystemError`` says why.
  package init?<let capacity: Int>(
    path: borrowing FixedText<capacity>, flags: Int32, mode: mode_t = 0, in folder: Int32 = AT_FDCWD
  ) {
    let flags = flags | O_CLOEXEC
    let opened = unsafe path.withCString { path in
      retryingWhenInterrupted { unsafe Int(linux_openat(folder, path, flags, mode)) }
    }
    guard opened >= 0 else { return nil }
    number = Int32(opened)
  }

  deinit { close(number) }
}

extension FileDescriptor {
  /// Opens `path`, relative to `folder`, if neither it nor a link on it leads out of the folder.
  /// - Returns: nil on failure; ``lastSystemError`` says why.
  init?<let capacity: Int>(
    path: borrowing FixedText<capacity>, flags: Int32, mode: mode_t = 0, beneath folder: borrowing FileDescriptor
  ) {
    let root = folder.number
    let all = flags | O_CLOEXEC
    for _ in 0..<Self.racesPerOpening {
      let opened = unsafe path.withCString { path in
        retryingWhenInterrupted { unsafe Int(linux_openat_beneath(root, path, all, mode)) }
      }
      if opened >= 0 {
        self.init(owning: Int32(opened))
        return
      }
      // Something was renamed meanwhile, and the kernel could not tell whether the path leads out.
      guard lastSystemError == EAGAIN else { break }
    }
    guard lastSystemError == ENOSYS else { return nil }
    self.init(walking: path, flags: flags, mode: mode, from: folder)
  }

  private static var racesPerOpening: Int { 8 }

  /// As above for a kernel before 5.6: opens folder after folder, and refuses every link.
  init?<let capacity: Int>(
    walking path: borrowing FixedText<capacity>, flags: Int32, mode: mode_t = 0, from root: borrowing FileDescriptor
  ) {
    let isFolderItself = path == "."
    guard isFolderItself ? true : path.isPlainPath else {
      linux_set_errno(EXDEV)
      return nil
    }
    var name = FixedText<capacity>()
    guard var folder = FileDescriptor(path: "." as FixedText<2>, flags: O_RDONLY | O_DIRECTORY, in: root.number) else {
      return nil
    }
    for index in path.bytes.indices {
      let byte = path.bytes[index]
      if byte != UInt8(ascii: "/") {
        name.append(byte: byte)
        continue
      }
      let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW
      guard let next = FileDescriptor(path: name, flags: flags, in: folder.number) else { return nil }
      folder = next
      name.removeAll()
    }
    self.init(path: name, flags: flags | O_NOFOLLOW, mode: mode, in: folder.number)
  }
}

/// `errno`: why the call that has just failed did so.
package var lastSystemError: Int32 { linux_errno() }

/// Repeats a system call that a signal broke off. The bound keeps a storm of signals from holding the caller for ever.
package func retryingWhenInterrupted(_ call: () -> Int) -> Int {
  for _ in 0..<100 {
    let result = call()
    if result >= 0 || lastSystemError != EINTR { return result }
  }
  return -1
}
