import Base
import Media
import TestSupport
import Testing

@testable import Record

/// Takes of pictures that depend on earlier ones, back to a keyframe.
@Suite struct KeyframeTests {
  private func files(_ rig: TakeRig) throws -> [TakeFile] {
    try rig.opened.map { try #require(TakeFile($0.path, start: $0.start, on: rig.disk), "\($0.path) is not complete") }
  }

  @Test(
    "whenever record is pressed, each file begins with a keyframe, and no picture and no sample is missing",
    arguments: 1...40 as ClosedRange<UInt64>)
  func beginsWithKeyframe(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var habits = SourceHabits()
    habits.codec = .fwht
    habits.keyframeInterval = .random(in: 1...45, using: &generator)
    habits.delayFrames = Int.random(in: 0...400, using: &generator)
    let rig = try TakeRig(habits: habits, seed: seed) { settings in
      settings.record.split.seconds = seed % 2 == 0 ? 5 : 0
      settings.record.split.byteCount = seed % 5 == 0 ? 120_000 : 0
    }
    rig.run(milliseconds: .random(in: 3_000...6_000, using: &generator))
    let preroll = UInt64.random(in: 0...TakeSource.rateHz, using: &generator)
    let wanted = rig.source.now - preroll
    rig.begin(prerollFrames: preroll)
    rig.run(milliseconds: .random(in: 500...14_000, using: &generator))
    let end = rig.source.now
    rig.end()
    rig.run(milliseconds: 2_000)
    let files = try files(rig)
    #expect(rig.finished.count == 1 && rig.failureCount == 0 && rig.refusalCount == 0)
    let comment: Comment = "seed \(seed), a keyframe every \(habits.keyframeInterval)"
    // Longer rather than shorter, by at most a keyframe interval.
    #expect(files[0].start <= wanted, comment)
    #expect(wanted - files[0].start <= UInt64(habits.keyframeInterval + 3) * 320, comment)
    for file in files {
      let numbers = file.pictureNumbers
      #expect(file.movie?.keyframes == numbers.indices.filter { rig.source.isKeyframe(numbers[$0]) }, comment)
      if !numbers.isEmpty { #expect(rig.source.isKeyframe(numbers[0]), comment) }
      if seed % 5 == 0 { #expect(rig.disk.image[file.path]!.count <= 120_000, comment) }
    }
    expectTake(files, to: end, from: rig.source, comment)
  }

  @Test("if keyframes are rare the pre-roll begins at the next one, and the rings do not wait for it")
  func rareKeyframes() throws {
    var habits = SourceHabits()
    habits.codec = .fwht
    habits.keyframeInterval = 150
    let rig = try TakeRig(habits: habits)
    rig.run(milliseconds: 10_500)
    #expect(rig.worker.tracks.pictures.end - rig.worker.tracks.pictures.first <= 4 * 25 + 2)
    rig.begin()
    rig.run(milliseconds: 5_000)
    let end = rig.source.now
    rig.end()
    rig.run(milliseconds: 1_000)
    let file = try files(rig)[0]
    #expect(file.pictureNumbers.first == 300)
    let sound = TakeSource.sound[Int(file.start.rawValue) * 2..<Int(end.rawValue) * 2]
    #expect(file.sound == Array(sound))
  }

  @Test("no picture waits for a keyframe: less than a second is unwritten, however rare they are")
  func longIntervals() throws {
    var habits = SourceHabits()
    habits.codec = .fwht
    habits.keyframeInterval = 1_000
    let rig = try TakeRig(habits: habits)
    rig.run(milliseconds: 500)
    rig.begin()
    for _ in 0..<60 {
      rig.run(milliseconds: 100)
      let written = rig.worker.take?.writtenPosition ?? 0
      #expect(rig.source.now - written <= TakeSource.rateHz * 850 / 1000)
    }
  }

  @Test("fragments end at keyframes where there are some")
  func stretchesEndAtKeyframes() throws {
    var habits = SourceHabits()
    habits.codec = .fwht
    habits.keyframeInterval = 10
    habits.jitterFrames = 0
    let rig = try TakeRig(habits: habits)
    rig.run(milliseconds: 2_000)
    rig.begin()
    for _ in 0..<40 {
      rig.run(milliseconds: 50)
      if let picture = rig.worker.take?.nextPicture { #expect(picture.rawValue % 10 == 0) }
    }
  }

  private static let stream = Result {
    try CodedStream(.init("baseline", 64, 48, keyframeInterval: 10), pictureCount: 500)
  }

  private func rig(_ packets: [[UInt8]], hasAudio: Bool = true, splitSeconds: UInt32 = 0) throws -> TakeRig {
    var habits = SourceHabits()
    habits.codec = .h264
    habits.keyframeInterval = 10
    habits.packets = packets
    return try TakeRig(hasAudio: hasAudio, habits: habits) { $0.record.split.seconds = splitSeconds }
  }

  /// The files' pictures as decoded by ffmpeg, one file after another.
  private func digests(_ rig: TakeRig) throws -> [String] {
    let folder = try TemporaryFolder()
    return try rig.opened.flatMap { file in
      try CodedStream.digests(folder.write(rig.disk.image[file.path]!, as: "take.mov"))
    }
  }

  @Test(
    "a take of H.264 decodes to the pictures of the stream, though its parameter sets came once and long ago",
    arguments: [true, false])
  func decodes(isRepeating: Bool) throws {
    let stream = try Self.stream.get()
    let every = Set(stride(from: 0, to: 500, by: 10))
    let packets = stream.packets(
      parameterSetsIn: isRepeating ? every : [0], startCode: isRepeating ? [0, 0, 1] : [0, 0, 0, 1])
    let rig = try rig(packets, splitSeconds: 5)
    rig.run(milliseconds: 6_000)
    rig.begin()
    rig.run(milliseconds: 8_000)
    rig.end()
    rig.run(milliseconds: 1_000)
    #expect(rig.finished.count == 1 && rig.failureCount == 0 && rig.refusalCount == 0)
    #expect(rig.opened.count == 2)
    let kept = rig.source.made.filter { $0.position >= rig.opened[0].start }.map(\.number)
    let digests = try digests(rig)
    #expect(kept[0] % 10 == 0 && digests.count >= 8 * 25)
    #expect(digests == kept.prefix(digests.count).map { stream.digests[$0] })
  }

  @Test("packets without a picture are left out and reported in one line; the rest of the take decodes")
  func hostilePackets() throws {
    let stream = try Self.stream.get()
    var packets = stream.packets(parameterSetsIn: [0])
    // The last pictures before a keyframe, because no other picture needs them.
    for (index, bytes) in [(79, []), (89, [1, 2, 3]), (99, [0, 0, 0, 1]), (109, packets[109].suffix(20))] {
      packets[index] = Array(bytes)
    }
    let rig = try rig(packets)
    rig.run(milliseconds: 2_500)
    rig.begin()
    rig.run(milliseconds: 4_000)
    rig.end()
    rig.run(milliseconds: 1_000)
    #expect(rig.finished.count == 1 && rig.failureCount == 0 && rig.refusalCount == 1)
    let kept = rig.source.made.map(\.number).filter { ![79, 89, 99, 109].contains($0) }
    let first = try #require(rig.source.made.first { $0.position >= rig.opened[0].start }).number
    let digests = try digests(rig)
    #expect(digests == kept.filter { $0 >= first }.prefix(digests.count).map { stream.digests[$0] })
    #expect(digests.count >= 4 * 25)
    let file = try #require(TakeFile(rig.opened[0].path, start: rig.opened[0].start, on: rig.disk))
    #expect(file.frameCount == rig.finished[0].timelineFrames)
  }

  @Test(
    "without parameter sets a take has its sound, and pictures in a file of their own from the keyframe that has them")
  func parameterSetsComeLate() throws {
    let stream = try Self.stream.get()
    let rig = try rig(stream.packets(parameterSetsIn: [100]))
    rig.run(milliseconds: 2_000)
    rig.begin()
    rig.run(milliseconds: 5_000)
    let end = rig.source.now
    rig.end()
    rig.run(milliseconds: 1_000)
    #expect(rig.finished.count == 1 && rig.failureCount == 0 && rig.refusalCount == 1)
    let files = try files(rig)
    #expect(files.count == 2 && files[0].movie?.pictures.count == 0)
    let sound = TakeSource.sound[Int(files[0].start.rawValue) * 2..<Int(end.rawValue) * 2]
    #expect(files.flatMap(\.sound) == Array(sound))
    let folder = try TemporaryFolder()
    let digests = try CodedStream.digests(folder.write(rig.disk.image[files[1].path]!, as: "take.mov"))
    let first = try #require(rig.source.made.first { $0.position >= files[1].start }).number
    #expect(first % 10 == 0 && first >= 90 && digests.count > 50)
    #expect(digests == Array(stream.digests[first..<first + digests.count]))
  }

  @Test("without parameter sets and without a microphone the take fails with its reason, and leaves no file")
  func nothingToRecord() throws {
    let rig = try rig(try Self.stream.get().packets(parameterSetsIn: []), hasAudio: false)
    rig.run(milliseconds: 2_000)
    rig.begin()
    rig.run(milliseconds: 8_000)
    #expect(rig.failureCount == 1 && rig.opened.isEmpty)
    #expect(rig.disk.image.names.keys.filter { $0.hasSuffix(".mov") }.isEmpty)
    rig.run(milliseconds: 500)
    #expect(rig.failureCount == 1)
  }
}
