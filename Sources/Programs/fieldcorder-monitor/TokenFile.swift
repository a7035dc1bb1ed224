import Base
import CLinux
import Machine
import Wire

/// The file with the token.
enum TokenFile {
  /// Reads it; without one in the configuration, the one that is kept, which is made at the first start.
  static func load(_ path: FixedText<64>?, besides folder: FixedText<128>) throws(Refusal) -> AccessToken {
    let file: FixedText<256> = path.map { FixedText($0.bytes) } ?? "\(folder)/token"
    if let opened = FileDescriptor(path: file, flags: O_RDONLY) { return try read(opened, file) }
    guard path == nil, lastSystemError == ENOENT else {
      throw Refusal(
        "the token in \(file) cannot be read: give the program's user the right to, or remove [monitor] token")
    }
    return try make(file)
  }

  private static func read(_ opened: borrowing FileDescriptor, _ file: FixedText<256>) throws(Refusal) -> AccessToken {
    var bytes = InlineArray<128, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    let count = unsafe span.withUnsafeMutableBytes { unsafe CLinux.read(opened.number, $0.baseAddress, $0.count) }
    guard count > 0, let token = AccessToken(bytes.span.extracting(first: count)) else {
      throw Refusal("\(file) has no token: expected a line of 16…64 characters without spaces")
    }
    return token
  }

  private static func make(_ file: FixedText<256>) throws(Refusal) -> AccessToken {
    var words: (UInt64, UInt64) = (0, 0)
    guard unsafe getrandom(&words, 16, 0) == 16 else { throw Refusal("the system has no random numbers") }
    let token = AccessToken(randomHigh: words.0, randomLow: words.1)
    let line: FixedText<72> = "\(token.bytes)\n"
    guard let made = FileDescriptor(path: file, flags: O_WRONLY | O_CREAT | O_EXCL, mode: 0o600),
      unsafe line.bytes.withUnsafeBufferPointer({ unsafe write(made.number, $0.baseAddress, $0.count) })
        == line.byteCount
    else { throw Refusal("cannot keep a token in \(file): make its folder, or set [monitor] token") }
    StandardStreams.say("made a token: it is in \(file)" as FixedText<320>)
    return token
  }
}
