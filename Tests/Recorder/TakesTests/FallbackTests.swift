import Base
import TestSupport
import Testing

@testable import Record

/// A take whose card fails, with a second card available.
@Suite struct FallbackTests {
  /// A take whose card fails from its `call`-th call on, and works again after the take.
  /// - Returns: whether the take continued in the fallback folder.
  private func record(hasVideo: Bool, failingFrom call: Int, stallSeconds: UInt32) throws -> Bool {
    let comment: Comment = "from call \(call), video \(hasVideo), tried for \(stallSeconds) s"
    let fallback = MemoryDisk()
    let disk = MemoryDisk()
    disk.fallback = fallback
    let rig = try TakeRig(disk, hasVideo: hasVideo) { $0.record.stallSeconds = stallSeconds }
    rig.run(milliseconds: 1_200)
    disk.failingCalls = disk.callCount + call..<Int.max
    rig.begin()
    rig.run(milliseconds: 12_000)
    let end = rig.source.now
    rig.end()
    rig.run(milliseconds: 8_000)
    #expect(rig.failureCount == 0, comment)
    #expect(rig.finished.count == 1, comment)
    disk.failingCalls = 0..<0
    rig.run(milliseconds: 3_000)
    let starts = rig.opened.map(\.start)
    let files = rig.opened.enumerated().compactMap { index, opened in
      let isOnFallback = fallback.image[opened.path] != nil
      let file = TakeFile(opened.path, start: opened.start, on: isOnFallback ? fallback : disk)
      // The first fragment was torn, so none of it counts, and the next file begins where this one did.
      let isEmpty = index + 1 < starts.count && starts[index + 1] == opened.start
      #expect(file != nil || isEmpty, "\(opened.path), \(comment)")
      return file
    }
    expectAll(of: files, to: end, from: rig.source, comment)
    rig.record(milliseconds: 1_000)
    #expect(rig.finished.count == 2 && disk.image[rig.opened.last!.path] != nil, "the card is used again, \(comment)")
    let numbers = rig.opened.map { $0.path.split(separator: "_").last! }
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }, "no number is used twice, \(comment)")
    return fallback.image.names.keys.contains { $0 != "state" }
  }

  /// Expects all sound and all pictures. Data that could not be flushed on one card may be on both.
  private func expectAll(
    of files: [TakeFile], to end: TimelinePosition, from source: TakeSource, _ comment: Comment
  ) {
    guard let start = files.first?.start else {
      Issue.record("no file, \(comment)")
      return
    }
    var sound: [UInt8] = []
    for file in files {
      let place = Int(file.start.distance(since: start)) * 2
      #expect(place <= sound.count && place >= sound.count - 10_000, comment)
      sound.replaceSubrange(min(place, sound.count)..., with: file.sound)
    }
    #expect(sound == Array(TakeSource.sound[Int(start.rawValue) * 2..<Int(end.rawValue) * 2]), comment)
    guard source.hasVideo else { return }
    let due = source.made.filter { $0.position >= start && $0.position < end }.map(\.number)
    #expect(Set(files.flatMap(\.pictureNumbers)).isSuperset(of: due.dropLast(2)), comment)
  }

  @Test("a card that fails from any call on: the take goes on in the fallback folder and nothing of it is lost")
  func anyCall() throws {
    for hasVideo in [true, false] {
      for stallSeconds in [0, 4] as [UInt32] {
        var count = 0
        for call in 1...60 where try record(hasVideo: hasVideo, failingFrom: call, stallSeconds: stallSeconds) {
          count += 1
        }
        #expect(count > 50)
      }
    }
  }

  /// Two seconds into a take, with a second card.
  private func recordingRig() throws -> (TakeRig, MemoryDisk, fallback: MemoryDisk) {
    let disk = MemoryDisk()
    let fallback = MemoryDisk()
    disk.fallback = fallback
    let rig = try TakeRig(disk)
    rig.run(milliseconds: 1_200)
    rig.begin()
    rig.run(milliseconds: 2_000)
    return (rig, disk, fallback)
  }

  @Test("a card that gets full in a take: the take goes on in the fallback folder")
  func full() throws {
    let (rig, disk, fallback) = try recordingRig()
    disk.toldFreeByteCount = TakeRig.settings.reserveByteCount
    rig.run(milliseconds: 2_000)
    let end = rig.source.now
    rig.end()
    rig.run(milliseconds: 2_000)
    #expect(rig.failureCount == 0 && rig.finished.count == 1 && rig.opened.count == 2)
    let first = try #require(TakeFile(rig.opened[0].path, start: rig.opened[0].start, on: disk))
    let second = try #require(TakeFile(rig.opened[1].path, start: rig.opened[1].start, on: fallback))
    expectTake([first, second], to: end, from: rig.source, "over two cards")
  }

  @Test("a fallback folder that cannot be used is told before the take fails")
  func unusable() throws {
    let (rig, disk, fallback) = try recordingRig()
    fallback.failingCalls = 0..<Int.max
    disk.failingCalls = disk.callCount..<Int.max
    rig.run(milliseconds: 2_000)
    #expect(rig.failureCount == 1 && rig.fallbackFailureCount == 1)
  }

  @Test("when the fallback folder fails as well the take fails, and says so once")
  func bothFail() throws {
    let (rig, disk, fallback) = try recordingRig()
    disk.failingCalls = disk.callCount..<Int.max
    rig.run(milliseconds: 2_000)
    #expect(rig.failureCount == 0)
    fallback.failingCalls = fallback.callCount..<Int.max
    rig.run(milliseconds: 2_000)
    #expect(rig.failureCount == 1)
    rig.begin()
    rig.run(milliseconds: 2_000)
    #expect(rig.failureCount == 2)
    disk.failingCalls = 0..<0
    rig.run(milliseconds: 2_000)
    rig.record(milliseconds: 1_000)
    #expect(rig.finished.count == 1 && disk.image[rig.opened.last!.path] != nil)
  }

  @Test(
    "while the card can be read but not written, every take is in the fallback folder, and no spare room stays there")
  func staysInFallback() throws {
    let (rig, disk, fallback) = try recordingRig()
    disk.fails = { $0 != .open && $0 != .read }
    rig.run(milliseconds: 2_000)
    rig.end()
    rig.run(milliseconds: 3_000)
    for _ in 0..<2 {
      rig.record(milliseconds: 1_000)
      rig.run(milliseconds: 2_000)
    }
    #expect(rig.failureCount == 0 && rig.finished.count == 3, "\(rig.told)")
    #expect(rig.opened.dropFirst().allSatisfy { fallback.image[$0.path] != nil })
    #expect(fallback.image["spare"] == nil)
    disk.fails = { _ in false }
    rig.run(milliseconds: 2_000)
    rig.record(milliseconds: 1_000)
    #expect(rig.finished.count == 4 && disk.image[rig.opened.last!.path] != nil && disk.image["spare"] == nil)
  }

  /// Expects that each file was told once: as complete, or as repaired.
  private func expectToldOnce(_ rig: TakeRig, _ comment: Comment = "") {
    let told = rig.told.compactMap { report -> String? in
      switch report {
      case .split(let summary), .finished(_, let summary), .repaired(let summary): String(summary.path)
      default: nil
      }
    }
    #expect(told.sorted() == rig.opened.map(\.path).sorted(), "\(rig.told), \(comment)")
  }

  @Test("each file of a take that goes over two cards is told once, whatever made the first one fail")
  func toldOnce() throws {
    for isFull in [true, false] {
      let (rig, disk, _) = try recordingRig()
      if isFull { disk.toldFreeByteCount = Self.full } else { disk.failingCalls = disk.callCount..<Int.max }
      rig.run(milliseconds: 2_000)
      rig.end()
      rig.run(milliseconds: 2_000)
      disk.toldFreeByteCount = nil
      disk.failingCalls = 0..<0
      rig.run(milliseconds: 3_000)
      #expect(rig.returnCount == 1 && rig.finished.count == 1)
      expectToldOnce(rig, "full: \(isFull)")
    }
  }

  private static let full = TakeRig.settings.reserveByteCount

  @Test("a fallback folder that is full itself is told once, and the take ends as on a full card without one")
  func fullFallback() throws {
    for hasRoomForState in [true, false] {
      let (rig, disk, fallback) = try recordingRig()
      fallback.toldFreeByteCount = hasRoomForState ? Self.full : 1 << 40
      if !hasRoomForState { fallback.capacityByteCount = 0 }
      disk.toldFreeByteCount = Self.full
      rig.run(milliseconds: 4_000)
      #expect(rig.failureCount == 1 && rig.fallbackFailureCount == 1 && rig.returnCount == 0, "\(rig.told)")
      #expect(rig.fallenBackCount == 0 && rig.completionFailureCount == 0, "\(rig.told)")
      let file = try #require(TakeFile(rig.opened[0].path, start: rig.opened[0].start, on: disk))
      #expect(file.sound.count > 2 * 2 * Int(TakeSource.rateHz))
      disk.toldFreeByteCount = nil
      rig.record(milliseconds: 1_000)
      #expect(rig.finished.count == 1 && disk.image[rig.opened.last!.path] != nil, "the card has room again")
    }
  }

  @Test("a fallback folder that fills up ends the take once, and the card is not said to work before it has room")
  func fallbackFillsUp() throws {
    let (rig, disk, fallback) = try recordingRig()
    disk.toldFreeByteCount = Self.full
    rig.run(milliseconds: 2_000)
    fallback.toldFreeByteCount = Self.full
    rig.run(milliseconds: 4_000)
    #expect(rig.failureCount == 1 && rig.fallenBackCount == 1 && rig.returnCount == 0, "\(rig.told)")
    let end = try #require(rig.failureEnd)
    let first = try #require(TakeFile(rig.opened[0].path, start: rig.opened[0].start, on: disk))
    let second = try #require(TakeFile(rig.opened[1].path, start: rig.opened[1].start, on: fallback))
    expectTake([first, second], to: end, from: rig.source, "over two cards")
    rig.begin()
    rig.run(milliseconds: 2_000)
    #expect(rig.failureCount == 2 && rig.fallenBackCount == 1 && rig.opened.count == 2)
    disk.toldFreeByteCount = nil
    rig.run(milliseconds: 2_000)
    #expect(rig.returnCount == 1)
    rig.record(milliseconds: 1_000)
    #expect(rig.finished.count == 1 && disk.image[rig.opened.last!.path] != nil)
  }

  @Test("after a take that ended in the fallback folder a card that is still full is not used")
  func cardStaysFull() throws {
    let (rig, disk, fallback) = try recordingRig()
    disk.toldFreeByteCount = Self.full
    rig.run(milliseconds: 2_000)
    rig.end()
    rig.run(milliseconds: 3_000)
    rig.record(milliseconds: 1_000)
    #expect(rig.finished.count == 2 && rig.failureCount == 0 && rig.returnCount == 0 && rig.fallenBackCount == 1)
    #expect(fallback.image[rig.opened.last!.path] != nil)
  }

  @Test("a take whose fallback folder fills up goes on on the card, if that has room again")
  func goesBack() throws {
    let (rig, disk, fallback) = try recordingRig()
    disk.toldFreeByteCount = Self.full
    rig.run(milliseconds: 2_000)
    disk.toldFreeByteCount = nil
    fallback.toldFreeByteCount = Self.full
    rig.run(milliseconds: 2_000)
    let end = rig.source.now
    rig.end()
    rig.run(milliseconds: 2_000)
    #expect(rig.failureCount == 0 && rig.finished.count == 1 && rig.opened.count == 3, "\(rig.told)")
    let files = rig.opened.enumerated().compactMap { index, opened in
      TakeFile(opened.path, start: opened.start, on: index == 1 ? fallback : disk)
    }
    #expect(files.count == 3)
    expectTake(files, to: end, from: rig.source, "over two cards and back")
    expectToldOnce(rig)
  }
}
