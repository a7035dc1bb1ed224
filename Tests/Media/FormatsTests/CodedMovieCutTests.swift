import Base
import TestSupport
import Testing

@testable import Media

/// Power cuts in a movie of inter-coded pictures.
@Suite struct CodedMovieCutTests {
  @Test("after every cut what is left plays, each picture and keyframe right, before the repair and after it")
  func everyCut() throws {
    let stream = try CodedStream(.init("high", 66, 50, keyframeInterval: 8), pictureCount: 30)
    let take = MovieTake(
      video: VideoFormat(stream.choice), coded: try CodedPictures(stream),
      audio: AudioFormat(sampleRateHz: 8_000, channelCount: 1, sampleFormat: .int16), fragmentCount: 5,
      picturesPerFragment: 6)
    var file = MemoryFile()
    take.record(to: &file)
    _ = finish(&file)
    let operations = file.operations
    var generator = SeededGenerator(seed: 11)
    let cuts = Cut.all(operations, tears: 2, losses: 2, using: &generator)
    var finishedCount = 0
    for cut in cuts {
      var file = MemoryFile(content: cut.content(operations))
      let outcome = finish(&file)
      guard let movie = FinishedMovie(file.content) else {
        #expect(outcome == .empty || outcome == .foreign, "\(cut)")
        continue
      }
      finishedCount += 1
      let count = movie.pictures.count
      #expect(movie.pictures == Array(take.pictures.prefix(count)), "\(cut)")
      #expect(movie.keyframes == (0..<count).filter { stream.keyframes[$0] }, "\(cut)")
    }
    #expect(finishedCount > cuts.count / 2)
    for cut in Cut.sample(cuts.filter { $0.operationCount > 12 }, count: 16) {
      var file = MemoryFile(content: cut.content(operations))
      try expectPlays(file.content, stream, "\(cut), before the repair")
      _ = finish(&file)
      try expectPlays(file.content, stream, "\(cut), after the repair")
    }
  }

  private func expectPlays(_ content: [UInt8], _ stream: CodedStream, _ comment: Comment) throws {
    try withFile(content, "mov") { path in
      let digests = try CodedStream.digests(path)
      #expect(digests.count >= 6, comment)
      #expect(digests == Array(stream.digests.prefix(digests.count)), comment)
      #expect(try CodedStream.keyframes(path) == Array(stream.keyframes.prefix(digests.count)), comment)
    }
  }
}
