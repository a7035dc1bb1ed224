/// The start of an HTTP response, up to the blank line: whether it is a success, and where the body begins (RFC 9112, 2).
package struct ResponseStart: Sendable {
  /// A start that is longer is none.
  private static var largestByteCount: Int { 16_384 }

  /// What has been found.
  package enum State: Equatable, Sendable {
    /// The blank line has not come yet.
    case open
    /// The body begins after so many of the bytes that were taken last.
    case body(after: Int)
    /// The status is another than 200, or this is no response: 0 then.
    case refused(status: Int)
  }

  private var byteCount = 0
  private var status = 0
  /// How much of the end, CR LF CR LF, has come.
  private var endByteCount = 0

  /// Before the first byte.
  package init() {}

  /// Takes the next bytes; only while the answer is ``State/open``.
  package mutating func take(_ bytes: Span<UInt8>) -> State {
    for index in bytes.indices {
      let byte = bytes[index]
      // `HTTP/1.x 200 …`: the digits of the status are the tenth byte and the two behind it.
      if (9..<12).contains(byteCount) {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return .refused(status: 0) }
        status = status * 10 + Int(byte - UInt8(ascii: "0"))
      }
      byteCount += 1
      let isReturn = endByteCount % 2 == 0
      if byte == (isReturn ? 13 : 10) { endByteCount += 1 } else { endByteCount = byte == 13 ? 1 : 0 }
      if endByteCount == 4 { return status == 200 ? .body(after: index + 1) : .refused(status: status) }
      if byteCount == Self.largestByteCount { return .refused(status: 0) }
    }
    return .open
  }
}
