/// What the recorder asks of the fetching service: which servers this network has. It comes without a descriptor, and the
/// search ends with the link at the latest.
package struct SearchOrder: BitwiseCopyable, Equatable, Sendable {
  /// Where an order for a stream has the length of its address, which is never 0.
  private static var mark: UInt8 { 0 }
  /// Its length in bytes.
  package static var byteCount: Int { 2 }

  /// For how long is searched.
  package let seconds: UInt8

  /// - Returns: nil for a time outside ``SearchLimits/seconds``.
  package init?(seconds: UInt8) {
    guard SearchLimits.seconds.contains(seconds) else { return nil }
    self.seconds = seconds
  }

  /// Writes the order to the start of `memory`.
  /// - Parameter memory: at least ``byteCount`` bytes.
  package func encode(into memory: inout MutableRawSpan) {
    var writer = WireWriter(&memory)
    writer.number(Self.mark)
    writer.number(seconds)
  }

  /// Reads an order. Nil when the bytes are none.
  package init?(decoding bytes: RawSpan) {
    var reader = WireReader(bytes)
    do throws(MalformedMessage) {
      let _: UInt8 = try reader.number(in: Self.mark...Self.mark)
      seconds = try reader.number(in: SearchLimits.seconds)
      try reader.finish()
    } catch {
      return nil
    }
  }
}
