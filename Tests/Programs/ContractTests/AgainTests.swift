import Foundation
import TestSupport
import Testing

/// A take that begins while the previous one is still being completed.
@Suite struct AgainTests {
  @Test(
    "record pressed again at once begins a take with the whole pre-roll, including the last take's sound and pictures",
    arguments: Cases.some(2, of: [0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 1.0]))
  func again(gapSeconds: Double) throws {
    let session = try Session(
      [
        "wait 6", "press record", "wait 8", "press record", "wait \(gapSeconds)", "press record", "wait 6",
        "press record", "wait 3", "status json", "quit",
      ], seed: 9, configuration: "[video]\nwidth = 160\nheight = 120\n")
    #expect(session.end() == 0)
    let takes = session.takes()
    try #require(takes.count == 2)
    let movies = try takes.map(RecordedMovie.init)
    for (movie, seconds) in zip(movies, [13.0, 11.0]) {
      #expect(movie.firstGap == nil)
      #expect(abs(try ForeignProgram.soundSeconds(movie.path) - seconds) <= 1.0 / 30)
      let sound = HeardSound(try ForeignProgram.decodeSamples(movie.path), seed: 9)
      #expect(sound.mismatch(from: try #require(sound.firstFrame)) == nil)
    }
    let lastOfFirst = try #require(movies[0].numbers.last ?? nil)
    let firstOfSecond = try #require(movies[1].numbers.first ?? nil)
    let overlap = Double(lastOfFirst) - Double(firstOfSecond) + 1
    #expect(abs(overlap - (5 - gapSeconds) * 30) <= 1)
    #expect(try session.statuses().last?.droppedVideoFrames == 0)
  }
}
