import Base
import CLinux

/// The process that holds a lock of flock(2) on an open file; nil when `/proc/locks` (proc(5)) does not list it.
func lockHolder(of file: borrowing FileDescriptor) -> Int32? {
  var status = stat()
  let path: FixedText<16> = "/proc/locks"
  guard unsafe fstat(file.number, &status) == 0, let locks = FileDescriptor(path: path, flags: O_RDONLY) else {
    return nil
  }
  let inode: FixedText<32> = ":\(status.st_ino)"
  var bytes = InlineArray<1024, UInt8>(repeating: 0)
  var line = FixedText<128>()
  while true {
    var span = bytes.mutableSpan
    let count = unsafe span.withUnsafeMutableBytes { buffer in
      retryingWhenInterrupted { unsafe read(locks.number, buffer.baseAddress!, buffer.count) }
    }
    guard count > 0 else { return nil }
    for index in 0..<count {
      guard bytes[index] == UInt8(ascii: "\n") else {
        line.append(byte: bytes[index])
        continue
      }
      if let holder = flockHolder(line.bytes, inode: inode.bytes) { return holder }
      line.removeAll()
    }
  }
}

/// The holder in a line such as `3: FLOCK  ADVISORY  WRITE 708 08:01:1966 0 EOF`; nil for another file or kind of lock,
/// and for a process that only waits (`3: -> FLOCK …`).
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
