import Base
import CLinux
import Wire

/// The recorder's link to `fieldcorder-monitor`, which gets the memory that it reads by it, and answers.
struct MonitorLink: ~Copyable {
  /// How often it is looked for: who starts it waits that long.
  private static var absentNanoseconds: UInt64 { 2_000_000_000 }

  private let path: FixedText<64>?
  private var link: PacketLink?
  private var nextTry: Instant = 0

  init(path: FixedText<64>?) { self.path = path }

  /// How soon it is looked for again: 0 while it is there; nil where there is none.
  var retryNanoseconds: UInt64? {
    guard path != nil else { return nil }
    return link == nil ? Self.absentNanoseconds : 0
  }

  /// The oldest message that has not been taken. Never waits.
  /// - Parameter memory: the descriptor that a new monitor is sent.
  mutating func hear(sharing memory: Int32, at now: Instant) -> MonitorEvent {
    guard let path else { return .nothing }
    switch receive() {
    case .packet(let message): return message.map { .message($0) } ?? .nothing
    case .nothing: return .nothing
    case .end:
      link = nil
      nextTry = now + Self.absentNanoseconds
      return .ended
    case nil:
      if now >= nextTry { connect(path, sharing: memory, at: now) }
      return .nothing
    }
  }

  private mutating func connect(_ path: FixedText<64>, sharing memory: Int32, at now: Instant) {
    nextTry = now + Self.absentNanoseconds
    guard let found = PacketLink(connectingTo: FixedText<128>(path.bytes)) else { return }
    // A packet has a byte at least: an empty one could not be told from the end.
    let word: InlineArray<1, UInt8> = [0]
    guard unsafe found.send(word.span.bytes, with: memory, waitNanoseconds: 0) == .sent else { return }
    link = .some(found)
  }

  private enum Reception {
    /// Nil for a packet of no known kind.
    case packet(MonitorMessage?)
    case nothing
    case end
  }

  @export(interface)
  private func receive() -> Reception? {
    var bytes = InlineArray<3001, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    var buffer = unsafe span.mutableBytes
    switch link?.receive(into: &buffer, waitNanoseconds: 0) {
    case nil: return nil
    case .nothing: return .nothing
    case .end: return .end
    case .packet(let byteCount):
      return .packet(MonitorMessage(packet: bytes.span.extracting(first: min(byteCount, bytes.count))))
    }
  }
}

/// A search for servers that the fetching service carries out. It ends with the value.
struct SearchLink: ~Copyable {
  /// A service that takes no order for so long is frozen.
  private static var sendingTimeoutNanoseconds: UInt64 { 200_000_000 }
  /// How long the service may take besides the time of the search, where it is waited for.
  private static var patienceNanoseconds: UInt64 { 10_000_000_000 }

  private let link: PacketLink
  private let waitNanoseconds: UInt64

  /// - Parameters:
  ///   - service: its socket's path; nil: there is none.
  ///   - isInStep: whether what it finds is waited for.
  init(_ order: SearchOrder, service: FixedText<64>?, isInStep: Bool) throws(SearchProblem) {
    guard let service else { throw .notConfigured }
    guard let link = PacketLink(connectingTo: FixedText<128>(service.bytes)) else { throw .noService }
    var memory = InlineArray<2, UInt8>(repeating: 0)
    var span = memory.mutableSpan
    var buffer = unsafe span.mutableBytes
    order.encode(into: &buffer)
    let sending = link.send(buffer.bytes, with: -1, waitNanoseconds: Self.sendingTimeoutNanoseconds)
    guard sending == .sent else { throw .serviceEnded }
    self.link = link
    waitNanoseconds = isInStep ? UInt64(order.seconds) * 1_000_000_000 + Self.patienceNanoseconds : 0
  }

  /// What the service reported next; nil when there is nothing new. What is not an event ends it.
  @export(interface)
  func nextEvent() -> SearchEvent? {
    var memory = InlineArray<256, UInt8>(repeating: 0)
    var span = memory.mutableSpan
    var buffer = unsafe span.mutableBytes
    switch link.receive(into: &buffer, waitNanoseconds: waitNanoseconds) {
    case .nothing: return nil
    case .packet(let byteCount) where byteCount <= buffer.byteCount:
      return SearchEvent(decoding: buffer.bytes.extracting(first: byteCount)) ?? .failed(.serviceEnded)
    case .packet, .end: return .failed(.serviceEnded)
    }
  }
}
