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
