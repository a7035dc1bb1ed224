import Base
import Machine
import Media
import TestSupport
import Testing

@testable import Record

/// Takes that were left open and were damaged before the next boot.
@Suite struct DamageTests {
  /// A take that a power cut left open after 6 s.
  private struct OpenFile {
    var image: DiskImage
    var path: String
    var content: [UInt8]
    var fragments: [RecordedFragment]
    var fileHeader: Range<Int> { 0..<fragments[0].range.lowerBound }
  }

  private func openFile() throws -> OpenFile {
    let rig = try TakeRig()
    rig.run(milliseconds: 1_200)
    rig.begin()
    rig.run(milliseconds: 6_000)
    let path = rig.opened[0].path
    let content = try #require(rig.disk.image[path])
    return OpenFile(
      image: rig.disk.image, path: path, content: content, fragments: RecordedFragment.all(of: content))
  }

  /// The disk after a boot that found `content` in place of the take.
  private func boot(_ file: OpenFile, _ content: [UInt8]) throws -> TakeRig {
    let disk = MemoryDisk(file.image)
    var storage = Storage(MemoryStorage(disk))
    try unsafe storage.replace(FixedText(file.path), with: content.span.bytes)
    let rig = try TakeRig(disk, ringSeconds: 1)
    rig.work()
    return rig
  }

