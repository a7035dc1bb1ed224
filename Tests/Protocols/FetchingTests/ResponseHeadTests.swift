import TestSupport
import Testing
import Wire

@Suite struct ResponseHeadTests {
  private func head(_ lines: [String]) -> ResponseHead {
    var head = ResponseHead()
    for line in lines { head.read(Array((line + "\r\n").utf8).span) }
    return head
  }

  @Test("A response says what it is, in letters of any size")
  func reads() {
    let file = head([
      "HTTP/1.1 206 Partial Content", "CONTENT-LENGTH: 42", "Content-Type: audio/mpeg; charset=x",
      "Content-Range: bytes 100-141/142", "",
    ])
    #expect(file.isSuccess && file.status == 206 && file.contentByteCount == 42 && file.rangeStart == 100)
    #expect(file.contentType == "audio/mpeg" && !file.isChunked && !file.isRedirect)
    let station = head(["ICY 200 OK", "icy-metaint:8192", "icy-name:Radio", "content-type:audio/aac"])
    #expect(station.isSuccess && station.metadataInterval == 8192 && station.station == "Radio")
    #expect(station.contentByteCount == nil && station.contentType == "audio/aac")
    #expect(head(["HTTP/1.1 200 OK", "Transfer-Encoding: chunked"]).isChunked)
  }

  @Test("A redirect leads somewhere, and a status of failure says why")
  func leads() {
    #expect(head(["HTTP/1.1 302 Found", "Location:  /there "]).location == "/there")
    #expect(head(["HTTP/1.1 302 Found", "Location: /there"]).isRedirect)
    #expect(!head(["HTTP/1.1 302 Found"]).isRedirect)
    #expect(!head(["HTTP/1.1 200 OK", "Location: /there"]).isRedirect)
    #expect(head(["HTTP/1.1 404 Not Found"]).problem == .notThere)
    #expect(head(["HTTP/1.1 403 No"]).problem == .denied)
    #expect(head(["HTTP/1.1 401 No"]).problem == .locked)
    #expect(head(["HTTP/1.1 503 Busy"]).problem == .refused)
    #expect(head(["what"]).problem == .malformed)
  }

  @Test("A part says of which file it is, and a part that is not there as well")
  func readsParts() {
    let part = head(["HTTP/1.1 206 Partial", "Content-Range: Bytes 5-9/10"])
    #expect(part.rangeStart == 5 && part.wholeByteCount == 10)
    let none = head(["HTTP/1.1 416 No", "Content-Range: bytes */30000"])
    #expect(none.rangeStart == nil && none.wholeByteCount == 30_000)
    #expect(head(["HTTP/1.1 206 Partial", "Content-Range: bytes 5-9/*"]).wholeByteCount == nil)
  }

  @Test("Numbers that are none count as absent")
  func bearsNumbers() {
    let odd = head([
      "HTTP/1.1 200 OK", "Content-Length: -5", "icy-metaint: 99999999999999999999", "Content-Range: bytes x-/2",
    ])
    #expect(odd.contentByteCount == nil && odd.metadataInterval == 0 && odd.rangeStart == nil)
    #expect(head(["HTTP/1.1 200 OK", "icy-metaint: 999999999"]).metadataInterval == 1 << 24)
    #expect(head(["HTTP/1.1 200 OK", "icy-metaint: -1"]).metadataInterval == 0)
  }

  @Test("A busy server says when to come back, if that is soon")
  func busy() {
    #expect(head(["HTTP/1.1 503 Busy", "Retry-After: 5"]).retryMilliseconds == 5000)
    #expect(head(["HTTP/1.1 429 Too Many", "retry-after:30"]).retryMilliseconds == 30_000)
    for field in ["Retry-After: 31", "Retry-After: Wed, 21 Oct 2026 07:28:00 GMT", "Retry-After: -1", "X: 1"] {
      #expect(head(["HTTP/1.1 503 Busy", field]).retryMilliseconds == nil)
    }
    #expect(head(["HTTP/1.1 404 Not Found", "Retry-After: 1"]).retryMilliseconds == nil)
    #expect(head(["HTTP/1.1 203 Non-Authoritative Information"]).isSuccess)
  }

  @Test("A later status line begins anew, but all bytes count")
  func counts() {
    var head = ResponseHead()
    head.read(Array("HTTP/1.1 100 Continue\r\n".utf8).span)
    head.read(Array("Content-Length: 3\r\n".utf8).span)
    head.read(Array("HTTP/1.1 200 OK\r\n".utf8).span)
    #expect(head.status == 200 && head.contentByteCount == nil)
    let line = Array("HTTP/1.1 100 Continue\r\n".utf8)
    for _ in 0..<3000 { head.read(line.span) }
    #expect(head.isTooLong)
  }
}
