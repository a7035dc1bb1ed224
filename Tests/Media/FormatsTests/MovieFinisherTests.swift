import Base
import Foundation
import TestSupport
import Testing

@testable import Media

/// The finisher's outcomes, and its handling of times.
@Suite struct MovieFinisherTests {
  private let mono = AudioFormat(sampleRateHz: 8_000, channelCount: 1, sampleFormat: .int16)

  @Test("a finished movie is left as it is")
  func idempotent() {
    var file = MemoryFile(content: MovieTake(audio: mono).finished())
    let before = file.content
    #expect(finish(&file) == .alreadyFinished)
    #expect(file.operations.isEmpty)
    #expect(file.content == before)
  }

  @Test("a movie whose first fragment is not whole is empty", arguments: [0, 1, 7, 20, 24, 30, 40, 500])
  func empty(keptByteCount: Int) {
    let take = MovieTake(audio: mono)
    var file = MemoryFile(content: Array(take.recorded().prefix(keptByteCount)))
    #expect(finish(&file) == .empty)
    #expect(file.operations.isEmpty)
  }

  @Test("a movie that ends with its header is empty")
  func emptyBehindHeader() {
    let take = MovieTake(audio: mono, fragmentCount: 0)
    var file = MemoryFile(content: take.recorded())
    #expect(finish(&file) == .empty)
    #expect(file.operations.isEmpty)
  }

