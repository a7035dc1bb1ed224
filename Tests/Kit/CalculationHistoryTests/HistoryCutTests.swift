import Machine
import Foundation
import TestSupport
import Testing

@testable import Catalog

@Suite struct HistoryCutTests {
  /// How many calculations were confirmed when an operation was complete.
  private final class Promise {
    private(set) var counts: [(operationCount: Int, keptCount: Int)] = []
    func note(_ keptCount: Int, on disk: MemoryDisk) { counts.append((disk.operations.count, keptCount)) }
    func count(at operationCount: Int) -> Int { counts.last { $0.operationCount <= operationCount }?.keptCount ?? 0 }
  }

  /// A disk with 10,000 calculations, on which the next one rotates the files.
  private static func full() throws -> [UInt8] {
    let rig = try HistoryRig()
    let limit = HistoryLimits.calculations
    for number in 1...limit { try rig.keep("\(number)") }
    return rig.disk.image["calculations"] ?? []
  }

  @Test("After a power cut at any write the newest 10,000 that were kept are there, and no line is torn")
  func everyCut() throws {
    let limit = HistoryLimits.calculations
    let content = try Self.full()
    // Both files are full: the old one holds the earlier calculations.
    let disk = MemoryDisk()
    try put(content, as: "calculations.old", on: disk)
    try put(content, as: "calculations", on: disk)
    let firstCut = disk.operations.count
    let rig = try HistoryRig(disk)
    let promise = Promise()
    promise.note(0, on: disk)
    for number in 1...12 {
      #expect(try rig.keep("\(number)/7"))
      promise.note(number, on: disk)
    }
    let kept = try rig.told()
    #expect(kept.count == limit)
    var cutCount = 0
    let operations = disk.operations
    for round in 0..<5 as Range<UInt64> {
      for operationCount in Cases.some(6, of: firstCut...operations.count) {
        var generator = round == 0 ? nil : SeededGenerator(seed: round << 32 | UInt64(operationCount))
        let image = DiskImage.afterCut(operations, at: operationCount, using: &generator)
        let told = try HistoryRig(MemoryDisk(image)).told()
        let promised = promise.count(at: operationCount)
        let all = Self.lines(limit) + kept.suffix(12)
        // The calculation being written may or may not be kept.
        let candidates = [promised, promised + 1].map { Array(all.prefix(limit + $0).suffix(limit)) }
        #expect(candidates.contains(told), "cut \(operationCount), round \(round)")
        cutCount += 1
      }
    }
    #expect(cutCount >= Cases.count(30, of: 150))
  }

  private static func lines(_ count: Int) -> [String] {
    (1...count).map { number in
      let text = number < 1000 ? "\(number)" : "\(number / 1000),\(String(1000 + number % 1000).dropFirst())"
      return "\(text) = \(text)"
    }
  }

  private func put(_ bytes: [UInt8], as path: String, on disk: MemoryDisk) throws {
    var storage = Storage(MemoryStorage(disk))
    var file = try storage.create(.init(path))
    try unsafe file.write(bytes.span.bytes, at: 0)
    try file.synchronise()
    try storage.synchroniseFolder("")
  }
}
