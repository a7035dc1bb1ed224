import CDeviceArena
import TestSupport
import Testing

@Suite struct FixedArenaTests {
  @Test("Any sequence of requests keeps every piece's bytes, aligned and apart, and all comes back", arguments: 0..<20)
  func keepsBytes(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let arena = TestArena(capacity: 200_000)
    var pieces: [ArenaPiece] = []
    var refusalCount = 0
    for _ in 0..<3000 {
      let byteCount = Int.random(in: 0...(Bool.random(using: &generator) ? 200 : 10_000), using: &generator)
      switch Int.random(in: 0..<5, using: &generator) {
      case 0, 1:
        let alignment = 1 << Int.random(in: 0...12, using: &generator)
        guard let memory = unsafe arena.allocate(byteCount, alignment: alignment) else {
          refusalCount += 1
          continue
        }
        #expect(Int(bitPattern: memory) % max(alignment, 16) == 0)
        #expect(unsafe fixed_arena_usable_byte_count(memory) >= byteCount)
        pieces.append(unsafe ArenaPiece(memory, byteCount: byteCount, using: &generator))
      case 2:
        guard let index = pieces.indices.randomElement(using: &generator) else { continue }
        guard arena.resize(pieces[index], byteCount) else { continue }
        #expect(pieces[index].isIntact(first: byteCount))
        pieces[index].fill(byteCount: byteCount, using: &generator)
      default:
        guard let index = pieces.indices.randomElement(using: &generator) else { continue }
        let piece = pieces.remove(at: index)
        #expect(piece.isIntact())
        arena.free(piece)
      }
    }
    for piece in pieces {
      #expect(piece.isIntact())
      arena.free(piece)
    }
    #expect(refusalCount < 1000, "most must be served, or the rest shows nothing")
    #expect(arena.usedByteCount == 0)
  }

  @Test("Once all is given back it is one block again, in whatever order", arguments: 0..<10)
  func coalesces(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let arena = TestArena(capacity: 65_536)
    var pieces: [ArenaPiece] = []
    while let memory = unsafe arena.allocate(Int.random(in: 1...900, using: &generator), alignment: 16) {
      pieces.append(unsafe ArenaPiece(memory, byteCount: 1, using: &generator))
    }
    #expect(pieces.count > 50)
    for piece in pieces.shuffled(using: &generator) { arena.free(piece) }
    // Everything except one block's bookkeeping.
    let whole = unsafe arena.allocate(65_536 - 16, alignment: 16)
    let more = unsafe arena.allocate(1, alignment: 16)
    #expect(unsafe whole != nil && more == nil)
    #expect(arena.usedByteCount == 65_536 && arena.peakByteCount == 65_536)
  }

  @Test("What cannot be had is refused, and nothing is lost by asking", arguments: [65_521, 65_536, 1 << 40, .max])
  func refuses(byteCount: Int) {
    let arena = TestArena(capacity: 65_536)
    #expect(unsafe arena.allocate(byteCount, alignment: 16) == nil)
    #expect(unsafe arena.allocate(16, alignment: 1 << 30) == nil)
    #expect(unsafe arena.allocate(65_520, alignment: 16) != nil)
  }

  @Test("Two threads at once do not disturb each other")
  func isThreadSafe() {
    let arena = TestArena(capacity: 65_536)
    onTwoThreads(
      writer: UInt64(1), reader: UInt64(2), write: { arena.churn(seed: $0) }, read: { arena.churn(seed: $0) })
    #expect(arena.damagedPieceCount == 0)
    #expect(arena.usedByteCount == 0)
    #expect(arena.peakByteCount > 1000)
  }
}
