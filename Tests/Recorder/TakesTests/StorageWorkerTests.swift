import Base
import Machine
import Media
import TestSupport
import Testing

@testable import Record

/// The worker with a working card.
@Suite struct StorageWorkerTests {
  /// The files of a rig, which are split where takes end.
  private func files(_ rig: TakeRig) throws -> [TakeFile] {
    try rig.opened.map { try #require(TakeFile($0.path, start: $0.start, on: rig.disk), "\($0.path) is not complete") }
  }

  @Test("every picture and every sample is in the take exactly once", arguments: 1...60 as ClosedRange<UInt64>)
  func isExact(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var habits = SourceHabits()
    habits.delayFrames = Int.random(in: 0...(seed % 3 == 0 ? 4_000 : 400), using: &generator)
    habits.missingPermille = Int.random(in: 0...100, using: &generator)
    habits.pausePermille = seed % 2 == 0 ? 20 : 0
    let rig = try TakeRig(habits: habits, seed: seed) { settings in
      settings.record.fragmentMilliseconds = .random(in: 200...1000, using: &generator)
      settings.record.split.seconds = seed % 4 == 0 ? 5 : 0
    }
    rig.run(milliseconds: .random(in: 0...3_000, using: &generator))
    rig.begin(prerollFrames: .random(in: 0...TakeSource.rateHz, using: &generator))
    // The worker is held up for up to the length of the rings.
    for _ in 0..<Int.random(in: 1...6, using: &generator) {
      rig.source.advance(milliseconds: .random(in: 10...10_000, using: &generator))
      rig.run(milliseconds: .random(in: 50...2_000, using: &generator))
    }
    let end = rig.source.now
    rig.end()
    rig.run(milliseconds: 2_000)
    #expect(rig.finished.count == 1 && rig.failureCount == 0)
    expectTake(try files(rig), to: end, from: rig.source, "seed \(seed)")
  }

  @Test("the stall may come in the middle of any call to the card", arguments: 1...20 as ClosedRange<UInt64>)
  func stallsInsideCalls(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let rig = try TakeRig(seed: seed)
    rig.run(milliseconds: 1_500)
    rig.disk.beforeCall = { [source = rig.source] in
      if Int.random(in: 0..<150, using: &generator) == 0 {
        source.advance(milliseconds: .random(in: 10...1_500, using: &generator))
      }
    }
    rig.begin()
    rig.run(milliseconds: 5_000)
    let end = rig.source.now
    rig.end()
    rig.run(milliseconds: 1_000)
    expectTake(try files(rig), to: end, from: rig.source, "seed \(seed)")
  }

  @Test("without a camera each kind of file holds every sample", arguments: [AudioContainer.aiff, .caf, .flac, .wav])
  func soundOnly(container: AudioContainer) throws {
    let rig = try TakeRig(hasVideo: false) { $0.record.audioContainer = container }
    rig.run(milliseconds: 1_000)
    rig.begin()
    rig.run(milliseconds: 3_330)
    let end = rig.source.now
    rig.end()
    rig.run(milliseconds: 500)
    expectTake(try files(rig), to: end, from: rig.source, "\(container)")
    let folder = try TemporaryFolder()
    let path = try folder.write(rig.disk.image[rig.opened[0].path]!, as: "take.\(container)")
    #expect(try ForeignProgram.decodeSamples(path).count == Int(end - rig.opened[0].start))
  }

  @Test("the folders of a new file are flushed up to the data folder before the take goes on")
  func flushesFolders() throws {
    let rig = try TakeRig()
    rig.run(milliseconds: 1_200)
    rig.record(milliseconds: 1_000)
    let flushed = rig.disk.operations.compactMap { operation in
      if case .synchroniseFolder(let path) = operation { path } else { nil }
    }
    // The pre-roll begins in the year before the press.
    #expect(flushed == ["video/20251231", "video", ""])
  }

  @Test("without a microphone the movie holds every picture, also where the camera pauses")
  func picturesOnly() throws {
    var habits = SourceHabits()
    habits.pausePermille = 50
    let rig = try TakeRig(hasAudio: false, habits: habits, seed: 5)
    rig.run(milliseconds: 2_000)
    let start = rig.source.now
    rig.begin()
    rig.run(milliseconds: 20_000)
    let end = rig.source.now
    rig.end()
    rig.run(milliseconds: 1_000)
    #expect(rig.opened[0].start <= start)
    expectTake(try files(rig), to: end, from: rig.source, "pictures only")
  }

  @Test("a camera that starts late, or stops, does not delay the sound")
  func cameraStartsLate() throws {
    var habits = SourceHabits()
    habits.firstPicture = 100
    let rig = try TakeRig(habits: habits)
    rig.run(milliseconds: 2_000)
    rig.begin()
    rig.run(milliseconds: 6_000)
    let written = rig.worker.take?.writtenPosition ?? 0
    #expect(rig.source.now - written <= TakeSource.rateHz * (500 + 250 + 50 + 50) / 1000)
    let end = rig.source.now
    rig.end()
    rig.run(milliseconds: 1_000)
    expectTake(try files(rig), to: end, from: rig.source, "late camera")
  }

  @Test("a take that ends before its first picture keeps its sound")
  func endsBeforeTheFirstPicture() throws {
    var habits = SourceHabits()
    habits.firstPicture = 1_000
    let rig = try TakeRig(habits: habits)
    rig.run(milliseconds: 1_200)
    rig.begin()
    rig.run(milliseconds: 100)
    let end = rig.source.now
    rig.end()
    rig.run(milliseconds: 1_000)
    #expect(rig.finished.count == 1)
    expectTake(try files(rig), to: end, from: rig.source, "no picture")
  }

  @Test("the next take may begin before the last one's end was handled, and include it in its pre-roll")
  func beginsBehindAnEnd() throws {
    let rig = try TakeRig()
    rig.run(milliseconds: 2_000)
    var ends: [TimelinePosition] = []
    for _ in 0..<4 {
      rig.begin()
      rig.source.advance(milliseconds: 700)
      rig.end()
      ends.append(rig.source.now)
    }
    rig.run(milliseconds: 2_000)
    let files = try files(rig)
    #expect(files.count == 4 && rig.finished.count == 4)
    for (file, end) in zip(files, ends) { expectTake([file], to: end, from: rig.source, "to \(end)") }
  }

  @Test("a take of no length leaves no file, and is reported as finished")
  func noLength() throws {
    for hasVideo in [true, false] {
      let rig = try TakeRig(hasVideo: hasVideo)
      rig.run(milliseconds: 2_000)
      rig.begin(prerollFrames: 0)
      rig.end()
      rig.run(milliseconds: 2_000)
      #expect(rig.finished.map(\.byteCount) == [0])
      #expect(rig.disk.image.names.keys.sorted() == ["state"])
      rig.record(milliseconds: 1_000)
      #expect(rig.finished.last!.byteCount > 0)
    }
  }

  @Test("an end after a failure, two ends, and disarming at once have no bad effect")
  func oddOrders() throws {
    let rig = try TakeRig()
    rig.end()
    rig.send(.disarm)
    rig.run(milliseconds: 500)
    rig.record(milliseconds: 600)
    rig.end()
    rig.end()
    rig.run(milliseconds: 500)
    rig.begin()
    rig.run(milliseconds: 600)
    rig.end()
    rig.send(.disarm)
    rig.run(milliseconds: 2_000)
    #expect(rig.finished.count == 2 && rig.failureCount == 0 && rig.disarmedCount == 2)
  }

  @Test("a take ends at the press, however many rotations are to be served before")
  func endsAmongRotations() throws {
    let rig = try TakeRig()
    rig.run(milliseconds: 1_500)
    rig.begin()
    rig.run(milliseconds: 2_000)
    for orientation in [Orientation.landscapeLeft, .portrait, .landscapeRight, .portrait] {
      rig.send(.turn(TakeTurn(position: rig.source.now, orientation: orientation)))
    }
    let end = rig.source.now
    rig.end()
    rig.run(milliseconds: 3_000)
    #expect(rig.finished.count == 1)
    // A file that begins at the press is empty, and is removed.
    let files = rig.opened.compactMap { TakeFile($0.path, start: $0.start, on: rig.disk) }
    let last = try #require(files.last)
    let takeEnd = last.start + last.frameCount
    // The first rotation may be handled before the end is noticed, along with the picture after it.
    #expect(takeEnd < end + 320)
    expectTake(files, to: takeEnd, from: rig.source, "rotated")
  }

  @Test("a take of many files has neither gap nor overlap, when split by size and by length")
  func splitsBySize() throws {
    let rig = try TakeRig { $0.record.split.byteCount = 60_000 }
    rig.run(milliseconds: 1_000)
    rig.begin()
    rig.run(milliseconds: 15_000)
    let end = rig.source.now
    rig.end()
    rig.run(milliseconds: 1_000)
    let files = try files(rig)
    #expect(files.count >= 4)
    for file in files { #expect(rig.disk.image[file.path]!.count <= 60_000) }
    expectTake(files, to: end, from: rig.source, "split")
  }

  @Test(
    "the time reference of each WAV is that of the one before and its frames, also over midnight and by another clock",
    arguments: [0, 7_203_456_789_012, -86_400_999_999_999])
  func joinsTimeReferences(shiftNanoseconds: Int64) throws {
    let rig = try TakeRig(hasVideo: false) {
      $0.record.split.byteCount = 60_000
      $0.record.fragmentMilliseconds = 700
    }
    // 23:59:58.777777777: the take passes midnight.
    try expectJoinedTimeReferences(rig, press: 1_767_225_598_777_777_777, shift: shiftNanoseconds)
  }

  @Test(
    "the time references of a take join however it is split, at whatever instant it begins",
    arguments: 0..<UInt64(Cases.count(8, of: 400)))
  func joinsTimeReferences(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let fragment = UInt32.random(in: 200...1_000, using: &random)
    let byteCount = UInt64.random(in: 30_000...70_000, using: &random)
    let seconds = UInt32.random(in: 2...4, using: &random)
    let isByTime = Bool.random(using: &random)
    let rig = try TakeRig(hasVideo: false, seed: seed) {
      $0.record.fragmentMilliseconds = fragment
      if isByTime { $0.record.split.seconds = seconds } else { $0.record.split.byteCount = byteCount }
    }
    let day: Int64 = 86_400_000_000_000
    try expectJoinedTimeReferences(
      rig, press: 1_767_225_600_000_000_000 + Int64.random(in: 0...day, using: &random),
      shift: Bool.random(using: &random) ? 0 : Int64.random(in: -20 * day...20 * day, using: &random))
  }

  /// In nanoseconds: the time of the press, and by how much the clock is set afterwards.
  private func expectJoinedTimeReferences(
    _ rig: TakeRig, press pressNanoseconds: Int64, shift shiftNanoseconds: Int64
  ) throws {
    rig.run(milliseconds: 1_000)
    rig.begin(unixNanoseconds: pressNanoseconds)
    rig.run(milliseconds: 9_000)
    rig.end()
    rig.run(milliseconds: 1_000)
    if shiftNanoseconds != 0 {
      rig.send(.date(unixOffsetNanoseconds: shiftNanoseconds))
      rig.run(milliseconds: 1_000)
    }
    let files = rig.disk.image.names.keys.filter { $0.hasSuffix(".wav") }.sorted()
    let all = try files.map { try BroadcastWave(#require(rig.disk.image[$0])) }
    #expect(all.allSatisfy { $0.isMirrored })
    #expect(all.count >= 3)
    let rate = Int64(TakeSource.rateHz)
    let pressFrames = pressNanoseconds / 1_000_000_000 * rate + pressNanoseconds % 1_000_000_000 * rate / 1_000_000_000
    let shiftFrames = shiftNanoseconds / 1_000_000_000 * rate + shiftNanoseconds % 1_000_000_000 * rate / 1_000_000_000
    var expected = pressFrames - rate + shiftFrames
    for (file, name) in zip(all, files) {
      #expect(file.timeReference == expected % (86_400 * rate), "\(name), \(file.date)")
      expected += file.frameCount
    }
  }

  @Test("the timecode in a take's ledger is its time reference, and stays that when the date is corrected")
  func keepsTimecode() throws {
    let rig = try TakeRig(hasVideo: false)
    rig.run(milliseconds: 1_000)
    rig.begin(unixNanoseconds: 1_767_225_600_000_000_000)
    rig.note("timecode: 10:00:00:12 at 25, 5 samples into the frame")
    rig.run(milliseconds: 3_000)
    rig.end()
    rig.run(milliseconds: 1_000)
    let rate = Int64(TakeSource.rateHz)
    // The pre-roll is a second.
    let expected = 35_999 * rate + rate * 12 / 25 + 5
    for shift in [0, 86_400_000_000_000] as [Int64] {
      if shift != 0 {
        rig.send(.date(unixOffsetNanoseconds: shift))
        rig.run(milliseconds: 1_000)
      }
      let path = try #require(rig.disk.image.names.keys.first { $0.hasSuffix(".wav") })
      let bytes = try #require(rig.disk.image[path])
      let file = try BroadcastWave(bytes)
      #expect(file.timeReference == expected, "\(file.date)")
      #expect(file.date == (shift == 0 ? "2025-12-3123:59:59" : "2026-01-0123:59:59"))
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(text.contains("_MIDNIGHT_LO>\(expected)<") && text.contains("<TIMECODE_RATE>25/1<"))
    }
  }

  @Test("without a pre-roll the sound begins at the press, and the first picture stands until the second one's instant")
  func beginsAtThePress() throws {
    let rig = try TakeRig { $0.record.prerollSeconds = 0 }
    rig.run(milliseconds: 1_000)
    rig.source.advance(milliseconds: 10)
    let press = rig.source.now
    rig.begin(prerollFrames: 0)
    rig.run(milliseconds: 2_000)
    let end = rig.source.now
    rig.end()
    rig.run(milliseconds: 1_000)
    let files = try files(rig)
    #expect(files.first?.start == press)
    #expect(rig.source.made.first { $0.position >= press }?.position != press)
    expectTake(files, to: end, from: rig.source, "without a pre-roll")
  }

  @Test(
    "with a pre-roll, too, the sound begins at the wanted start, however late the first picture is",
    arguments: [0, 100])
  func beginsWithThePreroll(firstPicture: Int) throws {
    var habits = SourceHabits()
    habits.firstPicture = firstPicture
    let rig = try TakeRig(habits: habits)
    rig.run(milliseconds: 3_500)
    rig.source.advance(milliseconds: 10)
    let start = rig.source.now.earlier(by: TakeSource.rateHz)
    rig.begin()
    rig.run(milliseconds: 3_000)
    let end = rig.source.now
    rig.end()
    rig.run(milliseconds: 1_000)
    let files = try files(rig)
    #expect(files.first?.start == start)
    expectTake(files, to: end, from: rig.source, "with a pre-roll")
  }

  @Test("a number in use is skipped: a journal may be lost")
  func passesOverNumbersInUse() throws {
    let disk = MemoryDisk()
    for _ in 0..<3 {
      let rig = try TakeRig(disk)
      rig.run(milliseconds: 1_200)
      rig.record(milliseconds: 300)
      #expect(rig.finished.count == 1 && rig.failureCount == 0)
      var storage = Storage(MemoryStorage(disk))
      try storage.remove("state")
    }
    #expect(disk.image.names.keys.filter { $0.hasSuffix(".mov") }.count == 3)
  }

  @Test("ffprobe opens a finished take with its rotation and length")
  func opensElsewhere() throws {
    let rig = try TakeRig()
    rig.run(milliseconds: 1_500)
    rig.record(milliseconds: 2_000)
    let folder = try TemporaryFolder()
    let path = try folder.write(rig.disk.image[rig.opened[0].path]!, as: "take.mov")
    let frames = try ForeignProgram.probe(path, stream: "v:0", entry: "nb_frames").prefix { $0.isNumber }
    #expect(Int(frames) == (try files(rig))[0].pictureNumbers.count)
    let duration = try ForeignProgram.probe(path, stream: "a:0", entry: "duration_ts").prefix { $0.isNumber }
    #expect(UInt64(duration) == rig.finished[0].timelineFrames)
  }
}

/// The start and length stated by a WAV of two bytes a frame.
private struct BroadcastWave {
  let date: String
  let timeReference: Int64
  let frameCount: Int64
  /// Whether iXML and GUANO say the same.
  let isMirrored: Bool

  init(_ bytes: [UInt8]) throws {
    func chunk(_ name: String) throws -> ArraySlice<UInt8> {
      var place = 12
      while place + 8 <= bytes.count {
        let count = bytes[place + 4..<place + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
        if bytes[place..<place + 4].elementsEqual(name.utf8) { return bytes[(place + 8)...].prefix(count) }
        place += 8 + count + count % 2
      }
      throw NothingThere()
    }
    // EBU Tech 3285, 2.3.
    let broadcast = try chunk("bext").dropFirst(256 + 32 + 32)
    date = String(decoding: broadcast.prefix(18), as: UTF8.self)
    timeReference = broadcast.dropFirst(18).prefix(8).reversed().reduce(0) { $0 << 8 | Int64($1) }
    frameCount = Int64(try chunk("data").count / 2)
    let xml = String(decoding: try chunk("iXML"), as: UTF8.self)
    let guano = String(decoding: try chunk("guan"), as: UTF8.self)
    isMirrored =
      xml.contains("_TIME_REFERENCE_LOW>\(timeReference)<") && xml.contains("_MIDNIGHT_LO>\(timeReference)<")
      && xml.contains("<BWF_ORIGINATION_DATE>\(date.prefix(10))<")
      && guano.contains("Timestamp: \(date.prefix(10))T\(date.suffix(8)).")
  }
}