  @Test("a file of another kind is left as it is")
  func foreign() throws {
    var wav = MemoryFile(content: Array("RIFF\u{24}\0\0\0WAVEfmt \u{10}\0\0\0".utf8))
    #expect(finish(&wav) == .foreign)
    #expect(wav.operations.isEmpty)
    let folder = try TemporaryFolder()
    let path = folder.path(of: "other.mov")
    try ForeignProgram.run("ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "testsrc", "-t", "1", "-c:v", "mjpeg", path])
    var movie = try DiskFile(path: path)
    let before = movie.byteCount
    #expect(try finish(&movie) == .foreign)
    #expect(movie.byteCount == before)
  }

  @Test("random damage never makes the finisher fall or run on", arguments: 0..<8)
  func damage(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let whole = MovieTake(audio: mono).recorded()
    for _ in 0..<40 {
      var content = whole
      for _ in 0..<Int.random(in: 1...20, using: &generator) {
        let isInHeaders = Bool.random(using: &generator)
        let offset = Int.random(in: 0..<(isInHeaders ? 2_500 : content.count), using: &generator)
        content[offset] = UInt8.random(in: 0...255, using: &generator)
      }
      var file = MemoryFile(content: content)
      #expect(finish(&file) != .working)
    }
  }

  @Test(
    "a fragment that starts later or earlier than forecast leaves no drift behind", arguments: [-1_000, -1, 0, 7, 300])
  func noDrift(shiftTicks: Int) throws {
    var take = MovieTake(audio: mono, fragmentCount: 3)
    let planned = take.pictureTicks
    let shifted = UInt64(Int(take.fragments[1].fragment.videoStartTicks) + shiftTicks)
    take.fragments[1].fragment.videoStartTicks = shifted
    let movie = try #require(FinishedMovie(take.finished()))
    #expect(Array(movie.pictureTicks[..<5]) == Array(planned[..<5]))
    #expect(movie.pictureTicks[5] == max(shifted, planned[4] + 1))
    #expect(Array(movie.pictureTicks[10...]) == Array(planned[10...]))
  }

  @Test("a file cut off anywhere keeps the fragments that lie wholly before")
  func shortened() throws {
    let take = MovieTake(audio: mono)
    let recorded = take.recorded()
    let ends = take.places.dropFirst().map { Int($0.start) } + [recorded.count]
    for end in ends.flatMap({ [$0 - 1, $0, $0 + 1] }) where end <= recorded.count {
      var file = MemoryFile(content: Array(recorded.prefix(end)))
      let wholeCount = ends.filter { $0 <= end }.count
      #expect(finish(&file) == (wholeCount > 0 ? .finished : .empty))
      let pictures = FinishedMovie(file.content)?.pictures ?? []
      #expect(pictures == take.fragments.prefix(wholeCount).flatMap(\.pictures))
    }
  }

  @Test("fragments without pictures or without audio leave their track's samples where they belong")
  func missingParts() throws {
    var take = MovieTake(audio: mono, fragmentCount: 4)
    take.fragments[1].pictures = []
    take.fragments[1].samples = []
    let movie = try #require(FinishedMovie(take.finished()))
    #expect(movie.pictures == take.pictures)
    #expect(movie.pictureTicks == Array(take.pictureTicks[..<5]) + Array(take.pictureTicks[10...]))
    #expect(movie.audio == take.audio)
  }

  @Test("a file on a disk is finished the same as one in memory")
  func onDisk() throws {
    let take = MovieTake(audio: mono, jitterTicks: 20)
    try withFile(take.recorded(), "mov") { path in
      var file = try DiskFile(path: path)
      #expect(try finish(&file) == .finished)
      #expect(try ForeignProgram.run("cat", [path]) == take.finished())
    }
  }

  @Test("the finisher writes only tables: media data stay where they are")
  func inPlace() {
    let take = MovieTake(audio: mono)
    let recorded = take.recorded()
    let finished = take.finished()
    let changed = recorded.indices.filter { recorded[$0] != finished[$0] }
    let front = 24..<40
    #expect(changed.allSatisfy { front.contains($0) })
    #expect(finished.count - recorded.count < 3_000)
  }

  @Test("beyond 4 GiB the pictures are still found where they lie")
  func largeFile() throws {
    var take = MovieTake(audio: mono, fragmentCount: 6)
    // ffmpeg accepts no sample of 2^30 bytes or more.
    let hugeByteCount = 1_000_000_000
    let folder = try TemporaryFolder()
    let path = folder.path(of: "large.mov")
    var file = try DiskFile(path: path)
    let header = encoded(capacityByteCount: MovieLimits.headerByteCount) { take.description.encodeHeader(into: &$0) }
    try file.write(header, at: 0)
    var position = header.count
    for index in take.fragments.indices {
      // Each fragment except the last has a picture that is one large hole.
      if index < 5 { take.fragments[index].samples[4].byteCount = UInt32(hugeByteCount) }
      position = try write(take.fragments[index], of: take, to: &file, at: position)
    }
    #expect(try finish(&file) == .finished)
    let last = take.fragments[5]
    let lastPicturesStart = position - last.audio.count - last.pictures.joined().count
    #expect(lastPicturesStart > 1 << 32)
    let packet = try ForeignProgram.text(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "v", "-read_intervals", "1.01%+#1", "-show_entries",
        "packet=pts,size,pos", "-of", "csv=p=0", path,
      ])
    #expect(packet == "8000,\(last.pictures[0].count),\(lastPicturesStart)")
  }

  private func write(
    _ fragment: MovieTake.Fragment, of take: MovieTake, to file: inout DiskFile, at start: Int
  ) throws -> Int {
    let place = take.place(of: fragment, at: start)
    try file.write(take.encodedStart(of: fragment, at: place), at: start)
    try file.write(take.encodedHeader(of: fragment), at: Int(place.headerStart))
    var position = Int(place.mediaStart)
    for (picture, sample) in zip(fragment.pictures, fragment.samples) {
      try file.write(picture, at: position)
      position += Int(sample.byteCount)
    }
    try file.write(fragment.audio, at: position)
    return position + fragment.audio.count
  }

  @Test("a movie of more samples than 32 bits count is not for the finisher")
  func sampleLimit() {
    var run = TrackRun()
    run.commonSampleByteCount = 2
    run.sampleCount = UInt32.max - 5
    var tables = TrackTables(commonSampleByteCount: 2)
    #expect(tables.hasRoom(for: run))
    withScratch(byteCount: 2_048) { scratch in tables.count(run, chunkOffset: 0, scratch: &scratch) }
    run.sampleCount = 5
    #expect(tables.hasRoom(for: run))
    run.sampleCount = 6
    #expect(!tables.hasRoom(for: run))
  }
}
