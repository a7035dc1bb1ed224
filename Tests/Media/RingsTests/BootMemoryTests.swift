import Base
import TestSupport
import Testing

@Suite struct BootMemoryTests {
  @Test("Each piece starts on its own cache line, and pieces never overlap")
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

  @Test("Memory that grows gives separate, zeroed pieces of any size, and counts them as one region would")
  func grows() throws {
    var memory = leakedBootMemory()
    var pieces = unsafe [UnsafeMutableRawBufferPointer]()
    var footprint = 0
    for byteCount in [0, 1, 64, 10_000, 16_384, 60_000, 15_000, 16_000, 16_000, 200_000, 15_999, 15_000, 1] {
      let piece = try unsafe #require(memory.cut(byteCount: byteCount))
      unsafe pieces.append(piece)
      footprint += BootMemory.footprint(byteCount: byteCount)
      #expect(Int(bitPattern: piece.baseAddress) % 64 == 0)
      #expect(piece.count == byteCount)
      let isZeroed = unsafe piece.allSatisfy { $0 == 0 }
      #expect(isZeroed)
      unsafe piece.initializeMemory(as: UInt8.self, repeating: UInt8(pieces.count))
    }
    for index in unsafe pieces.indices {
      let isIntact = unsafe pieces[index].allSatisfy { $0 == UInt8(index + 1) }
      #expect(isIntact, "something was cut from piece \(index)")
    }
    let usedByteCount = memory.usedByteCount
    #expect(usedByteCount == footprint)
  }

  @Test("A piece that is too large is refused, and the needed size is reported")
  func refuses() {
    var memory = unsafe BootMemory { byteCount in
      byteCount > 100_000 ? nil : UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 4096)
    }
    let isSmallCut = unsafe memory.cut(byteCount: 1000) != nil
    let isLargeCut = unsafe memory.cut(byteCount: 100_001) != nil
    let isNextCut = unsafe memory.cut(byteCount: 1000) != nil
    #expect(isSmallCut && !isLargeCut && isNextCut)
    let refusedByteCount = memory.refusedByteCount
    #expect(refusedByteCount == 1024 + 100_032)
  }
}
