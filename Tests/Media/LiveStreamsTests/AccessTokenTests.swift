import TestSupport
import Testing
import Wire

@Suite struct AccessTokenTests {
  private static func token(_ line: String) -> AccessToken? { AccessToken(Array(line.utf8).span) }

  private static func matches(_ token: AccessToken, _ bytes: [UInt8]) -> Bool { token.matches(bytes.span) }

  @Test("A token is a line of 16 to 64 printable characters; anything else is none")
  func parses() {
    for line in [
      "0123456789abcdef", "0123456789abcdef\n", "0123456789abcdef\r\nmore", String(repeating: "~", count: 64),
    ] {
      #expect(Self.token(line) != nil, "\(line)")
    }
    for line in ["", "\n", "0123456789abcde", "0123456789abcde f", "0123456789 abcdef", "0123456789abcdefé"] {
      #expect(Self.token(line) == nil, "\(line)")
    }
    #expect(Self.token(String(repeating: "~", count: 65)) == nil)
  }

  @Test("Only the token itself matches: not a part, not more, and none with one other character")
  func matches() throws {
    let text = "0123456789abcdefXYZ"
    let token = try #require(Self.token(text))
    #expect(Self.matches(token, Array(text.utf8)))
    for length in 0..<text.count { #expect(!Self.matches(token, Array(text.utf8.prefix(length)))) }
    #expect(!Self.matches(token, Array((text + "Z").utf8)))
    #expect(!Self.matches(token, Array((text + "\0").utf8)))
    #expect(!Self.matches(token, [UInt8](repeating: 0, count: 300)))
    for index in 0..<text.utf8.count {
      var other = Array(text.utf8)
      other[index] ^= 1
      #expect(!Self.matches(token, other), "\(index)")
    }
  }

  @Test("A new token has 32 hexadecimal digits, and is read again as it was written")
  func isMade() throws {
    let token = AccessToken(randomHigh: 0x0123_4567_89AB_CDEF, randomLow: 1)
    #expect(String(token.bytes) == "0123456789abcdef0000000000000001")
    let text = token.bytes
    let isSame = AccessToken(text.bytes)?.matches(text.bytes)
    #expect(isSame == true)
  }
}
