import Base
import CLinux

/// An open file, device or folder; it closes when the value is destroyed.
@usableFromInline package struct FileDescriptor: ~Copyable, Sendable {
  /// The kernel's number for it, 0 or more.
  package let number: Int32

  /// Takes ownership of a number that nothing else closes.
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
  /// Opens `path`, relative to `folder`, if neither it nor a link in it leads out of the folder.
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
      // Something was renamed during the call, and the kernel could not tell whether the path leads out.
      guard lastSystemError == EAGAIN else { break }
    }
    guard lastSystemError == ENOSYS else { return nil }
    self.init(walking: path, flags: flags, mode: mode, from: folder)
  }

  private static var racesPerOpening: Int { 8 }

  /// The same for kernels before 5.6: opens folder by folder, and refuses every link.
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

/// `errno`: why the last system call failed.
package var lastSystemError: Int32 { linux_errno() }

/// Repeats a system call interrupted by a signal. The bound keeps a storm of signals from holding the caller for ever.
package func retryingWhenInterrupted(_ call: () -> Int) -> Int {
  for _ in 0..<100 {
    let result = call()
    if result >= 0 || lastSystemError != EINTR { return result }
  }
  return -1
}

/// Calls `visit` with each terminated line of a file, without its line feed, until it returns false. A file that cannot
/// be read has no lines, and a line longer than 512 bytes is cut.
func forEachLine(of path: borrowing FixedText<128>, _ visit: (Span<UInt8>) -> Bool) {
  guard let file = FileDescriptor(path: path, flags: O_RDONLY) else { return }
  var bytes = InlineArray<1024, UInt8>(repeating: 0)
  var line = FixedText<512>()
  while true {
    var span = bytes.mutableSpan
    let count = unsafe span.withUnsafeMutableBytes { buffer in
      retryingWhenInterrupted { unsafe read(file.number, buffer.baseAddress!, buffer.count) }
    }
    guard count > 0 else { return }
    for index in 0..<count {
      guard bytes[index] == UInt8(ascii: "\n") else {
        line.append(byte: bytes[index])
        continue
      }
      guard visit(line.bytes) else { return }
      line.removeAll()
    }
  }
}

/// The process that holds an flock(2) lock on an open file; nil if `/proc/locks` (proc(5)) does not list it.
func lockHolder(of file: borrowing FileDescriptor) -> Int32? {
  var status = stat()
  guard unsafe fstat(file.number, &status) == 0 else { return nil }
  let inode: FixedText<32> = ":\(status.st_ino)"
  var holder: Int32?
  forEachLine(of: "/proc/locks") { line in
    holder = flockHolder(line, inode: inode.bytes)
    return holder == nil
  }
  return holder
}

/// The holder from a line such as `3: FLOCK  ADVISORY  WRITE 708 08:01:1966 0 EOF`; nil for another file or kind of
/// lock, and for a process that only waits (`3: -> FLOCK …`).
func flockHolder(_ line: Span<UInt8>, inode: Span<UInt8>) -> Int32? {
  var words = QuotedWords(line)
  var word = FixedText<256>()
  for place in 0..<6 {
    guard let next = try? words.next() else { return nil }
    if place == 1, !next.bytes.equals("FLOCK") { return nil }
    if place == 5, !next.bytes.ends(with: inode) { return nil }
    if place == 4 { word = next }
  }
  return word.bytes.parseInteger(as: Int32.self)
}
