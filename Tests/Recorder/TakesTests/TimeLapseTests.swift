import Base
import Media
import TestSupport
import Testing

@testable import Record

/// Takes of pictures at an interval.
@Suite struct TimeLapseTests {
  private func rig(
    every seconds: UInt32, splitSeconds: UInt32 = 0, habits: SourceHabits = SourceHabits(), seed: UInt64 = 1
  ) throws -> TakeRig {
    try TakeRig(habits: habits, seed: seed) {
      $0.record.intervalSeconds = Double(seconds)
      $0.record.split.seconds = splitSeconds
    }
  }

  /// The numbers of the pictures that a file should have.
  private func due(_ rig: TakeRig, from start: TimelinePosition, to end: TimelinePosition, every seconds: UInt64)
    -> [Int]
  {
    let made = rig.source.made.filter { $0.position >= start && $0.position < end }
    var numbers: [Int] = []
    var next = start
    for picture in made where picture.position >= next {
      numbers.append(picture.number)
      next += seconds * TakeSource.rateHz
    }
    return numbers
  }

  @Test("a hundred pictures ten seconds apart are a film of four seconds without sound")
  func isFilm() throws {
    let rig = try rig(every: 10)
    rig.run(milliseconds: 1_500)
    rig.begin(prerollFrames: 0)
    rig.run(milliseconds: 995_000)
    let end = rig.source.now
    rig.end()
    rig.run(milliseconds: 1_000)
    #expect(rig.finished.count == 1 && rig.failureCount == 0)
    let file = try #require(TakeFile(rig.opened[0].path, start: rig.opened[0].start, on: rig.disk))
    #expect(file.pictureNumbers.count == 100 && file.sound.isEmpty)
    #expect(file.pictureNumbers == due(rig, from: file.start, to: end, every: 10))
    let content = try #require(rig.disk.image[file.path])
    let ledger = ledgerLines(content)
    #expect(ledger.contains { $0.hasSuffix("time lapse: a picture every 10 s, played at 25 a second") }, "\(ledger)")
    #expect(ledger.contains { $0.hasSuffix("time lapse: picture 100") }, "\(ledger)")
    let folder = try TemporaryFolder()
    let path = try folder.write(content, as: "take.mov")
    #expect(try ForeignProgram.probe(path, stream: "v:0", entry: "nb_frames").hasPrefix("100"))
    #expect(try ForeignProgram.probe(path, stream: "v:0", entry: "avg_frame_rate").hasPrefix("25/1"))
    #expect(try ForeignProgram.probe(path, stream: "v:0", entry: "duration").hasPrefix("4.0"))
  }

  @Test("whatever the camera does, each file begins with a picture and has those that were due", arguments: 1...20)
  func hasDuePictures(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    var habits = SourceHabits()
    habits.delayFrames = Int.random(in: 0...400, using: &generator)
    habits.missingPermille = Int.random(in: 0...100, using: &generator)
    let rig = try rig(every: 2, splitSeconds: seed % 2 == 0 ? 7 : 0, habits: habits, seed: UInt64(seed))
    rig.run(milliseconds: 1_500)
    rig.begin(prerollFrames: 4_000)
    rig.run(milliseconds: 20_000)
    let end = rig.source.now
    rig.end()
    rig.run(milliseconds: 1_000)
    #expect(rig.finished.count == 1 && rig.failureCount == 0)
    for (index, opened) in rig.opened.enumerated() {
      let file = try #require(TakeFile(opened.path, start: opened.start, on: rig.disk))
      let next = index + 1 < rig.opened.count ? rig.opened[index + 1].start : end
      let wanted = due(rig, from: opened.start, to: next, every: 2)
      // A late picture moves none of those that follow.
      #expect(
        abs(file.pictureNumbers.count - wanted.count) <= 1 && file.pictureNumbers.first == wanted.first, "\(seed)")
    }
  }

  @Test("of pictures that depend on others it has only keyframes")
  func hasKeyframes() throws {
    var habits = SourceHabits()
    habits.codec = .fwht
    habits.keyframeInterval = 20
    let rig = try rig(every: 3, habits: habits)
    rig.run(milliseconds: 3_000)
    rig.begin()
    rig.run(milliseconds: 30_000)
    rig.end()
    rig.run(milliseconds: 1_000)
    let file = try #require(TakeFile(rig.opened[0].path, start: rig.opened[0].start, on: rig.disk))
    let numbers = file.pictureNumbers
    #expect((10...11).contains(numbers.count) && numbers.allSatisfy { rig.source.isKeyframe($0) }, "\(numbers)")
    #expect(file.movie?.keyframes.map { $0 == Array(numbers.indices) } ?? true)
  }

  @Test("a power cut at any time keeps every picture but the last second's")
  func survivesCuts() throws {
    let rig = try rig(every: 1)
    var moments: [(operationCount: Int, now: TimelinePosition)] = []
    rig.disk.beforeCall = { [disk = rig.disk, source = rig.source] in
      moments.append((disk.operations.count, source.now))
    }
    rig.run(milliseconds: 1_500)
    rig.begin(prerollFrames: 0)
    rig.run(milliseconds: 8_000)
    rig.disk.beforeCall = {}
    let start = try #require(rig.opened.first).start
    let path = rig.opened[0].path
    let operations = rig.disk.operations
    for operationCount in stride(from: 0, through: operations.count, by: 3) {
      var generator: SeededGenerator? = nil
      let image = DiskImage.afterCut(operations, at: operationCount, using: &generator)
      let now = moments.last { $0.operationCount <= operationCount }?.now ?? 0
      let again = try TakeRig(MemoryDisk(image))
      again.run(milliseconds: 500)
      let expected = Int(now.distance(since: start) / TakeSource.rateHz)
      let count = TakeFile(path, start: start, on: again.disk)?.pictureNumbers.count ?? 0
      #expect(count >= expected, "\(count) pictures after operation \(operationCount), \(expected) were due before")
    }
  }
}
