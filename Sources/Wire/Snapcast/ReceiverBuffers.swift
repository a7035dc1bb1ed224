import Base

/// Three packet buffers between receiver and player: while one is played, two are full or being filled.
///
/// A packet of a constant-rate stream may be split between two buffers, since its bytes are simply a continuation. A
/// packet of a variable-rate stream never is: a decoder needs it whole.
package struct ReceiverBuffers: ~Copyable {
  package static var byteCount: Int { 2048 }
  package static var bufferCount: Int { 3 }

  /// Whether all packets have the same length.
  package enum Rate: BitwiseCopyable, Equatable, Sendable {
    /// All packets have the same length and may be split anywhere.
    case constant
    /// Packets differ in length.
    case variable
  }

  /// How a stream ended.
  package enum Ending: BitwiseCopyable, Equatable, Sendable {
    /// The stream is complete.
    case finished
    /// The stream broke off.
    case failed
  }

  package enum State: BitwiseCopyable, Equatable, Sendable {
    /// Not all buffers have been filled once yet.
    case filling
    /// Buffers are played and refilled.
    case playing
    /// Nothing is left to play.
    case ended(Ending)
  }

  /// What cannot be received.
  package enum Problem: Error, BitwiseCopyable, Equatable, Sendable {
    /// A packet of a variable-rate stream is longer than a buffer.
    case packetTooLong
  }

  private struct Buffer: BitwiseCopyable {
    var byteCount = 0
    var isFull = false
  }

  package private(set) var state = State.filling
  private let rate: Rate
  private var storage: FixedBuffer
  private var buffers = InlineArray<3, Buffer>(repeating: Buffer())
  private var filled = 0
  private var played = 0
  private var ending: Ending?

  package init?(_ rate: Rate, in memory: inout BootMemory) {
    guard let storage = FixedBuffer(byteCount: Self.bufferCount * Self.byteCount, in: &memory) else { return nil }
    self.rate = rate
    self.storage = storage
  }

  /// Takes a packet; at a constant rate, only as much of it as there is room for.
  /// - Returns: how many bytes were taken; 0 if a buffer must be played first.
  /// - Throws: if the packet can never fit.
  package mutating func put(_ packet: RawSpan) throws(Problem) -> Int {
    if rate == .variable, packet.byteCount > Self.byteCount { throw .packetTooLong }
    var taken = 0
    while taken < packet.byteCount, ending == nil, !buffers[filled].isFull {
      let room = Self.byteCount - buffers[filled].byteCount
      let rest = packet.byteCount - taken
      if rate == .variable, rest > room {
        closeBuffer()
        continue
      }
      let count = min(rest, room)
      copy(packet.extracting(taken..<taken + count))
      taken += count
      if buffers[filled].byteCount == Self.byteCount { closeBuffer() }
    }
    return taken
  }

  /// Marks the end of the stream: the rest is played, and then ``state`` tells how the stream ended.
  package mutating func end(_ how: Ending) {
    guard ending == nil else { return }
    ending = how
    if buffers[filled].byteCount > 0, !buffers[filled].isFull { closeBuffer() }
    advance()
  }

  /// The bytes of the buffer to play now; empty if there is none.
  package var next: RawSpan {
    @_lifetime(borrow self)
    borrowing get {
      let count = state == .playing && buffers[played].isFull ? buffers[played].byteCount : 0
      return storage.bytes.extracting(played * Self.byteCount..<played * Self.byteCount + count)
    }
  }

  /// Frees the buffer that has been played, to be filled again.
  package mutating func releaseNext() {
    guard state == .playing, buffers[played].isFull else { return }
    buffers[played] = Buffer()
    played = (played + 1) % Self.bufferCount
    advance()
  }

  private mutating func copy(_ bytes: RawSpan) {
    let start = filled * Self.byteCount + buffers[filled].byteCount
    var room = storage.mutableBytes
    for index in 0..<bytes.byteCount {
      room.storeBytes(of: bytes.byte(at: index), toByteOffset: start + index, as: UInt8.self)
    }
    buffers[filled].byteCount += bytes.byteCount
  }

  private mutating func closeBuffer() {
    buffers[filled].isFull = true
    filled = (filled + 1) % Self.bufferCount
    advance()
  }

  private var fullCount: Int {
    var count = 0
    for index in 0..<Self.bufferCount where buffers[index].isFull { count += 1 }
    return count
  }

  /// The only place that changes the state.
  private mutating func advance() {
    if state == .filling, fullCount == Self.bufferCount || ending != nil { state = .playing }
    if state == .playing, let ending, fullCount == 0 { state = .ended(ending) }
  }
}

/// Received chunks that are not due yet, oldest first.
struct ChunkQueue: ~Copyable {
  /// Size of the head before each chunk's sound: its recording time and its byte count.
  private static var headByteCount: Int { 16 }
  /// Stands in place of a chunk's byte count: the next chunk is at the beginning of the storage.
  private static var turn: Int64 { -1 }

  private var storage: FixedBuffer
  private var first = 0
  private var end = 0
  private(set) var count = 0

  init?(in memory: inout BootMemory) {
    guard let storage = FixedBuffer(byteCount: SnapcastLimits.waitingByteCount, in: &memory) else { return nil }
    self.storage = storage
  }

  mutating func removeAll() {
    first = 0
    end = 0
    count = 0
  }

  /// - Returns: false if there is no room for it.
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

  /// When the oldest chunk was recorded, by the server's clock, in nanoseconds. Requires a chunk.
  var firstRecorded: Int64 { storage.bytes.number(at: first) }

  /// The oldest chunk's sound; empty if there is no chunk.
  var firstSound: RawSpan {
    @_lifetime(borrow self)
    borrowing get {
      let byteCount: Int64 = count > 0 ? storage.bytes.number(at: first + 8) : 0
      let start = count > 0 ? first + Self.headByteCount : 0
      return storage.bytes.extracting(start..<start + Int(byteCount))
    }
  }

  /// Requires a chunk.
  mutating func removeFirst() {
    first += Self.headByteCount + (firstSound.byteCount + 15) / 16 * 16
    count -= 1
    guard count > 0 else { return removeAll() }
    if first == storage.byteCount || storage.bytes.number(at: first + 8) == Self.turn { first = 0 }
  }

  /// Makes `byteCount` bytes free from `end` on. All lengths are multiples of the head's, so a head always fits before
  /// the end of the storage.
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
