import Base

/// The listeners: a line of a ``ListenerEntry`` for each. The first line may give the page's address.
package typealias ListenerList = FixedText<3000>

/// A message from the program that serves listeners to the recorder, one packet each: a byte for the type, then text.
package enum MonitorMessage: BitwiseCopyable, Sendable {
  /// A line for the user at the console.
  case news(FixedText<256>)
  /// All current listeners, replacing the previous list.
  case listeners(ListenerList)
  /// What a listener wants: `share on`, so that everyone hears what the recorder plays, `share off` for the microphone
  /// again, or a line as it is typed to enter something about a take. It is carried out, or not, by the recorder alone.
  case order(FixedText<256>)

  package static var largestByteCount: Int { 3001 }
  /// How many orders may be on their way. The recorder counts those that it has taken.
  package static var mostOrders: Int { 8 }
  private static var eventByte: UInt8 { UInt8(ascii: "n") }
  private static var listenersByte: UInt8 { UInt8(ascii: "l") }
  private static var orderByte: UInt8 { UInt8(ascii: "o") }

  /// Accepts any bytes: unprintable characters are replaced, and text that is too long is truncated.
  /// - Returns: nil for a packet of unknown type.
  package init?(packet: Span<UInt8>) {
    guard packet.count > 0 else { return nil }
    let text = packet.extracting(droppingFirst: 1)
    switch packet[0] {
    case Self.eventByte: self = .news(FixedText<256>(text).printable)
    case Self.listenersByte: self = .listeners(Self.printableLines(text))
    case Self.orderByte: self = .order(FixedText<256>(text).printable)
    default: return nil
    }
  }

  package func withPacket(_ body: (Span<UInt8>) -> Void) {
    var packet = FixedText<3001>()
    switch self {
    case .news(let line):
      packet.append(byte: Self.eventByte)
      packet.append(line)
    case .listeners(let list):
      packet.append(byte: Self.listenersByte)
      packet.append(list)
    case .order(let line):
      packet.append(byte: Self.orderByte)
      packet.append(line)
    }
    body(packet.bytes)
  }

  private static func printableLines(_ text: Span<UInt8>) -> ListenerList {
    var list = ListenerList()
    ListenerList(text).forEachLine { line in
      list.append(line.printable)
      list.append("\n")
    }
    return list
  }
}

extension FixedText {
  /// Calls `body` with each line that is not empty, truncated to 256 bytes.
  package func forEachLine(_ body: (FixedText<256>) -> Void) {
    var start = 0
    for index in 0...byteCount where index == byteCount || bytes[index] == UInt8(ascii: "\n") {
      if index > start { body(FixedText<256>(bytes.extracting(start..<index))) }
      start = index + 1
    }
  }
}

/// A listener, as the monitor reports it to the recorder: a line of a ``ListenerList``. Numbers come first, so that no
/// text from a network can be mistaken for one.
package struct ListenerEntry: BitwiseCopyable, Equatable, Sendable {
  /// The remote address, such as `192.0.2.7:50000`.
  package var address: FixedText<64>
  /// What the listener receives: the path, or `snapcast` and the name of the player.
  package var path: FixedText<128>
  package var seconds: UInt64
  package var sentByteCount: UInt64
  /// Bytes recorded but not sent yet.
  package var bytesBehind: UInt64
  /// Pictures that were skipped; nil for sound.
  package var leftOutPictureCount: UInt64?

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

  /// - Returns: nil for anything but such a line.
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

  /// The entry as a line, including its line feed.
  package var line: FixedText<320> {
    var line: FixedText<320> = "\(seconds) \(sentByteCount) \(bytesBehind) "
    if let count = leftOutPictureCount { line.append("\(count)" as FixedText<32>) } else { line.append("-") }
    line.append(" \(address) \(path)\n" as FixedText<256>)
    return line
  }
}

extension FixedText where capacity == 3000 {
  package mutating func append(_ listener: ListenerEntry) { append(listener.line) }

  /// Adds the address for a browser, with the token. Call before adding listeners, whose lines begin with a number.
  package mutating func append(page address: FixedText<240>) { append("page \(address)\n" as FixedText<256>) }

  /// The address for a browser, with the token; nil if it is not known.
  package var page: FixedText<240>? {
    var page: FixedText<240>?
    forEachLine { line in
      if page == nil, let address = line.bytes.removingPrefix("page ") { page = FixedText<240>(address) }
    }
    return page
  }

  /// Whether the list contains no listeners.
  package var isWithoutListeners: Bool {
    var isAnyThere = false
    forEachListener { _ in isAnyThere = true }
    return !isAnyThere
  }

  /// Calls `body` with each entry of a ``ListenerList``; malformed lines are skipped.
  package func forEachListener(_ body: (ListenerEntry) -> Void) {
    forEachLine { line in
      if let listener = ListenerEntry(line: line.bytes) { body(listener) }
    }
  }
}

extension Span where Element == UInt8 {
  /// Removes and returns the word before the first space, and removes that space.
  @_lifetime(copy self)
  fileprivate mutating func takeWord() -> Span<UInt8> {
    let word = firstWord
    self = extracting(droppingFirst: Swift.min(word.count + 1, count))
    return word
  }
}
