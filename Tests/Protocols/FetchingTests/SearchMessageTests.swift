import Base
import TestSupport
import Testing
import Wire

@Suite struct SearchMessageTests {
  private func encoded(_ byteCount: Int, _ encode: (inout MutableRawSpan) -> Int) -> [UInt8] {
    var memory = [UInt8](repeating: 0, count: byteCount)
    var span = memory.mutableSpan
    var buffer = unsafe span.mutableBytes
    let count = encode(&buffer)
    return Array(memory.prefix(count))
  }

  private func bytes(of event: SearchEvent) -> [UInt8] {
    encoded(SearchEvent.maximumByteCount) { event.encode(into: &$0) }
  }

  private func event(_ bytes: [UInt8]) -> SearchEvent? { unsafe SearchEvent(decoding: bytes.span.bytes) }

  private func order(_ bytes: [UInt8]) -> SearchOrder? { unsafe SearchOrder(decoding: bytes.span.bytes) }

  private func server(
    _ address: String = "192.0.2.7", port: UInt16 = 1704, host: String = "kitchen.local", name: String = "Küche",
    kind: FoundServer.Kind = .snapcast
  ) -> FoundServer? {
    FoundServer(kind, address: FixedText(address), port: port, host: FixedText(host), name: FixedText(name))
  }

  @Test("An order for a search is no order for a stream, and has 1 to 60 seconds")
  func keepsOrders() throws {
    for seconds in 0...255 as ClosedRange<UInt8> {
      let order = SearchOrder(seconds: seconds)
      #expect((order != nil) == (1...60).contains(seconds))
      #expect(self.order([0, seconds]) == order)
      #expect(unsafe FetchOrder(decoding: [0, seconds].span.bytes) == nil)
    }
    let three = try #require(SearchOrder(seconds: 3))
    let bytes = encoded(SearchOrder.byteCount) { memory in
      three.encode(into: &memory)
      return SearchOrder.byteCount
    }
    #expect(bytes == [0, 3])
    for wrong in [[], [0], [1, 3], [0, 3, 0]] as [[UInt8]] { #expect(order(wrong) == nil) }
    let address = try #require(FetchOrder("http://a/", DeviceIdentity(high: 1, low: 2)))
    #expect(order(encoded(FetchOrder.maximumByteCount) { address.encode(into: &$0) }) == nil)
  }

  @Test("What was found arrives as it was sent, the longest texts too, and no part of it is an event")
  func keepsEvents() throws {
    let long = String(repeating: "a", count: 64)
    let servers = [
      server(), server("2001:db8::7", port: 65_535, name: "", kind: .monitor),
      server(String(repeating: "1", count: 48), host: long, name: long),
    ]
    let events =
      servers.compactMap(\.self).map { SearchEvent.found($0) } + [
        .finished(isComplete: true), .finished(isComplete: false), .failed(.noAvahi),
      ]
    #expect(events.count == 6)
    #expect(bytes(of: events[2]).count == SearchEvent.maximumByteCount)
    for event in events {
      let bytes = bytes(of: event)
      #expect(self.event(bytes) == event)
      for count in 0..<bytes.count { #expect(self.event(Array(bytes.prefix(count))) == nil) }
      #expect(self.event(bytes + [0]) == nil)
    }
  }

  @Test(
    "A host or an address of other letters, one that is too long, and port 0 are no server",
    arguments: [
      ("", "a", 1), ("192.0.2.7 1704", "a", 1), ("kitchen", "a", 1), ("192.0.2.7\n", "a", 1), ("fe80::1%eth0", "a", 1),
      ("192.0.2.7", "", 1), ("192.0.2.7", "a b", 1), ("192.0.2.7", "a/b", 1), ("192.0.2.7", "kü.local", 1),
      ("192.0.2.7", "a\u{1B}[2J", 1), ("192.0.2.7", "a", 0), ("192.0.2.7", String(repeating: "a", count: 65), 1),
      (String(repeating: "1", count: 49), "a", 1),
    ] as [(String, String, UInt16)])
  func refusesServers(address: String, host: String, port: UInt16) {
    #expect(server(address, port: port, host: host) == nil)
  }

  @Test("A name loses what a terminal would obey, and is cut after 64 bytes")
  func cleansNames() throws {
    let found = try #require(server(name: "a\u{1B}[2Jb\nok"))
    #expect(String(found.name) == "a [2Jb ok")
    #expect(event(bytes(of: .found(found))) == .found(found))
    let long = try #require(server(name: String(repeating: "가", count: 30)))
    #expect(String(long.name) == String(repeating: "가", count: 21))
  }

  @Test("Whatever a service sends, what is read can be printed and typed", arguments: 0..<200)
  func bearsAnything(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let found = SearchEvent.found(try #require(server()))
    for _ in 0..<50 {
      var bytes = bytes(of: found)
      for _ in 0..<3 { bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random) }
      guard case .found(let read)? = event(bytes) else { continue }
      #expect(read.name.isPrintable && read.port > 0)
      #expect(String(read.address).allSatisfy { $0.isHexDigit || $0 == "." || $0 == ":" })
      #expect(!read.host.isEmpty && !String(read.host).contains(" ") && read.host.isPrintable)
    }
  }

  @Test(
    "Streams of a monitor beyond its own link are asked for by name and over TLS",
    arguments: [
      ("127.0.0.1", "http://127.0.0.1:8040"), ("169.254.3.4", "http://169.254.3.4:8040"),
      ("192.0.2.7", "https://kitchen.local:8040"), ("2001:db8::7", "https://kitchen.local:8040"),
    ])
  func origins(address: String, origin: String) throws {
    #expect(String(try #require(server(address, port: 8040, kind: .monitor)).origin) == origin)
  }

  @Test("A server with two addresses is one, and another port or name is another server")
  func sameServers() throws {
    let one = try #require(server())
    #expect(one.isSame(as: try #require(server("2001:db8::7"))))
    #expect(!one.isSame(as: try #require(server(port: 1705))))
    #expect(!one.isSame(as: try #require(server(name: "Bad"))))
    #expect(!one.isSame(as: try #require(server(kind: .monitor))))
    #expect(try !one.isVersion6 && #require(server("2001:db8::7")).isVersion6)
  }

  private func list(_ servers: [FoundServer?]) throws -> (lines: [String], isComplete: Bool) {
    var found = FoundServers()
    for server in servers { found.add(try #require(server)) }
    var lines: [String] = []
    for index in 0..<found.count { lines.append("\(found[index].port) \(String(found[index].address))") }
    return (lines, found.isComplete)
  }

  @Test("A server that is found again is listed once, by an address of version 4 if it has one")
  func listsOnce() throws {
    let listed = try list([
      server(), server("2001:db8::7"), server("192.0.2.8"), server("2001:db8::7", port: 1),
      server("192.0.2.9", port: 1),
      server("2001:db8::7", port: 2), server("2001:db8::8", port: 2),
    ])
    #expect(listed.lines == ["1704 192.0.2.7", "1 192.0.2.9", "2 2001:db8::8"])
    #expect(listed.isComplete)
  }

  @Test("The 33rd server is not listed, and that is known; one of the 32 that is found again makes no more of them")
  func listsSome() throws {
    let servers = (1...32).map { server(port: $0) }
    #expect(try list(servers + servers).isComplete)
    let listed = try list(servers + [server(port: 33), server(port: 34)])
    #expect(listed.lines.count == 32 && listed.lines.last == "32 192.0.2.7" && !listed.isComplete)
  }
}
