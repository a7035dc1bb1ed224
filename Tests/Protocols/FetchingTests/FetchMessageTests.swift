import Base
import TestSupport
import Testing
import Wire

@Suite struct FetchMessageTests {
  private func bytes(of event: FetchEvent) -> [UInt8] {
    encoded(FetchEvent.maximumByteCount) { event.encode(into: &$0) }
  }

  private func event(_ bytes: [UInt8]) -> FetchEvent? { unsafe FetchEvent(decoding: bytes.span.bytes) }

  private func position(_ bytes: [UInt8]) -> HeardPosition? { unsafe HeardPosition(decoding: bytes.span.bytes) }

  private func order(_ bytes: [UInt8]) -> FetchOrder? { unsafe FetchOrder(decoding: bytes.span.bytes) }

  private func encoded(_ byteCount: Int, _ encode: (inout MutableRawSpan) -> Int) -> [UInt8] {
    var memory = [UInt8](repeating: 0, count: byteCount)
    var span = memory.mutableSpan
    var buffer = unsafe span.mutableBytes
    let count = encode(&buffer)
    return Array(memory.prefix(count))
  }

  private var events: [FetchEvent] {
    [
      .connected(contentType: "audio/mpeg"), .connected(contentType: ""),
      .title("Radio Ärger"), .reconnecting(milliseconds: 125, .brokenOff), .finished, .failed(.forbiddenPlace),
      .inSync(lateNanoseconds: -12_345), .silent, .ends(position: 1 << 61),
    ]
  }

  @Test("What the service tells arrives as it was sent, and no part of it is an event")
  func keepsEvents() {
    for event in events {
      let bytes = bytes(of: event)
      #expect(self.event(bytes) == event)
      for count in 0..<bytes.count { #expect(self.event(Array(bytes.prefix(count))) == nil) }
      #expect(self.event(bytes + [0]) == nil)
    }
  }

  @Test("When a position is heard arrives as it was sent, and no part of it does")
  func keepsPositions() {
    let heard = HeardPosition(positionNanoseconds: 0x0102_0304_0506, instant: 0x1122_3344_5566)
    let bytes = encoded(HeardPosition.byteCount) { memory in
      heard.encode(into: &memory)
      return HeardPosition.byteCount
    }
    #expect(position(bytes) == heard)
    #expect(position(bytes.dropLast()) == nil)
    #expect(position(bytes + [0]) == nil)
    // An instant later than any clock can show.
    #expect(position(bytes.dropLast() + [0x80]) == nil)
  }

  @Test("Whatever a server made the service send, what is read can be printed", arguments: 0..<200)
  func bearsAnything(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for event in events {
      var bytes = bytes(of: event)
      for _ in 0..<3 { bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random) }
      guard let read = self.event(bytes) else { continue }
      if case .title(let title) = read { #expect(title.printable == title) }
    }
  }

  @Test("Texts lose what a terminal would obey")
  func cleansTexts() {
    let event = FetchEvent.title(FixedText("a\u{1B}[2Jb\n"))
    #expect(self.event(bytes(of: event)) == .title("a [2Jb "))
  }

  @Test(
    "An order is an address of http, https or snapcast without spaces, at most 255 bytes",
    arguments: [
      ("http://radio.example/live.mp3?a=b&c=%20", true), ("https://[::1]:8000/", true), ("snapcast://a:1704", true),
      ("ftp://radio.example/", false),
      ("file:///etc/passwd", false), ("music/a.mp3", false), ("http://a b/", false), ("http://a/\u{7F}", false),
      ("http://ä.example/", false), ("http://" + String(repeating: "a", count: 248), true),
      ("http://" + String(repeating: "a", count: 249), false),
    ])
  func limitsAddresses(address: String, isOne: Bool) {
    let order = FetchOrder(FixedText(address), DeviceIdentity(high: 1, low: 2))
    #expect((order != nil) == isOne)
    guard let order else { return }
    let bytes = encoded(FetchOrder.maximumByteCount) { order.encode(into: &$0) }
    #expect(self.order(bytes) == order)
    #expect(self.order(bytes.dropLast()) == nil)
  }
}
