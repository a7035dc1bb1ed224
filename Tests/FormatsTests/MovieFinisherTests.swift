import Media
import Testing

@testable import Formats

/// The finisher's outcomes, and what it makes of times.
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
    let path = temporaryFile("mov")
    try Program.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc", "-t", "1", "-c:v", "mjpeg", path])
    var movie = try DiskFile(path: path)
    let before = movie.byteCount
    #expect(try finish(&movie) == .foreign)
    #expect(movie.byteCount == before)
    try Program.run(["rm", path])
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

  @Test("a fragment that starts later or earlier than forecast leaves no drift behind", arguments: [-1_000, -1, 0, 7, 300])
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
      #expect(try Array(Program.run(["cat", path])) == take.finished())
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
}
