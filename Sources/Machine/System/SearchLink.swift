import Base
import Wire

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
