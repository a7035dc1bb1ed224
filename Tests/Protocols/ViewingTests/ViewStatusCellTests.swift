import Base
import Synchronization
import TestSupport
import Testing

@testable import Wire

@Suite struct ViewStatusCellTests {
  private static func cell() throws -> ViewStatusCell {
    var memory = leakedBootMemory(byteCount: ViewStatusCell.byteCount)
    return try unwrapped(ViewStatusCell(in: &memory))
  }

  @Test("Every valid status survives conversion to words and back")
  func passesThroughWords() {
    var random = SeededGenerator(seed: 2)
    for _ in 0..<1_000 {
      let status = ViewStatus.random(using: &random)
      #expect(ViewStatus(words: status.words) == status)
    }
  }

  @Test("A concurrent reader never sees a mixture of two statuses")
  func isNeverTorn() throws {
    let cell = try Self.cell()
    let isDone = DoneFlag()
    var readCount = 0
    var tornCount = 0
    onTwoThreads(writer: cell, reader: cell) { cell in
      for number in 0..<2_000_000 as Range<UInt64> {
        var status = ViewStatus()
        status.takeMilliseconds = number
        status.freeByteCount = number
        status.faults = UInt32(truncatingIfNeeded: number)
        cell.publish(status)
      }
      isDone.flag.store(true, ordering: .relaxed)
    } read: { cell in
      while !isDone.flag.load(ordering: .relaxed) {
        guard let status = cell.read() else { continue }
        readCount += 1
        if status.takeMilliseconds != status.freeByteCount
          || status.faults != UInt32(truncatingIfNeeded: status.freeByteCount)
        {
          tornCount += 1
        }
      }
    }
    #expect(tornCount == 0)
    #expect(readCount > 1_000)
  }

  @Test("A writer that was frozen during a write blocks no reader")
  func givesUp() throws {
    let region = SharedRegion(byteCount: 512)
    region.fill(0)
    let cell = unsafe ViewStatusCell(at: region.base)
    #expect(cell.read() == ViewStatus(words: .init(repeating: 0)))
    region.change(1, at: 0) { #expect(cell.read() == nil) }
  }
}

private final class DoneFlag: Sendable {
  let flag = Atomic<Bool>(false)
}
