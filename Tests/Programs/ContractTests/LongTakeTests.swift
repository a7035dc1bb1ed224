import Foundation
import TestSupport
import Testing

/// Takes of ten minutes, on the virtual clock.
@Suite struct LongTakeTests {
  private static let script = ["press record", "wait 600", "press record", "wait 2", "status json", "quit"]
  /// The size of pictures is irrelevant here.
  private static let smallPictures = "[video]\nwidth = 160\nheight = 120\n"

  @Test("ten minutes are identical to the byte for the same seed, and differ for another")
  func sameBytes() throws {
    let sessions = try [5, 5, 6].map { try Session(Self.script, seed: $0, configuration: Self.smallPictures) }
    for session in sessions { #expect(session.end() == 0) }
    let (once, again, other) = (sessions[0], sessions[1], sessions[2])
    let paths = try [once, again, other].map { try #require($0.takes().first) }
    #expect(FileManager.default.contentsEqual(atPath: paths[0], andPath: paths[1]))
    #expect(!FileManager.default.contentsEqual(atPath: paths[0], andPath: paths[2]))
    #expect(try once.linesWithoutStatus() == again.linesWithoutStatus())
    let status = try #require(try once.statuses().last)
    #expect(abs(status.seconds - 600) < 0.05)
    #expect(status.droppedVideoFrames == 0)
    #expect(status.heapAllocationsSinceBootComplete == 0)
  }

  @Test("crystals with different drift keep picture and sound in sync for ten minutes")
  func drift() throws {
    let session = try Session(
      Self.script, seed: 7,
      configuration: Self.smallPictures + "[sim]\nmicrophone_ppm = 200\ncamera_ppm = -150\n")
    #expect(session.end() == 0)
    let movie = try RecordedMovie(try #require(session.takes().first))
    #expect(movie.firstGap == nil)
    let end = try #require(movie.seconds.last)
    #expect(end > 599)
    for start in [0, 300, end - 6] {
      let samples = try ForeignProgram.decodeSamples(movie.path, part: ["-ss", String(start), "-t", "6"])
      let clicks = ClickDetector.onsets(samples, channelCount: 2).map { start + Double($0) / 48_000 }
      let flashes = movie.flashSeconds.filter { (start + 0.1...start + 5.9).contains($0) }
      #expect(flashes.count >= 5)
      for flash in flashes { #expect(clicks.contains { abs($0 - flash) <= 1.0 / 30 }, "the flash at \(flash) s") }
    }
  }
}
