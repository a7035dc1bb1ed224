import Base
import Machine
import Foundation
import Media
import TestSupport
import Testing

@testable import Record

/// Stills on their way from the ring to the card.
@Suite struct StillTests {
  /// A JPEG, of which only the parts are valid that the storage worker reads.
  private static func jpeg(_ number: UInt32, byteCount: Int = 2_000) -> [UInt8] {
    [0xFF, 0xD8, 0xFF, 0xDB] + (4..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* Int(number)) }
  }

  /// 2026-01-01 00:00:05.678 UTC.
  private static let unixNanoseconds: Int64 = 1_767_225_605_678_900_000

  private func deliver(
    _ number: UInt32, to rig: TakeRig, orientation: Orientation = .portrait, _ jpeg: [UInt8]? = nil
  ) throws {
    let bytes = jpeg ?? Self.jpeg(number)
    guard var room = rig.stills.acquire(maximumByteCount: bytes.count) else { throw NothingThere() }
    for (index, byte) in bytes.enumerated() { room.storeBytes(of: byte, toByteOffset: index, as: UInt8.self) }
    rig.stills.commit(
      StillHeader(
        number: number, orientation: orientation, widthPixels: 640, heightPixels: 480,
        unixNanoseconds: Self.unixNanoseconds), byteCount: bytes.count)
  }

  private func saved(_ rig: TakeRig) -> [StillSummary] {
    rig.toldOfStills.compactMap { if case .saved(let summary) = $0.outcome { summary } else { nil } }
  }

  private func failureCount(_ rig: TakeRig) -> Int { rig.toldOfStills.count - saved(rig).count }

  @Test("a still is named by time and number, begins with its metadata, and continues with the JPEG")
  func isSaved() throws {
    let rig = try TakeRig()
    try deliver(1, to: rig)
    try deliver(2, to: rig, orientation: .landscapeLeft)
    rig.work()
    let summaries = saved(rig)
    #expect(
      summaries.map { String($0.path) } == [
        "photo/20260101/20260101_000005_0001.jpg", "photo/20260101/20260101_000005_0002.jpg",
      ])
    #expect(summaries.map(\.widthPixels) == [480, 640] && summaries.map(\.heightPixels) == [640, 480])
    #expect(rig.toldOfStills.map(\.number) == [1, 2])
    for (index, summary) in summaries.enumerated() {
      let bytes = try #require(rig.disk.image[String(summary.path)])
      #expect(bytes.count == summary.byteCount)
      #expect(bytes.starts(with: [0xFF, 0xD8, 0xFF, 0xE1]))
      let rest = Self.jpeg(UInt32(index) + 1).dropFirst(2)
      #expect(bytes.suffix(rest.count) == rest)
      let segmentByteCount = Int(bytes[4]) << 8 + Int(bytes[5])
      #expect(bytes.count == 4 + segmentByteCount + rest.count)
    }
  }

  @Test("a camera's own Exif, which programs would show instead of ours, is left out", arguments: [true, false])
  func leavesOutExif(isFirst: Bool) throws {
    let rig = try TakeRig()
    let head: [UInt8] = [0xFF, 0xE0, 0, 7, 0x4A, 0x46, 0x49, 0x46, 0]
    let exif = [0xFF, 0xE1, 0, 12] + Array("Exif\0\0MM\0*".utf8)
    let rest = Self.jpeg(1).dropFirst(2)
    try deliver(1, to: rig, [0xFF, 0xD8] + (isFirst ? exif + head : head + exif) + rest)
    rig.work()
    let summary = try #require(saved(rig).first)
    let bytes = try #require(rig.disk.image[String(summary.path)])
    let segmentByteCount = Int(bytes[4]) << 8 + Int(bytes[5])
    #expect(Array(bytes.dropFirst(4 + segmentByteCount)) == head + rest && bytes.count == summary.byteCount)
  }

  @Test(
    "a still gets its true date to the millisecond after the clock was set",
    arguments: [
      (4_500_000_000, "2026:01:01 00:00:10.178+00:00"), (-2_900_000_000, "2026:01:01 00:00:02.778+00:00"),
      (86_400_321_000_000, "2026:01:02 00:00:05.999+00:00"), (-7_200_000_000_000, "2025:12:31 22:00:05.678+00:00"),
    ] as [(Int64, String)])
  func isDated(shiftNanoseconds: Int64, expected: String) throws {
    let rig = try TakeRig()
    try deliver(1, to: rig)
    rig.work()
    rig.send(.date(unixOffsetNanoseconds: shiftNanoseconds))
    rig.run(milliseconds: 1_000)
    let name = try #require(rig.disk.image.names.keys.first { $0.hasSuffix(".jpg") })
    let folder = try TemporaryFolder()
    let path = try folder.write(try #require(rig.disk.image[name]), as: "still.jpg")
    for tag in ["SubSecCreateDate", "SubSecDateTimeOriginal", "SubSecModifyDate"] {
      let told = try ForeignProgram.text("exiftool", ["-s3", "-\(tag)", path])
      #expect(told == expected, "\(tag)")
    }
  }

  @Test("takes and stills share one count, and no number is used twice, also after a restart")
  func countsWithTakes() throws {
    let rig = try TakeRig()
    rig.run(milliseconds: 1_200)
    try deliver(1, to: rig)
    rig.record(milliseconds: 1_000)
    let again = try TakeRig(rig.disk)
    try deliver(1, to: again)
    again.work()
    let numbers = rig.disk.image.names.keys.filter { $0.contains("/") }.map { $0.suffix(8).prefix(4) }.sorted()
    #expect(numbers == ["0001", "0002", "0003"])
  }

  @Test("a number that is in use is skipped")
  func passesOver() throws {
    let rig = try TakeRig()
    try deliver(1, to: rig)
    rig.work()
    let disk = MemoryDisk(rig.disk.image)
    var storage = Storage(MemoryStorage(disk))
    try storage.remove("state")
    let again = try TakeRig(disk)
    try deliver(1, to: again)
    again.work()
    #expect(saved(again).map { String($0.path) } == ["photo/20260101/20260101_000005_0002.jpg"])
    #expect(
      disk.image["photo/20260101/20260101_000005_0001.jpg"] == rig.disk.image["photo/20260101/20260101_000005_0001.jpg"]
    )
  }

  @Test("a full card is reported in one line and leaves no file, and the take continues")
  func fullCard() throws {
    let rig = try TakeRig()
    rig.run(milliseconds: 1_200)
    rig.begin()
    rig.run(milliseconds: 1_000)
    rig.run(milliseconds: 2_000)
    guard let needed = rig.worker.take?.neededByteCount else { throw NothingThere() }
    rig.disk.toldFreeByteCount = needed + TakeRig.settings.reserveByteCount + 1_900
    try deliver(1, to: rig)
    rig.work()
    #expect(saved(rig).isEmpty && failureCount(rig) == 1)
    rig.disk.toldFreeByteCount = nil
    try deliver(2, to: rig)
    rig.work()
    #expect(saved(rig).count == 1)
    rig.run(milliseconds: 1_000)
    rig.end()
    rig.run(milliseconds: 1_000)
    #expect(rig.finished.count == 1 && rig.failureCount == 0)
    #expect(rig.disk.image.names.keys.filter { $0.contains("still") }.isEmpty)
  }

  @Test(
    "whichever call the card refuses, the failure is reported once, the take continues, and no part of the still remains"
  )
  func failingCalls() throws {
    for failing in 1...30 {
      let rig = try TakeRig()
      rig.run(milliseconds: 1_200)
      rig.begin()
      rig.run(milliseconds: 1_000)
      let before = rig.disk.callCount
      rig.disk.failingCalls = before + failing..<before + failing + 1
      try deliver(1, to: rig)
      rig.work()
      rig.disk.failingCalls = 0..<0
      try deliver(2, to: rig)
      rig.end()
      rig.run(milliseconds: 1_000)
      #expect(rig.toldOfStills.map(\.number) == [1, 2], "call \(failing)")
      #expect(rig.finished.count == 1 && rig.failureCount == 0, "call \(failing)")
      #expect(rig.disk.image.names["still.new"] == nil, "call \(failing)")
      for path in rig.disk.image.names.keys.filter({ $0.hasPrefix("photo/") }) {
        #expect(
          rig.disk.image[path]?.suffix(1_998).elementsEqual(Self.jpeg(1).dropFirst(2)) == true
            || rig.disk.image[path]?.suffix(1_998).elementsEqual(Self.jpeg(2).dropFirst(2)) == true, "call \(failing)")
      }
    }
  }

  @Test(
    """
    a card that stalls for 10 s in any call, and is slow from then on, costs neither the take nor the stills \
    anything; no still is begun while a fragment of the take is due
    """, arguments: 1...30)
  func stalls(inCall stallingCall: Int) throws {
    let rig = try TakeRig()
    rig.run(milliseconds: 1_200)
    rig.begin()
    rig.run(milliseconds: 2_000)
    let start = rig.opened[0].start
    let operationsBefore = rig.disk.operations.count
    var calls: [Call] = []
    rig.disk.beforeCall = { [unowned rig] in
      calls.append(
        Call(
          operationCount: rig.disk.operations.count,
          unwrittenFrames: rig.source.now - start - rig.progress.audioFrameCount))
      if calls.count > stallingCall { rig.source.advance(milliseconds: 20) }
      guard calls.count == stallingCall else { return }
      rig.source.advance(milliseconds: 5_000)
      for number in 2...4 as ClosedRange<UInt32> { try? deliver(number, to: rig) }
      rig.source.advance(milliseconds: 5_000)
    }
    try deliver(1, to: rig)
    rig.run(milliseconds: 1_000)
    try #require(calls.count > stallingCall)
    let beginnings = rig.disk.operations.indices.dropFirst(operationsBefore).filter {
      if case .create(path: "still.new", file: _) = rig.disk.operations[$0] { true } else { false }
    }
    #expect(beginnings.count == 4)
    // The first one began before the card stalled.
    for index in beginnings.dropFirst() {
      let call = try #require(calls.last { $0.operationCount == index })
      // A fragment, a late picture, and the still's first calls on a slow card.
      #expect(call.unwrittenFrames <= TakeSource.rateHz * (500 + 250 + 100) / 1000)
    }
    #expect(rig.toldOfStills.map(\.number) == [1, 2, 3, 4] && failureCount(rig) == 0)
    let end = rig.source.now
    rig.end()
    rig.run(milliseconds: 1_000)
    expectTake(
      [try #require(TakeFile(rig.opened[0].path, start: start, on: rig.disk))], to: end, from: rig.source,
      "stalled in call \(stallingCall)")
  }

  /// The state at a call to the card.
  private struct Call {
    var operationCount: Int
    /// Sound of the take that had arrived but was not flushed.
    var unwrittenFrames: UInt64
  }

  @Test("after every power cut a still is complete under its name, or does not exist")
  func everyCut() throws {
    let rig = try TakeRig()
    try deliver(1, to: rig)
    rig.work()
    try deliver(2, to: rig)
    var savedAt: [Int] = [rig.disk.operations.count]
    rig.work()
    savedAt.append(rig.disk.operations.count)
    let operations = rig.disk.operations
    let paths = saved(rig).map { String($0.path) }
    var cutCount = 0
    for round in 0..<40 as Range<UInt64> {
      for operationCount in 0...operations.count {
        var generator = round == 0 ? nil : SeededGenerator(seed: round << 32 | UInt64(operationCount))
        let disk = MemoryDisk(DiskImage.afterCut(operations, at: operationCount, using: &generator))
        _ = try TakeRig(disk)
        for (index, path) in paths.enumerated() {
          let bytes = disk.image[path]
          if operationCount >= savedAt[index] {
            try #require(bytes == rig.disk.image[path], "cut \(operationCount), round \(round)")
          } else if let bytes {
            try #require(bytes == rig.disk.image[path], "cut \(operationCount), round \(round)")
          }
        }
        let others = disk.image.names.keys.filter { $0 != "state" && !paths.contains($0) }
        try #require(others.isEmpty, "cut \(operationCount), round \(round)")
        cutCount += 1
      }
    }
    #expect(cutCount > 500)
  }
}
