import Base
import TestSupport
import Testing
import Wire

@Suite struct StreamRingTests {
  private static let limit = StreamLimits.behindByteCount

  private static func ring() throws -> StreamRing {
    var memory = leakedBootMemory()
    return try unwrapped(StreamRing(in: &memory))
  }

  private static func byte(_ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: index &* 31 &+ index >> 8) }

  private static func append(_ count: Int, to ring: inout StreamRing, after written: inout Int) {
    let start = written
    let piece = (0..<count).map { byte(start + $0) }
    unsafe ring.append(piece.span.bytes)
    written += count
  }

  /// A listener, and what it has been sent.
  private struct Listener {
    var cursor: StreamCursor
    /// The stream position at which it joined.
    let entry: Int
    var heard: [UInt8] = []

    mutating func read(_ ring: borrowing StreamRing, atMost count: Int) -> StreamReading {
      var buffer = [UInt8](repeating: 0, count: count)
      var span = buffer.mutableSpan
      var room = unsafe span.mutableBytes
      let reading = ring.read(&cursor, into: &room)
      if case .bytes(let count) = reading { heard += buffer.prefix(count) }
      return reading
    }
  }

  @Test(
    "Each listener gets the header and then every byte from a frame's beginning on, at its own pace; one that is too slow loses only its own",
    arguments: 0..<4)
  func serves(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var ring = try Self.ring()
    let header = (0..<100).map { UInt8($0 ^ 0x5A) }
    ring.restart()
    _ = unsafe ring.appendHeader(header.span.bytes)
    var written = 0
    var entry = 0
    var listeners: [Listener] = []
    var slowCount = 0
    for _ in 0..<2_000 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0 where listeners.count < 12: listeners.append(Listener(cursor: ring.join(), entry: entry))
      case 0..<4:
        ring.markEntry()
        entry = written
        Self.append(Int.random(in: 1...9_000, using: &random), to: &ring, after: &written)
      default:
        guard let index = listeners.indices.randomElement(using: &random) else { continue }
        // The first three rarely read.
        if index < 3, Int.random(in: 0..<50, using: &random) > 0 { continue }
        var reading = listeners[index].read(ring, atMost: Int.random(in: 1...40_000, using: &random))
        if reading == .tooSlow {
          slowCount += 1
          listeners.remove(at: index)
          continue
        }
        if index >= 3 {
          while case .bytes = reading { reading = listeners[index].read(ring, atMost: 8_192) }
          let place = ring.place(of: listeners[index].cursor)
          #expect(place == .behind(byteCount: 0))
        }
      }
    }
    #expect(slowCount > 0 && listeners.count > 3)
    for listener in listeners {
      #expect(listener.heard.prefix(100) == header.prefix(listener.heard.count))
      let sound = listener.heard.dropFirst(100)
      let isIntact = sound.enumerated().allSatisfy { $1 == Self.byte(listener.entry + $0) }
      #expect(isIntact)
    }
  }

  @Test("The limit is exact: so far behind one still gets everything, and a byte further nothing")
  func limits() throws {
    for surplus in [0, 1] {
      var ring = try Self.ring()
      var listener = Listener(cursor: ring.join(), entry: 0)
      var written = 0
      Self.append(Self.limit + surplus, to: &ring, after: &written)
      let place = ring.place(of: listener.cursor)
      #expect(place == (surplus == 0 ? .behind(byteCount: Self.limit) : .tooSlow))
      let reading = listener.read(ring, atMost: Self.limit)
      #expect(reading == (surplus == 0 ? .bytes(Self.limit) : .tooSlow))
      if surplus == 0 { #expect(listener.heard == (0..<Self.limit).map(Self.byte)) }
    }
  }

  @Test("A stream that begins again is over for who listened to the one before, and nobody else")
  func restarts() throws {
    var ring = try Self.ring()
    var written = 0
    Self.append(10, to: &ring, after: &written)
    var listener = Listener(cursor: ring.join(), entry: 0)
    ring.restart()
    let (reading, place) = (listener.read(ring, atMost: 10), ring.place(of: listener.cursor))
    #expect(reading == .end && place == .over)
    var other = Listener(cursor: ring.join(), entry: 0)
    let first = other.read(ring, atMost: 10)
    #expect(first == .nothing)
  }

  @Test("A header that is too long is refused")
  func refusesHeader() throws {
    var ring = try Self.ring()
    let header = [UInt8](repeating: 0, count: StreamLimits.headerByteCount)
    let fits = unsafe ring.appendHeader(header.span.bytes)
    let fitsMore = unsafe ring.appendHeader([0 as UInt8].span.bytes)
    #expect(fits && !fitsMore)
  }
}
