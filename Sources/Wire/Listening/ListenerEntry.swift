import Base

/// Somebody who listens, as the monitor tells the recorder: a line of a ``ListenerList``. Numbers come first, so that no text
/// from a network can be taken for one.
package struct ListenerEntry: BitwiseCopyable, Equatable, Sendable {
  /// Of the other end, such as `192.0.2.7:50000`.
  package var address: FixedText<64>
  /// What is listened to: the path, or `snapcast` and the name of the player.
  package var path: FixedText<128>
  /// For how long.
  package var seconds: UInt64
  /// What was sent, in bytes.
  package var sentByteCount: UInt64
  /// What was recorded and is not sent yet, in bytes.
  package var bytesBehind: UInt64
  /// Pictures that were skipped; nil for sound.
  package var leftOutPictureCount: UInt64?

  /// One that the monitor serves.
  package init(
    address: FixedText<64>, path: FixedText<128>, seconds: UInt64, sentByteCount: UInt64, bytesBehind: UInt64,
    leftOutPictureCount: UInt64? = nil
  ) {
    self.address = address
    self.path = path
    self.seconds = seconds
    self.sentByteCount = sentByteCount
    self.bytesBehind = bytesBehind
    self.leftOutPictureCount = leftOutPictureCount
  }

  /// Nil for what is not such a line.
  package init?(line: Span<UInt8>) {
    var rest = line
    guard let seconds = rest.takeWord().parseInteger(as: UInt64.self),
      let sentByteCount = rest.takeWord().parseInteger(as: UInt64.self),
      let bytesBehind = rest.takeWord().parseInteger(as: UInt64.self)
    else { return nil }
    let leftOut = rest.takeWord()
    leftOutPictureCount = leftOut.parseInteger(as: UInt64.self)
    guard leftOutPictureCount != nil || leftOut.equals("-") else { return nil }
    address = FixedText(rest.takeWord())
    path = FixedText(rest)
    guard !address.isEmpty, !path.isEmpty else { return nil }
    self.seconds = seconds
    self.sentByteCount = sentByteCount
    self.bytesBehind = bytesBehind
  }

  /// The line, with a line feed behind it.
  package var line: FixedText<320> {
    var line: FixedText<320> = "\(seconds) \(sentByteCount) \(bytesBehind) "
    if let count = leftOutPictureCount { line.append("\(count)" as FixedText<32>) } else { line.append("-") }
    line.append(" \(address) \(path)\n" as FixedText<256>)
    return line
  }
}

extension FixedText where capacity == 3000 {
  /// Adds one who listens.
  package mutating func append(_ listener: ListenerEntry) { append(listener.line) }

  /// Passes each of a ``ListenerList`` to `body`; a line that is none is left out.
  package func forEachListener(_ body: (ListenerEntry) -> Void) {
    forEachLine { line in
      if let listener = ListenerEntry(line: line.bytes) { body(listener) }
    }
  }
}

extension Span where Element == UInt8 {
  /// Removes and returns what stands before the first space, which goes too.
  @_lifetime(copy self)
  fileprivate mutating func takeWord() -> Span<UInt8> {
    let word = firstWord
    self = extracting(droppingFirst: Swift.min(word.count + 1, count))
    return word
  }
}
