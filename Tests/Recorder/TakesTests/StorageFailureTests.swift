import Base
import TestSupport
import Testing

@testable import Record

/// The worker with a failing card.
@Suite struct StorageFailureTests {
  /// Records with a card that fails meanwhile and is repaired afterwards, then a second take.
  ///
  /// - Parameter break: makes the card fail; it receives the number of calls so far.
  /// - Returns: whether the card did fail the first take.
  private func record(
    hasVideo: Bool, _ comment: Comment, breaking: (MemoryDisk) -> Void
  ) throws -> Bool {
    let rig = try TakeRig(hasVideo: hasVideo)
    rig.run(milliseconds: 1_200)
    breaking(rig.disk)
    rig.begin()
    rig.run(milliseconds: 1_200)
    rig.end()
    rig.run(milliseconds: 1_000)
    #expect(rig.finished.count + rig.failureCount == 1, comment)
    let isFailed = rig.failureCount + rig.completionFailureCount + rig.ledgerFailureCount > 0
    rig.disk.capacityByteCount = .max
    rig.disk.failingCalls = 0..<0
    let firstCount = rig.opened.count
    let finishedCount = rig.finished.count
    rig.begin()
    rig.run(milliseconds: 600)
    let end = rig.source.now
    rig.end()
    rig.run(milliseconds: 1_000)
    #expect(rig.finished.count == finishedCount + 1, comment)
    try #require(rig.opened.count == firstCount + 1, comment)
    let second = rig.opened[firstCount]
    expectTake(
      [try #require(TakeFile(second.path, start: second.start, on: rig.disk))], to: end, from: rig.source, comment)
    for path in rig.disk.image.names.keys where path != "state" {
      #expect(rig.opened.contains { $0.path == path }, "\(path) was left behind, \(comment)")
    }
    for (path, start) in rig.opened where rig.disk.image[path] != nil {
      let file = try #require(TakeFile(path, start: start, on: rig.disk), "\(path) was not completed later, \(comment)")
      #expect(file.sound.count > 0, comment)
    }
    return isFailed
  }

  @Test("an error of any call to the card fails the take, or only its completion; the next take works")
  func everyCall() throws {
    for hasVideo in [true, false] {
      var failedCount = 0
      var call = 1
      while try record(
        hasVideo: hasVideo, "call \(call), video \(hasVideo)",
        breaking: { disk in
          disk.failingCalls = disk.callCount + call..<disk.callCount + call + 1
        })
      {
        failedCount += 1
        call += 1
      }
      #expect(failedCount > 15)
    }
  }

  @Test("a card that fails from some call on is reported, and the next take works once it is repaired")
  func fromSomeCallOn() throws {
    for hasVideo in [true, false] {
      for call in 1...40 {
        _ = try record(hasVideo: hasVideo, "from call \(call), video \(hasVideo)") { disk in
          disk.failingCalls = disk.callCount + call..<Int.max
        }
      }
    }
  }

  @Test("a full card, at every byte: flushed data stays, and is completed when there is space again")
  func everyByteCount() throws {
    for hasVideo in [true, false] {
      var capacity = 100
      while try record(
        hasVideo: hasVideo, "\(capacity) bytes, video \(hasVideo)",
        breaking: { disk in
          disk.capacityByteCount = capacity
          disk.toldFreeByteCount = .max
        })
      {
        capacity += hasVideo ? 373 : 331
      }
      #expect(capacity > 20_000)
    }
  }

  @Test(
    "a file that can grow no more is followed by another, and nothing is lost between them",
    arguments: [(true, true), (false, true), (false, false)])
  func goesOnBeyondFileLimit(hasVideo: Bool, isKnown: Bool) throws {
    let rig = try TakeRig(hasVideo: hasVideo)
    rig.disk.largestFileByteCount = 150_000
    rig.disk.tellsLargestFile = isKnown
    rig.run(milliseconds: 1_000)
    rig.begin()
    rig.run(milliseconds: 20_000)
    let end = rig.source.now
    rig.end()
    rig.run(milliseconds: 1_000)
    #expect(rig.failureCount == 0 && rig.completionFailureCount == 0)
    let files = try rig.opened.map { try #require(TakeFile($0.path, start: $0.start, on: rig.disk)) }
    #expect(files.count >= 2)
    expectTake(files, to: end, from: rig.source, "video \(hasVideo), known \(isKnown)")
  }

  @Test("a movie that reaches a limit that nobody knew stays in fragments, and another begins with the next picture")
  func leavesInFragments() throws {
    let rig = try TakeRig()
    rig.disk.largestFileByteCount = 150_000
    rig.disk.tellsLargestFile = false
    rig.run(milliseconds: 1_000)
    rig.begin()
    rig.run(milliseconds: 20_000)
    rig.end()
    rig.run(milliseconds: 1_000)
    #expect(rig.failureCount == 0 && rig.completionFailureCount == 0)
    let first = try #require(rig.opened.first)
    let second = try #require(rig.opened.dropFirst().first)
    let count = try packetCount(try #require(rig.disk.image[first.path]))
    let due = rig.source.made.filter { $0.position >= first.start }
    let next = try #require(TakeFile(second.path, start: second.start, on: rig.disk))
    #expect(count > 0 && next.pictureNumbers.first == due[count].number)
  }

  @Test("a card whose files cannot hold one fragment fails the take, and makes no row of empty files")
  func refusesTinyFiles() throws {
    let rig = try TakeRig(hasVideo: false)
    rig.disk.largestFileByteCount = 3_000
    rig.disk.tellsLargestFile = false
    rig.run(milliseconds: 1_000)
    rig.record(milliseconds: 3_000)
    #expect(rig.failureCount == 1)
    #expect(rig.opened.count <= 1)
  }

  @Test("ffprobe plays a file that a full card left unfinished")
  func playsUnfinished() throws {
    let rig = try TakeRig()
    rig.run(milliseconds: 1_200)
    rig.disk.capacityByteCount = 30_000
    rig.disk.toldFreeByteCount = .max
    rig.record(milliseconds: 4_000)
    #expect(rig.failureCount == 1)
    #expect(try packetCount(rig.disk.image[rig.opened[0].path]!) >= 12)
  }

  /// The number of pictures that ffprobe finds in a movie.
  private func packetCount(_ movie: [UInt8]) throws -> Int {
    let folder = try TemporaryFolder()
    let path = try folder.write(movie, as: "take.mov")
    let text = try ForeignProgram.text(
      "ffprobe",
      [
        "-v", "error", "-count_packets", "-select_streams", "v", "-show_entries", "stream=nb_read_packets", "-of",
        "csv=p=0", path,
      ])
    return Int(text.prefix { $0.isNumber }) ?? 0
  }

  @Test(
    "a card that reports its free space ends the take while it can be completed, and takes the next once there is space"
  )
  func endsBeforeFull() throws {
    let rig = try TakeRig()
    rig.run(milliseconds: 1_200)
    rig.disk.capacityByteCount = Int(TakeRig.settings.firstByteCount) + 100
    rig.begin()
    rig.run(milliseconds: 500)
    rig.disk.toldFreeByteCount = TakeRig.settings.reserveByteCount
    rig.run(milliseconds: 1_000)
    rig.end()
    #expect(rig.failureCount == 1 && rig.completionFailureCount == 0)
    let file = try #require(TakeFile(rig.opened[0].path, start: rig.opened[0].start, on: rig.disk))
    expectTake([file], to: file.start + file.frameCount, from: rig.source, "up to where the card was full")
    rig.record(milliseconds: 500)
    #expect(rig.failureCount == 2 && rig.opened.count == 1)
    rig.disk.toldFreeByteCount = nil
    rig.disk.capacityByteCount = .max
    rig.record(milliseconds: 500)
    #expect(rig.failureCount == 2 && rig.finished.count == 1)
  }

  @Test("a repair that fails is reported and does not disturb the open take")
  func failingRepair() throws {
    let disk = MemoryDisk()
    let first = try TakeRig(disk)
    first.run(milliseconds: 1_200)
    first.begin()
    first.run(milliseconds: 1_500)
    var habits = SourceHabits()
    habits.firstPicture = 50
    let rig = try TakeRig(disk, habits: habits)
    rig.source.advance(milliseconds: 100)
    rig.begin()
    // While the new take waits for its first picture, the worker repairs.
    disk.failingCalls = disk.callCount + 1..<disk.callCount + 2
    rig.run(milliseconds: 3_000)
    #expect(rig.failureCount == 0 && rig.completionFailureCount == 1)
    rig.end()
    rig.run(milliseconds: 1_000)
    #expect(rig.finished.count == 1)
    #expect(rig.repaired.map { String($0.path) } == first.opened.map(\.path))
  }

  @Test("files that failing reads left open are repaired one after the other, also when a repair is tried again")
  func repairsInTurn() throws {
    let rig = try TakeRig { settings in settings.record.stallSeconds = 4 }
    rig.run(milliseconds: 1_200)
    rig.disk.fails = { $0 == .read }
    for _ in 1...2 {
      rig.record(milliseconds: 2_000)
      rig.run(milliseconds: 4_000)
    }
    #expect(rig.failureCount == 2 && rig.finished.isEmpty)
    rig.begin()
    rig.run(milliseconds: 500)
    #expect(rig.repaired.isEmpty)
    rig.disk.fails = { _ in false }
    rig.run(milliseconds: 2_000)
    rig.end()
    rig.run(milliseconds: 2_000)
    #expect(rig.repaired.map { String($0.path) } == rig.opened.dropLast().map(\.path) && rig.finished.count == 1)
  }

  @Test("errors of the card that pass while the rings hold what comes lose nothing", arguments: 1...12)
  func passingError(firstCall: Int) throws {
    let rig = try TakeRig { settings in
      settings.record.stallSeconds = 10
      settings.record.split.seconds = 5
    }
    rig.run(milliseconds: 1_200)
    rig.disk.failingCalls = rig.disk.callCount + firstCall * 3..<rig.disk.callCount + firstCall * 3 + 20
    rig.begin()
    rig.run(milliseconds: 9_000)
    let end = rig.source.now
    rig.end()
    rig.run(milliseconds: 4_000)
    #expect(rig.failureCount == 0 && rig.finished.count == 1)
    #expect(rig.disk.callCount > rig.disk.failingCalls.upperBound, "the errors were never met")
    let files = try rig.opened.map { try #require(TakeFile($0.path, start: $0.start, on: rig.disk)) }
    expectTake(files, to: end, from: rig.source, "errors from call \(firstCall * 3) on")
  }

  /// Which calls of one kind fail, counted from the order for the take.
  struct PassingFault: CustomTestStringConvertible, Sendable {
    var call: MemoryCall
    var firstCall: Int
    /// Nil: for three seconds.
    var count: Int?
    var testDescription: String { "\(call) \(firstCall), \(count.map { "\($0) times" } ?? "3 s")" }

    static let all: [PassingFault] = [
      MemoryCall.makeFolder, .create, .replace, .rename, .synchroniseFolder, .read, .write, .synchronise,
    ].flatMap { call in
      [1, 2, 3, 5, 9, 14, 40].flatMap { first in
        [1, 5, nil].map { PassingFault(call: call, firstCall: first, count: $0) }
      }
    }
  }

  @Test("whatever kind of call fails for a while, no take ends and nothing is lost", arguments: PassingFault.all)
  func oneKindFails(fault: PassingFault) throws {
    let rig = try TakeRig { settings in
      settings.record.stallSeconds = 10
      settings.record.split.seconds = 5
    }
    rig.run(milliseconds: 1_200)
    var callCount = 0
    var end: TimelinePosition?
    var failedCount = 0
    rig.disk.fails = { [source = rig.source] call in
      guard call == fault.call else { return false }
      callCount += 1
      guard callCount >= fault.firstCall else { return false }
      if end == nil { end = source.now + 3 * TakeSource.rateHz }
      guard fault.count.map({ failedCount < $0 }) ?? (source.now < end!) else { return false }
      failedCount += 1
      return true
    }
    rig.begin()
    rig.run(milliseconds: 2_000)
    try deliverStill(to: rig)
    rig.run(milliseconds: 7_000)
    let takeEnd = rig.source.now
    rig.end()
    rig.run(milliseconds: 6_000)
    #expect(failedCount > 0 || callCount < fault.firstCall)
    #expect(rig.failureCount == 0 && rig.completionFailureCount == 0 && rig.finished.count == 1)
    #expect(rig.finished.allSatisfy { $0.condition == .complete })
    let files = try rig.opened.map { try #require(TakeFile($0.path, start: $0.start, on: rig.disk)) }
    expectTake(files, to: takeEnd, from: rig.source, "\(fault.testDescription)")
    #expect(rig.toldOfStills.count == 1)
    for told in rig.toldOfStills { if case .failed = told.outcome { Issue.record("the still was lost") } }
    let state = String(decoding: rig.disk.image["state"] ?? [], as: UTF8.self)
    #expect(!state.contains("open"))
  }

  private func deliverStill(to rig: TakeRig) throws {
    let bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDB] + [UInt8](repeating: 7, count: 500)
    guard var room = rig.stills.acquire(maximumByteCount: bytes.count) else { throw NothingThere() }
    for (index, byte) in bytes.enumerated() { room.storeBytes(of: byte, toByteOffset: index, as: UInt8.self) }
    rig.stills.commit(
      StillHeader(
        number: 1, orientation: .portrait, widthPixels: 64, heightPixels: 48, unixNanoseconds: 1_767_225_605_000_000_000
      ),
      byteCount: bytes.count)
  }

  @Test(
    "a kind of call that goes on failing ends the take with one line, and the next take works once it works again",
    arguments: [MemoryCall.create, .replace, .synchroniseFolder, .write, .synchronise], [0, 2_000])
  func oneKindFailsForEver(call: MemoryCall, afterMilliseconds: Int) throws {
    let rig = try TakeRig { settings in
      settings.record.stallSeconds = 4
      settings.record.split.seconds = 5
    }
    rig.run(milliseconds: 1_200)
    var isFailing = afterMilliseconds == 0
    rig.disk.fails = { isFailing && $0 == call }
    rig.begin()
    rig.run(milliseconds: afterMilliseconds)
    isFailing = true
    rig.run(milliseconds: 10_000)
    #expect(rig.failureCount == 1 && rig.finished.isEmpty)
    isFailing = false
    rig.record(milliseconds: 1_000)
    #expect(rig.failureCount == 1 && rig.finished.count == 1)
  }

  @Test("a card that goes on failing ends the take with one failure, and the next press starts a take once it works")
  func lastingError() throws {
    let rig = try TakeRig { $0.record.stallSeconds = 4 }
    rig.run(milliseconds: 1_200)
    rig.begin()
    rig.run(milliseconds: 1_000)
    rig.disk.failingCalls = rig.disk.callCount + 1..<Int.max
    rig.run(milliseconds: 1_500)
    #expect(rig.failureCount == 0)
    rig.run(milliseconds: 2_000)
    #expect(rig.failureCount == 1 && rig.finished.isEmpty)
    rig.disk.failingCalls = 0..<0
    rig.record(milliseconds: 500)
    #expect(rig.failureCount == 1 && rig.finished.count == 1)
  }

  @Test("a take that is ended and another that is begun in one stall of the card both have all of theirs")
  func endAndBeginInOneStall() throws {
    let rig = try TakeRig(ringSeconds: 24)
    rig.run(milliseconds: 2_000)
    rig.begin()
    rig.run(milliseconds: 2_000)
    rig.source.advance(milliseconds: 1_000)
    let firstEnd = rig.source.now
    rig.end()
    rig.source.advance(milliseconds: 500)
    let press = rig.source.now
    rig.begin()
    rig.source.advance(milliseconds: 8_000)
    rig.work()
    rig.run(milliseconds: 500)
    let secondEnd = rig.source.now
    rig.end()
    rig.run(milliseconds: 1_500)
    let files = try rig.opened.map { try #require(TakeFile($0.path, start: $0.start, on: rig.disk)) }
    try #require(files.count == 2 && rig.finished.count == 2)
    expectTake([files[0]], to: firstEnd, from: rig.source, "the first")
    expectTake([files[1]], to: secondEnd, from: rig.source, "the second")
    #expect(files[1].start <= press.earlier(by: TakeSource.rateHz * 9 / 10))
  }

  @Test("a file is named by the second of its first instant", arguments: [(3_013, "000002"), (2_900, "000001")])
  func names(pressMilliseconds: Int64, name: String) throws {
    let rig = try TakeRig(hasVideo: false)
    rig.run(milliseconds: 2_000)
    rig.begin(unixNanoseconds: 1_767_225_600_000_000_000 + pressMilliseconds * 1_000_000)
    rig.run(milliseconds: 1_000)
    rig.end()
    rig.run(milliseconds: 1_000)
    #expect(rig.opened[0].path.contains("_\(name)_"))
  }
}
