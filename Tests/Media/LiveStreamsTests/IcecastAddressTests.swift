import TestSupport
import Testing
import Wire

@Suite struct IcecastAddressTests {
  private static func address(_ text: String) -> IcecastAddress? { IcecastAddress(Array(text.utf8).span) }

  @Test(
    "An address has a server, a port that may be left out, and a mount point",
    arguments: [
      ("http://archive/field.opus", "archive", 8000, "/field.opus", false),
      ("http://archive.local:8001/a/b", "archive.local", 8001, "/a/b", false),
      ("https://10.0.0.7:443/x", "10.0.0.7", 443, "/x", true),
      ("http://[fe80::1]:8000/x", "fe80::1", 8000, "/x", false), ("http://[::1]/x", "::1", 8000, "/x", false),
    ])
  func parses(text: String, host: String, port: UInt16, mount: String, isEncrypted: Bool) throws {
    let address = try #require(Self.address(text))
    #expect(String(address.host) == host && address.port == port)
    #expect(String(address.mount) == mount && address.isEncrypted == isEncrypted)
  }

  @Test("The user of the sources may be another than Icecast's usual one")
  func users() throws {
    #expect(try #require(Self.address("http://archive/x")).user == "source")
    let address = try #require(Self.address("http://dj@archive:8001/x"))
    #expect(address.user == "dj" && address.host == "archive" && address.port == 8001 && address.mount == "/x")
  }

  @Test(
    "What is no such address, or has a password in it, is none",
    arguments: [
      "", "archive/field", "ftp://archive/x", "http://", "http:///x", "http://archive", "http://archive/",
      "http://archive:/x", "http://archive:0/x", "http://archive:65536/x", "http://archive:80a/x", "http://:8000/x",
      "http://source:hackme@archive:8000/x", "http://[::1/x", "http://[::1]8000/x", "http://archive/x y",
      "http://@archive/x", "http://a@b@archive/x", "http://dj@/x",
      "http://archive/x\r\nIce-Public: 1", "http://archive/é", "http://archive/" + String(repeating: "x", count: 64),
    ])
  func refuses(text: String) {
    #expect(Self.address(text) == nil)
  }
}
