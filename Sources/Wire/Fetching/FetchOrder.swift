import Base

/// What the recorder asks of the fetching service: to write the bytes of a stream into the pipe that comes with it, from
/// now until the link is closed.
package struct FetchOrder: Equatable, Sendable {
  /// The longest address: its length takes a byte.
  package static var longestAddressByteCount: Int { 255 }
  /// The length of the longest order.
  package static var maximumByteCount: Int { 1 + longestAddressByteCount }

  /// Of a stream, or of a playlist that leads to one.
  package let address: FixedText<256>

  /// - Returns: nil for what is not an address of http or https of at most 255 bytes.
  package init?(_ address: FixedText<256>) {
    guard address.isStreamAddress, address.byteCount <= Self.longestAddressByteCount else { return nil }
    for index in address.bytes.indices where address.bytes[index] <= 0x20 || address.bytes[index] >= 0x7F { return nil }
    self.address = address
  }

  /// Writes the order to the start of `memory`.
  /// - Parameter memory: at least ``maximumByteCount`` bytes.
  /// - Returns: the order's length in bytes.
  package func encode(into memory: inout MutableRawSpan) -> Int {
    var writer = WireWriter(&memory)
    writer.text(address)
    return writer.byteCount
  }

  /// Reads an order. Nil when the bytes are none.
  package init?(decoding bytes: RawSpan) {
    var reader = WireReader(bytes)
    do throws(MalformedMessage) {
      let address: FixedText<256> = try reader.text()
      try reader.finish()
      self.init(address)
    } catch {
      return nil
    }
  }
}
