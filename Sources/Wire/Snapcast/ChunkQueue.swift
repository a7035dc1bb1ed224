import Base

/// Chunks between their coming and their time, oldest first.
struct ChunkQueue: ~Copyable {
  /// Of each chunk, before its sound: when it was recorded, and its bytes.
  private static var headByteCount: Int { 16 }
  /// In place of a chunk's bytes: the next is at the beginning.
  private static var turn: Int64 { -1 }

  private var storage: FixedBuffer
  private var first = 0
  private var end = 0
  private(set) var count = 0

  /// - Returns: nil when there is no memory for them.
  init?(in memory: inout BootMemory) {
    guard let storage = FixedBuffer(byteCount: SnapcastLimits.waitingByteCount, in: &memory) else { return nil }
    self.storage = storage
  }

  mutating func removeAll() {
    first = 0
    end = 0
    count = 0
  }

  /// - Returns: false when there is no room for it.
  mutating func append(_ chunk: Chunk, _ sound: RawSpan) -> Bool {
    let byteCount = Self.headByteCount + (sound.byteCount + 15) / 16 * 16
    guard makeRoom(byteCount) else { return false }
    let start = end
    var room = storage.mutableBytes
    room.store(chunk.recorded.nanoseconds, at: start)
    room.store(Int64(sound.byteCount), at: start + 8)
    for index in 0..<sound.byteCount {
      room.storeBytes(of: sound.byte(at: index), toByteOffset: start + Self.headByteCount + index, as: UInt8.self)
    }
    end += byteCount
    count += 1
    return true
  }

  /// When the oldest was recorded, by the server's clock, in nanoseconds. Requires that there is one.
  var firstRecorded: Int64 { storage.bytes.number(at: first) }

  /// The oldest chunk's sound; no bytes when there is none.
  var firstSound: RawSpan {
    @_lifetime(borrow self)
    borrowing get {
      let byteCount: Int64 = count > 0 ? storage.bytes.number(at: first + 8) : 0
      let start = count > 0 ? first + Self.headByteCount : 0
      return storage.bytes.extracting(start..<start + Int(byteCount))
    }
  }

  /// Requires that there is one.
  mutating func removeFirst() {
    first += Self.headByteCount + (firstSound.byteCount + 15) / 16 * 16
    count -= 1
    guard count > 0 else { return removeAll() }
    if first == storage.byteCount || storage.bytes.number(at: first + 8) == Self.turn { first = 0 }
  }

  /// Has `byteCount` bytes free from `end` on. All lengths are multiples of a head's, so a head always fits before the
  /// storage's end.
  private mutating func makeRoom(_ byteCount: Int) -> Bool {
    guard count == 0 || end > first else { return first - end >= byteCount }
    if storage.byteCount - end >= byteCount { return true }
    guard count > 0, first >= byteCount else { return false }
    if end < storage.byteCount {
      let start = end
      var room = storage.mutableBytes
      room.store(Self.turn, at: start + 8)
    }
    end = 0
    return true
  }
}
