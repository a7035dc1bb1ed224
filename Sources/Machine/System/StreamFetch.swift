import Base
import CLinux
import Wire

/// A stream that the fetching service writes into a pipe. The connection to its server ends with the value's lifetime.
struct StreamFetch: ~Copyable {
  /// A service that accepts no order for this long counts as frozen.
  private static var sendingTimeoutNanoseconds: UInt64 { 200_000_000 }

  private let link: PacketLink
  /// The pipe's read end, until it has been passed on.
  private var output: FileDescriptor?
  private var hasEnded = false

  /// - Parameter service: its socket's path; nil if there is none.
  init(_ address: borrowing FixedText<256>, _ identity: DeviceIdentity, service: FixedText<64>?) throws(DeviceFailure) {
    guard let service else {
      throw Self.failure("", "cannot be fetched", "set [stream] socket, and enable fieldcorder-fetch.socket")
    }
    guard let order = FetchOrder(copy address, identity) else { throw Self.failure(copy address, .badAddress) }
    guard let link = PacketLink(connectingTo: FixedText<128>(service.bytes)) else {
      throw Self.failure(
        service, "has no service there", "enable fieldcorder-fetch.socket, or check [stream] socket", lastSystemError)
    }
    var ends: (Int32, Int32) = (-1, -1)
    guard unsafe linux_pipe(&ends.0, &ends.1) == 0 else {
      throw Self.failure(copy address, .failed)
    }
    let input = FileDescriptor(owning: ends.1)
    output = FileDescriptor(owning: ends.0)
    var memory = InlineArray<272, UInt8>(repeating: 0)
    var span = memory.mutableSpan
    var buffer = unsafe span.mutableBytes
    let byteCount = order.encode(into: &buffer)
    let sending = link.send(
      buffer.bytes.extracting(first: byteCount), with: input.number, waitNanoseconds: Self.sendingTimeoutNanoseconds)
    guard sending == .sent else { throw Self.failure(copy address, .serviceEnded) }
    self.link = link
  }

  /// The descriptor number of the pipe's read end; closed by ``passOn()``.
  var outputNumber: Int32 {
    switch output {
    case .some(let output): output.number
    case nil: -1
    }
  }

  /// Call when the decoder has the pipe's read end, which then is the only one.
  mutating func passOn() { output = nil }

  /// Wakes a thread when there may be a report.
  func add(to sources: inout WakeSources) {
    if !hasEnded { link.add(to: &sources) }
  }

  /// The service's next report; nil if there is nothing new. Anything that is not an event ends the fetch.
  mutating func nextEvent() -> FetchEvent? {
    guard !hasEnded else { return nil }
    var memory = InlineArray<256, UInt8>(repeating: 0)
    var span = memory.mutableSpan
    var buffer = unsafe span.mutableBytes
    switch link.receive(into: &buffer, waitNanoseconds: 0) {
    case .nothing: return nil
    case .packet(let byteCount) where byteCount <= buffer.byteCount:
      if let event = FetchEvent(decoding: buffer.bytes.extracting(first: byteCount)) {
        hasEnded = event.isLast
        return event
      }
    case .packet, .end: break
    }
    hasEnded = true
    return .failed(.serviceEnded)
  }

  /// Tells the service when a position of the stream is heard.
  mutating func tell(_ heard: HeardPosition) {
    var memory = InlineArray<16, UInt8>(repeating: 0)
    var span = memory.mutableSpan
    var buffer = unsafe span.mutableBytes
    heard.encode(into: &buffer)
    _ = link.send(buffer.bytes, with: -1, waitNanoseconds: 0)
  }

  private static func failure(
    _ subject: FixedText<64>, _ problem: StaticString, _ remedy: StaticString, _ systemErrorNumber: Int32 = 0
  ) -> DeviceFailure {
    DeviceFailure(
      device: .stream, kind: .failed, subject: subject, problem: problem, remedy: remedy,
      systemErrorNumber: systemErrorNumber)
  }

  private static func failure(_ address: FixedText<256>, _ problem: FetchProblem) -> DeviceFailure {
    .ofStream(address, problem)
  }
}
