import Rings
import TestSupport
import Testing

@Suite struct BootMemoryTests {
  @Test("Pieces start on cache lines of their own and never overlap")
  func piecesAreApart() throws {
    var memory = leakedBootMemory(byteCount: 4096)
    var previousEnd = 0
    for byteCount in [1, 64, 65, 0, 100, 3] {
      let piece = try unsafe #require(memory.cut(byteCount: byteCount))
      let start = Int(bitPattern: piece.baseAddress)
      #expect(start % 64 == 0)
      #expect(start >= previousEnd)
      #expect(piece.count == byteCount)
      previousEnd = start + byteCount
    }
  }

  @Test("It is used to the last byte and gives nothing beyond")
  func exhaustion() {
    var memory = leakedBootMemory(byteCount: 256)
    let isTooLargeCut = unsafe memory.cut(byteCount: 257) != nil
    #expect(!isTooLargeCut)
    let isAllCut = unsafe memory.cut(byteCount: 192) != nil && memory.cut(byteCount: 64) != nil
    #expect(isAllCut)
    let isMoreCut = unsafe memory.cut(byteCount: 1) != nil
    #expect(!isMoreCut)
  }
}
