import Base

/// Who listens: the line of a ``ListenerEntry`` for each; empty when nobody does.
package typealias ListenerList = FixedText<3000>

/// What the program that serves listeners says to the recorder, in one packet: a byte that tells the kind, then text.
package enum MonitorMessage: BitwiseCopyable, Sendable {
  /// A line for the person at the console.
  case news(FixedText<256>)
  /// Everyone who listens now, in place of the list before.
  case listeners(ListenerList)

  /// Bytes of the longest packet.
  package static var largestByteCount: Int { 3001 }

  private static var eventByte: UInt8 { UInt8(ascii: "n") }
  private static var listenersByte: UInt8 { UInt8(ascii: "l") }

  /// Accepts any bytes: what cannot be printed is replaced, and what is too long cut off.
  /// - Returns: nil for a packet of no known kind.
  package init?(packet: Span<UInt8>) {
    guard packet.count > 0 else { return nil }
    let text = packet.extracting(droppingFirst: 1)
    switch packet[0] {
    case Self.eventByte: self = .news(FixedText<256>(text).printable)
    case Self.listenersByte: self = .listeners(Self.printableLines(text))
    default: return nil
    }
  }

  /// Passes the packet to `body`.
  package func withPacket(_ body: (Span<UInt8>) -> Void) {
    var packet = FixedText<3001>()
    switch self {
    case .news(let line):
      packet.append(byte: Self.eventByte)
      packet.append(line)
    case .listeners(let list):
      packet.append(byte: Self.listenersByte)
      packet.append(list)
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
  /// Passes each line that is not empty to `body`, at most 256 bytes of it.
  package func forEachLine(_ body: (FixedText<256>) -> Void) {
    var start = 0
    for index in 0...byteCount where index == byteCount || bytes[index] == UInt8(ascii: "\n") {
      if index > start { body(FixedText<256>(bytes.extracting(start..<index))) }
      start = index + 1
    }
  }
}
