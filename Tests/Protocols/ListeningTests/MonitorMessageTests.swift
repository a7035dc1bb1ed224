import Base
import TestSupport
import Testing
import Wire

@Suite struct MonitorMessageTests {
  private static func sent(_ message: MonitorMessage) -> [UInt8] {
    var bytes: [UInt8] = []
    message.withPacket { packet in
      for index in packet.indices { bytes.append(packet[index]) }
    }
    return bytes
  }

  private static func lines(_ list: ListenerList) -> [String] {
    var lines: [String] = []
    list.forEachLine { lines.append(String($0)) }
    return lines
  }

  @Test("What the monitor says is what the recorder gets")
  func agrees() throws {
    guard case .news(let line)? = MonitorMessage(packet: Self.sent(.news("a listener, 듣는 사람")).span) else {
      throw NothingThere()
    }
    #expect(String(line) == "a listener, 듣는 사람")
    guard case .listeners(let list)? = MonitorMessage(packet: Self.sent(.listeners("one\ntwo\n")).span) else {
      throw NothingThere()
    }
    #expect(Self.lines(list) == ["one", "two"])
    guard case .listeners(let none)? = MonitorMessage(packet: Self.sent(.listeners("")).span) else {
      throw NothingThere()
    }
    #expect(none.isEmpty)
    for order in ["share on", "note 물총새"] as [FixedText<256>] {
      #expect(Self.sent(.order(order)) == Array("o\(String(order))".utf8))
      guard case .order(order)? = MonitorMessage(packet: Self.sent(.order(order)).span) else { throw NothingThere() }
    }
  }

  @Test("Who listens arrives as it was said, also with spaces in the name of a player; what is nobody is left out")
  func tellsListeners() {
    let all = [
      ListenerEntry(
        address: "192.0.2.7:50000", path: "/live.mjpeg", seconds: 61, sentByteCount: 5, bytesBehind: 7,
        leftOutPictureCount: 0),
      ListenerEntry(address: "[::1]:9", path: "snapcast 1 2 3 거실", seconds: 0, sentByteCount: .max, bytesBehind: 0),
    ]
    var list: ListenerList = "1 2 3\n1 2 3 x 192.0.2.7:1 /live\nnobody\n1 2 3 - 192.0.2.7:1\n"
    for listener in all { list.append(listener) }
    var told: [ListenerEntry] = []
    list.forEachListener { told.append($0) }
    #expect(told == all)
  }

  @Test("Whatever bytes come, what is printed is text without control characters, and no longer than a line")
  func survivesAnything() {
    var random = SeededGenerator(seed: 4)
    let nothing = MonitorMessage(packet: [UInt8]().span)
    #expect(nothing == nil)
    var (newsCount, listCount) = (0, 0)
    for _ in 0..<1_000 {
      var packet = (0..<Int.random(in: 1...3_001, using: &random)).map { _ in
        UInt8.random(in: Bool.random(using: &random) ? 0...255 : 10...13, using: &random)
      }
      packet[0] = [0x6E, 0x6C, packet[0]].randomElement(using: &random)!
      switch MonitorMessage(packet: packet.span) {
      case .news(let line):
        newsCount += 1
        #expect(Self.isPrintable(String(line)))
      case .listeners(let list):
        listCount += 1
        for line in Self.lines(list) { #expect(Self.isPrintable(line) && line.utf8.count <= 256) }
      case .order(let line): #expect(Self.isPrintable(String(line)))
      case nil: #expect(![0x6E, 0x6C, 0x6F].contains(packet[0]))
      }
    }
    #expect(newsCount > 100 && listCount > 100)
  }

  @Test("where the page is stands before all listeners, and no listener can say it")
  func page() {
    var list = ListenerList()
    #expect(list.page == nil && list.isWithoutListeners)
    list.append(page: "http://127.0.0.1:8040/?token=0123456789abcdef")
    #expect(list.page == "http://127.0.0.1:8040/?token=0123456789abcdef" && list.isWithoutListeners)
    list.append(
      ListenerEntry(address: "192.0.2.7:1", path: "snapcast page x", seconds: 1, sentByteCount: 2, bytesBehind: 3))
    var paths: [String] = []
    list.forEachListener { paths.append(String($0.path)) }
    #expect(paths == ["snapcast page x"] && !list.isWithoutListeners)
    var other = ListenerList()
    other.append(ListenerEntry(address: "page", path: "page y", seconds: 1, sentByteCount: 2, bytesBehind: 3))
    #expect(other.page == nil)
  }

  private static func isPrintable(_ line: String) -> Bool {
    line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }
}
