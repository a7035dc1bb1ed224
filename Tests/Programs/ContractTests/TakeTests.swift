import Foundation
import TestSupport
import Testing

/// A press of record makes a take, whose content is checked with third-party programs.
@Suite struct TakeTests {
  private static let frameSeconds = 1.0 / 30

  private static func script(waiting preroll: Int) -> [String] {
    ["wait \(preroll)", "press record", "wait 10", "press record", "wait 2", "status json", "quit"]
  }

  @Test(
    "a take holds the available pre-roll, and every picture and sample up to the next press",
    arguments: [(0, 0.0), (2, 2.0), (6, 5.0)] as [(Int, Double)])
  func fastTake(waited: Int, preroll: Double) throws {
    let session = try Session(Self.script(waiting: waited), seed: 11)
    #expect(session.end() == 0)
    let status = try #require(try session.statuses().last)
    #expect(abs(status.prerollSeconds - preroll) < Self.frameSeconds)
    try expectWholeTake(session, status, seconds: 10 + preroll, seed: 11)
  }

  @Test("the same on the real clock, where nothing is lost either")
  func realTake() throws {
    // At 10 pictures a second the simulated camera has buffers for half a second: other processes may hold the
    // processors that long.
    let frameSeconds = 0.1
    let session = try Session(
      Self.script(waiting: 6), clock: .real, seed: 12, configuration: "[video]\nframe_rate = 10\n")
    #expect(session.end() == 0)
    let status = try #require(try session.statuses().last)
    #expect(abs(status.prerollSeconds - 5) < frameSeconds)
    #expect(status.droppedVideoFrames == 0)
    #expect(status.audioOverruns == 0)
    #expect(status.heapAllocationsSinceBootComplete == 0)
    // A loaded machine wakes the loop late, so the button is held that much longer.
    try expectWholeTake(session, status, seconds: 15, toleranceSeconds: 0.1, frameSeconds: frameSeconds, seed: 12)
  }

  @Test("status json has every key of the contract, before a take, during one and after it")
  func statusKeys() throws {
    let session = try Session([
      "status json", "press record", "wait 2", "status json", "press record", "wait 1", "status json", "quit",
    ])
    #expect(session.end() == 0)
    let statuses = try session.statuses()
    #expect(statuses.map(\.state) == ["armed", "recording", "armed"])
    #expect(statuses[0].take == nil)
    #expect(statuses[1].seconds > 1.8 && statuses[1].seconds < statuses[2].seconds)
    #expect(statuses[1].bytes > 0 && statuses[1].bytes < statuses[2].bytes)
    #expect(statuses[2].diskFreeBytes > 0)
    #expect(Set(statuses.map(\.uuid)).count == 1)
    #expect(["unset", "rtc", "synchronised"].contains(statuses[2].clock))
    #expect(statuses.allSatisfy { $0.heapAllocationsSinceBootComplete == 0 && $0.zoom == 1 })
    #expect(statuses.allSatisfy { $0.orientation == "landscape-left" && $0.player.file == nil })
  }

  private func expectWholeTake(
    _ session: Session, _ status: RecorderStatus, seconds: Double, toleranceSeconds: Double = frameSeconds,
    frameSeconds: Double = frameSeconds, seed: UInt64
  ) throws {
    let path = try #require(session.takes().first)
    #expect(session.takes().count == 1)
    #expect(status.state == "armed")
    #expect(status.take.map { session.dataFolder + "/" + $0 } == path)
    #expect(try Int(status.bytes) == FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    #expect(abs(status.seconds - seconds) <= toleranceSeconds)
    #expect(
      try ForeignProgram.text("ffprobe", ["-v", "error", "-show_entries", "stream=codec_type", "-of", "csv=p=0", path])
        == "video\naudio\ndata")
    let starts = try ["v:0", "a:0"].map {
      try #require(Double(ForeignProgram.probe(path, stream: $0, entry: "start_time")))
    }
    #expect(abs(starts[0] - starts[1]) <= frameSeconds)
    for stream in ["v:0", "a:0"] {
      let duration = try #require(Double(ForeignProgram.probe(path, stream: stream, entry: "duration")))
      #expect(abs(duration - status.seconds) < 0.001)
    }
    let movie = try RecordedMovie(path)
    #expect(movie.firstGap == nil)
    #expect(movie.numbers.count == Int(status.videoFrames))
    try expectSound(of: movie, status, seed: seed)
  }

  private func expectSound(of movie: RecordedMovie, _ status: RecorderStatus, seed: UInt64) throws {
    let sound = HeardSound(try ForeignProgram.decodeSamples(movie.path), seed: seed)
    #expect(sound.frameCount == Int(status.audioFrames))
    let first = try #require(sound.firstFrame)
    #expect(sound.mismatch(from: first) == nil)
    let distances = movie.distances(toClicks: sound.clickSeconds)
    #expect(distances.count >= Int(status.seconds) - 1)
    #expect(distances.allSatisfy { $0 <= Self.frameSeconds })
  }
}
