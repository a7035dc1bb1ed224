import Base

/// A piece of sound before its payload ("Wire Chunk").
package struct Chunk: BitwiseCopyable, Equatable, Sendable {
  /// When its first frame was recorded, by the server's clock.
  package var recorded: WireTime
  /// Bytes of sound.
  package var byteCount: Int

  /// Bytes of the message before its sound.
  package static var headByteCount: Int { SnapcastLimits.headerByteCount + SnapcastLimits.chunkHeaderByteCount }

  /// A chunk that was recorded then.
  package init(recorded: WireTime, byteCount: Int) {
    self.recorded = recorded
    self.byteCount = byteCount
  }

  /// - Returns: nil when the payload is not as long as it says.
  init?(_ payload: RawSpan) {
    guard payload.byteCount >= SnapcastLimits.chunkHeaderByteCount else { return nil }
    let byteCount: UInt32 = payload.number(at: 8)
    guard Int(byteCount) == payload.byteCount - SnapcastLimits.chunkHeaderByteCount else { return nil }
    self.init(recorded: WireTime(at: 0, in: payload), byteCount: Int(byteCount))
  }

  /// Writes the ``headByteCount`` bytes that come before its sound.
  package func writeHead(into room: inout MutableRawSpan, sent: WireTime) {
    let byteCountAfterHeader = SnapcastLimits.chunkHeaderByteCount + byteCount
    MessageHeader(.wireChunk, sent: sent, payloadByteCount: byteCountAfterHeader).write(into: &room)
    recorded.write(at: SnapcastLimits.headerByteCount, into: &room)
    room.store(UInt32(byteCount), at: SnapcastLimits.headerByteCount + 8)
  }
}
