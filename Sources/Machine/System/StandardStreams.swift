import Base
import CLinux

/// Lines on the program's standard output and error, outside the console.
package enum StandardStreams {
  /// Writes to standard output.
  package static func say<let capacity: Int>(_ line: FixedText<capacity>) { write(line.bytes, to: STDOUT_FILENO) }

  /// Writes to standard output.
  package static func say(_ lines: StaticString) { write(lines.utf8Bytes, to: STDOUT_FILENO) }

  /// Writes to standard error.
  package static func complain<let capacity: Int>(_ line: FixedText<capacity>) { write(line.bytes, to: STDERR_FILENO) }

  /// Writes to standard error.
  package static func complain(_ lines: StaticString) { write(lines.utf8Bytes, to: STDERR_FILENO) }

  /// Opens those that are closed, at the start of a program: otherwise its files would get their numbers.
  package static func openAll() {
    let path: FixedText<16> = "/dev/null"
    while true {
      let opened = unsafe path.withCString { unsafe linux_openat(AT_FDCWD, $0, O_RDWR, 0) }
      guard opened >= 0, opened <= STDERR_FILENO else {
        if opened >= 0 { close(opened) }
        return
      }
    }
  }

  /// Makes a file standard input.
  /// - Returns: false if it is not a readable file.
  package static func read(from path: borrowing FixedText<256>) -> Bool {
    guard let file = FileDescriptor(path: path, flags: O_RDONLY), FileStatus(of: file)?.isFolder == false else {
      return false
    }
    return dup2(file.number, STDIN_FILENO) >= 0
  }

  private static func write(_ bytes: Span<UInt8>, to descriptor: Int32) {
    put(bytes, to: descriptor)
    let lineEnd: StaticString = "\n"
    put(lineEnd.utf8Bytes, to: descriptor)
  }

  private static func put(_ bytes: Span<UInt8>, to descriptor: Int32) {
    // Safe: the pointer is used only while it is lent. A stream that accepts nothing is ignored.
    unsafe bytes.withUnsafeBufferPointer { _ = unsafe CLinux.write(descriptor, $0.baseAddress, $0.count) }
  }
}

/// The programs' exit statuses.
package enum ExitStatus {
  /// Success.
  package static var done: Int32 { 0 }
  /// The program itself failed.
  package static var failed: Int32 { 1 }
  /// The arguments or the configuration are wrong.
  package static var refused: Int32 { 2 }
}

/// The arguments of a program, after its name.
@safe package struct ArgumentList: BitwiseCopyable {
  // Safe: the words live as long as the process, and `index` stays below their count.
  private let words: UnsafePointer<UnsafePointer<CChar>?>
  private let count: Int
  private var index = 1

  /// - Parameters:
  ///   - count: the `argc` of a C program.
  ///   - words: its `argv`: the first word is the program's own name.
  package init(count: Int32, words: UnsafePointer<UnsafePointer<CChar>?>) {
    self.count = Int(count)
    unsafe self.words = words
  }

  /// Whether no word is left.
  package var isAtEnd: Bool { index >= count }

  /// The next word, as many whole characters of it as fit; nil after the last.
  package mutating func next<let capacity: Int>() -> FixedText<capacity>? {
    guard !isAtEnd, let word = unsafe words[index] else { return nil }
    index += 1
    return unsafe FixedText(cString: word)
  }

  /// The next word as an integer within a range; nil if it is not one.
  package mutating func number(_ range: ClosedRange<Int>) -> Int? {
    guard let word: FixedText<256> = next(), let number = word.bytes.parseInteger(as: Int.self),
      range.contains(number)
    else { return nil }
    return number
  }

  /// The next word as one of a set; nil if it is not in the set.
  package mutating func choice<Value: Choice>() -> Value? {
    guard let word: FixedText<256> = next() else { return nil }
    return Value(name: word.bytes)
  }
}
