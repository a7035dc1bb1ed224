import Base
import CLinux
import Wire

/// The recorder's link to `fieldcorder-monitor`, which gets the memory that it reads by it, and answers.
struct MonitorLink: ~Copyable {
  /// How often it is looked for: who starts it waits that long.
  private static var retryNanoseconds: UInt64 { 2_000_000_000 }

  private let path: FixedText<64>?
  private var link: PacketLink?
  private var nextTry: Instant = 0

  init(path: FixedText<64>?) { self.path = path }

  /// The oldest message that has not been taken. Never waits.
  /// - Parameter memory: the descriptor that a new monitor is sent.
  mutating func hear(sharing memory: Int32, at now: Instant) -> MonitorEvent {
    guard let path else { return .nothing }
    switch receive() {
    case .packet(let message): return message.map { .message($0) } ?? .nothing
    case .nothing: return .nothing
    case .end:
      link = nil
      nextTry = now + Self.retryNanoseconds
      return .ended
    case nil:
      if now >= nextTry { connect(path, sharing: memory, at: now) }
      return .nothing
    }
  }

  private mutating func connect(_ path: FixedText<64>, sharing memory: Int32, at now: Instant) {
    nextTry = now + Self.retryNanoseconds
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
