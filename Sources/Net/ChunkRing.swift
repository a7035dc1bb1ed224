import Base
import Wire

/// The newest chunks as they are sent, the same for all clients. A client that has not been sent a chunk by the time it is
/// overwritten is too slow.
struct ChunkRing: ~Copyable {
  private var storage: FixedBuffer
  private var slotCount = 0
  /// Bytes of each chunk with its headers.
  private(set) var messageByteCount = 0
  /// One past the newest chunk, counted since the program began.
  private(set) var end: UInt64 = 0
  private var start: UInt64 = 0

  /// - Returns: nil when `memory` is used up.
  init?(in memory: inout BootMemory) {
    guard let storage = FixedBuffer(byteCount: SnapcastLimits.backlogByteCount, in: &memory) else { return nil }
    self.storage = storage
  }

  /// From now on each chunk has so many bytes of sound; those before are gone.
  mutating func restart(soundByteCount: Int) {
    messageByteCount = Chunk.headByteCount + soundByteCount
    slotCount = storage.byteCount / messageByteCount
    start = end
  }

  /// - Parameter sound: as long as ``restart(soundByteCount:)`` said.
  mutating func append(_ sound: RawSpan, recorded: Instant, at now: Instant) {
    let place = Int(end % UInt64(slotCount)) * messageByteCount
    let placeEnd = place + messageByteCount
    var bytes = storage.mutableBytes
    var room = bytes._mutatingExtracting(place..<placeEnd)
    Chunk(recorded: WireTime(recorded), byteCount: sound.byteCount).writeHead(into: &room, sent: WireTime(now))
    for index in 0..<sound.byteCount {
      room.storeBytes(of: sound.byte(at: index), toByteOffset: Chunk.headByteCount + index, as: UInt8.self)
    }
    end += 1
  }

  /// Whether a chunk is still, or not yet, there.
  func holds(_ number: UInt64) -> Bool { number >= start && end <= number + UInt64(slotCount) }

  /// Bytes of sound and headers from a chunk on, for who is that far behind.
  func byteCount(since number: UInt64) -> Int { number < end ? Int(end - number) * messageByteCount : 0 }

  /// A chunk that is there, as a message.
  @_lifetime(borrow self)
  func message(_ number: UInt64) -> RawSpan {
    let place = Int(number % UInt64(slotCount)) * messageByteCount
    return storage.bytes.extracting(place..<place + messageByteCount)
  }
}
