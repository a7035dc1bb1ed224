import TestSupport
import Testing
import Wire

@Suite struct ResponseStartTests {
  /// Feeds the text in pieces of this size.
  /// - Returns: the last result, and the bytes left as the body.
  private func take(_ text: String, pieceByteCount: Int) -> (state: ResponseStart.State, body: [UInt8]) {
    var start = ResponseStart()
    let bytes = Array(text.utf8)
    var index = 0
    while index < bytes.count {
      let piece = Array(bytes[index..<min(index + pieceByteCount, bytes.count)])
      let state = start.take(piece.span)
      if case .body(let offset) = state { return (state, Array(bytes[(index + offset)...])) }
      if case .refused = state { return (state, []) }
      index += piece.count
    }
    return (.open, [])
  }

  @Test("The body begins behind the blank line, however the bytes come", arguments: 1...40)
  func findsTheBody(pieceByteCount: Int) {
    let text = "HTTP/1.0 200 OK\r\nA: b\r\r\n\n\r\n\rX: \r\n\r\nOggS\r\n\r\n"
    #expect(take(text, pieceByteCount: pieceByteCount).body == Array("OggS\r\n\r\n".utf8))
  }

  @Test("Another status than 200 is told, and what is no response is refused")
  func refuses() {
    #expect(take("HTTP/1.1 503 No\r\n\r\nbody", pieceByteCount: 7).state == .refused(status: 503))
    #expect(take("HTTP/1.1 20x OK\r\n\r\n", pieceByteCount: 7).state == .refused(status: 0))
    #expect(take("\r\n\r\n", pieceByteCount: 7).state == .refused(status: 0))
    #expect(take(String(repeating: "2", count: 20_000), pieceByteCount: 100).state == .refused(status: 0))
    #expect(take("HTTP/1.1 200 OK\r\n", pieceByteCount: 7).state == .open)
  }
}
