import Base
import CLinux
import Wire

/// The recorder's link to `fieldcorder-monitor`: it passes the memory to read, and receives the answers.
struct MonitorLink: ~Copyable {
  /// The interval at which an absent monitor is looked for, and so the longest wait after starting one.
  private static var absentNanoseconds: UInt64 { 2_000_000_000 }

  private let path: FixedText<64>?
  private var link: PacketLink?
  private var nextTry: Instant = 0

  init(path: FixedText<64>?) { self.path = path }

  /// The time until it is looked for again: 0 while connected; nil if none is configured.
  var retryNanoseconds: UInt64? {
    guard path != nil else { return nil }
    return link == nil ? Self.absentNanoseconds : 0
  }

  /// The oldest message not yet taken. Never blocks.
  /// - Parameter memory: the descriptor sent to a new monitor.
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
    // A packet has at least one byte: an empty one would look like the end.
    let word: InlineArray<1, UInt8> = [0]
    guard unsafe found.send(word.span.bytes, with: memory, waitNanoseconds: 0) == .sent else { return }
    link = .some(found)
  }

  private enum Reception {
    /// Nil for a packet of unknown kind.
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

/// A search for servers by the fetching service. It ends with the value's lifetime.
struct SearchLink: ~Copyable {
  /// A service that accepts no order for this long counts as frozen.
  private static var sendingTimeoutNanoseconds: UInt64 { 200_000_000 }
  /// How long the service may take beyond the search itself, if the caller blocks for it.
  private static var patienceNanoseconds: UInt64 { 10_000_000_000 }

  private let link: PacketLink
  private let waitNanoseconds: UInt64

  /// - Parameters:
  ///   - service: its socket's path; nil if there is none.
  ///   - isInStep: whether the caller blocks for the results.
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

  /// The service's next report; nil if there is nothing new. Anything that is not an event ends the search.
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