  /// Between one and three structural damages.
  private func damage(_ file: OpenFile, using generator: inout SeededGenerator) -> [UInt8] {
    var content = file.content
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      let headers = [file.fileHeader] + file.fragments.map(\.header)
      let header = headers[Int.random(in: 0..<headers.count, using: &generator)]
      switch Int.random(in: 0..<4, using: &generator) {
      case 0:
        let sector = Int.random(in: 0..<content.count / 512, using: &generator) * 512
        content.replaceSubrange(sector..<sector + 512, with: [UInt8](repeating: 0, count: 512))
      case 1:
        let offset = min(Int.random(in: header, using: &generator), content.count - 1)
        content[offset] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      case 2:
        // A size: of the `moov`, of a `moof`, or of its `mdat`.
        let starts = [40, header.lowerBound, header.upperBound - 8]
        let start = min(starts[Int.random(in: 0..<3, using: &generator)], content.count - 4)
        for index in 0..<4 { content[start + index] = .random(in: 0...255, using: &generator) }
      default: content.removeLast(Int.random(in: 1...content.count / 8, using: &generator))
      }
    }
    return content
  }

  @Test("whatever is damaged in a take left open, the boot loses nothing else and deletes no file with content")
  func everyDamage() throws {
    let file = try openFile()
    #expect(file.fragments.count > 10)
    var mendedCount = 0
    for seed in 0..<500 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let damaged = damage(file, using: &generator)
      let rig = try boot(file, damaged)
      guard damaged.count > MovieLimits.headerByteCount else { continue }
      guard let content = rig.disk.image[file.path] else {
        Issue.record("\(damaged.count) bytes were deleted, seed \(seed)")
        continue
      }
      let condition = try #require(rig.repaired.first).condition
      if content == damaged {
        #expect(condition == .unreadable, "seed \(seed)")
        continue
      }
      let movie = try #require(FinishedMovie(content), "neither complete nor as it was, seed \(seed)")
      expect(movie, file, damaged, "seed \(seed)")
      #expect(condition == .damaged || !isMissing(movie, file, damaged), "called complete, seed \(seed)")
      mendedCount += 1
    }
    #expect(mendedCount > 250)
  }

  private func isWhole(_ fragment: RecordedFragment, _ file: OpenFile, _ damaged: [UInt8]) -> Bool {
    fragment.range.upperBound <= damaged.count && damaged[fragment.range] == file.content[fragment.range]
  }

  /// Whether a fragment is missing from the movie although a later one is undamaged.
  private func isMissing(_ movie: FinishedMovie, _ file: OpenFile, _ damaged: [UInt8]) -> Bool {
    let lastWhole = file.fragments.lastIndex { isWhole($0, file, damaged) } ?? 0
    return movie.pictures.count < file.fragments[...lastWhole].reduce(0) { $0 + $1.pictures.count }
  }

  /// Expects that every undamaged fragment is in the movie, in order.
  private func expect(_ movie: FinishedMovie, _ file: OpenFile, _ damaged: [UInt8], _ comment: Comment) {
    let whole = file.fragments.filter { isWhole($0, file, damaged) }
    var pictures = movie.pictures[...]
    var sound = movie.audio[...]
    for fragment in whole {
      guard let picture = pictures.firstIndex(of: fragment.pictures[0]),
        let start = sound.firstRange(of: fragment.sound.prefix(64))?.lowerBound
      else {
        Issue.record("the fragment at \(fragment.range.lowerBound) was lost, \(comment)")
        return
      }
      pictures = pictures[picture...]
      sound = sound[start...]
      let isThere = pictures.starts(with: fragment.pictures) && sound.starts(with: fragment.sound)
      #expect(isThere, comment)
      pictures = pictures.dropFirst(fragment.pictures.count)
      sound = sound.dropFirst(fragment.sound.count)
    }
  }

  /// Damages the growing take before it is stopped.
  private func stop(
    writing bytes: [UInt8], at place: (RecordedFragment) -> Int
  ) throws -> (TakeSummary, [UInt8], before: [UInt8]) {
    let rig = try TakeRig()
    rig.run(milliseconds: 1_200)
    rig.begin()
    rig.run(milliseconds: 4_000)
    let path = rig.opened[0].path
    let fragment = RecordedFragment.all(of: try #require(rig.disk.image[path]))[3]
    var storage = Storage(MemoryStorage(rig.disk))
    var take = try storage.open(FixedText(path))
    try unsafe take.write(bytes.span.bytes, at: UInt64(place(fragment)))
    let before = try #require(rig.disk.image[path])
    rig.end()
    rig.run(milliseconds: 1_000)
    #expect(rig.finished.count == 1)
    return (try #require(rig.finished.first), try #require(rig.disk.image[path]), before)
  }

  @Test("a take of which a fragment cannot be read at its end is not called complete, and keeps all others")
  func damagedWhileGrowing() throws {
    let (summary, content, before) = try stop(writing: [UInt8](repeating: 0, count: 64)) { $0.header.lowerBound }
    #expect(summary.condition == .damaged)
    let movie = try #require(FinishedMovie(content))
    #expect(movie.pictures.count < Int(summary.videoFrameCount))
    #expect(movie.pictures.count >= Int(summary.videoFrameCount) - 13)
    #expect(content.count > before.count)
  }

  @Test("a take whose sound is longer at its end than what was recorded is not called complete")
  func wrongTime() throws {
    let (summary, _, _) = try stop(writing: [1]) { fragment in
      // The second `traf`; its start time has 64 bits, and the byte counts 65,536 ticks.
      let traf = fragment.header.lowerBound + 24 + 64 + fragment.pictures.count * 8
      return traf + 36 + 5
    }
    #expect(summary.condition == .damaged)
  }

  @Test("a take of which the beginning cannot be read at its end is not deleted")
  func headerLostWhileGrowing() throws {
    let (summary, content, before) = try stop(writing: [UInt8](repeating: 0, count: 512)) { _ in 0 }
    #expect(summary.condition == .unreadable)
    let isKept = content.starts(with: before)
    #expect(isKept)
  }

  @Test(
    "a file of sound whose beginning a card has lost gets a new header, and keeps all sound behind it",
    arguments: [AudioContainer.aiff, .caf, .wav])
  func lostHeader(container: AudioContainer) throws {
    let rig = try TakeRig(hasVideo: false) { $0.record.audioContainer = container }
    rig.run(milliseconds: 1_200)
    rig.begin()
    rig.run(milliseconds: 6_000)
    let path = rig.opened[0].path
    let content = try #require(rig.disk.image[path])
    var generator = SeededGenerator(seed: 1)
    for garbage in [0, 0xff, nil] as [UInt8?] {
      let lost = (0..<4096).map { _ in garbage ?? .random(in: 0...255, using: &generator) }
      let file = OpenFile(image: rig.disk.image, path: path, content: content, fragments: [])
      let again = try boot(file, lost + content[4096...])
      #expect(again.repaired.map(\.condition) == [.damaged])
      let mended = try #require(again.disk.image[path])
      #expect(mended[4096..<content.count] == content[4096...])
      let folder = try TemporaryFolder()
      let samples = try ForeignProgram.decodeSamples(try folder.write(mended, as: "mended.\(container)"))
      let recorded = try ForeignProgram.decodeSamples(try folder.write(content, as: "take.\(container)"))
      #expect(samples.count == recorded.count)
      #expect(samples.dropFirst(3072 / 2) == recorded.dropFirst(3072 / 2))
    }
  }

  @Test("the journal knows how much of a take was flushed, and repair takes what is missing of that for damage")
  func confirmedLength() throws {
    let rig = try TakeRig()
    rig.run(milliseconds: 1_200)
    rig.begin()
    rig.run(milliseconds: 4_000)
    rig.send(.keep(.automatic))
    rig.work()
    let path = rig.opened[0].path
    let content = try #require(rig.disk.image[path])
    var storage = Storage(MemoryStorage(rig.disk))
    #expect(try TakeJournal(from: &storage).confirmed(of: FixedText(path)) == .atLeast(UInt64(content.count)))
    var take = try storage.open(FixedText(path))
    let last = try #require(RecordedFragment.all(of: content).last)
    try take.truncate(to: UInt64(last.range.lowerBound))
    let again = try TakeRig(MemoryDisk(rig.disk.image), ringSeconds: 1)
    again.work()
    #expect(again.repaired.map(\.condition) == [.damaged])
  }
}
