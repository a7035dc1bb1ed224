import TestSupport
import Testing

@testable import App

/// `[video] offset_milliseconds`, for cameras with a known latency.
@Suite struct PictureOffsetTests {
  /// How many milliseconds a take's picture is shown after the sound of its exposure, and the take.
  private func record(
    offset: Int16, prerollSeconds: UInt32 = 5, orderSeed: UInt64 = 1, atPress: Bool = false
  ) throws -> (rig: ApplianceRig, movie: FinishedMovie) {
    let rig = try ApplianceRig(orderSeed: orderSeed) {
      $0.video.offsetMilliseconds = offset
      $0.record.prerollSeconds = prerollSeconds
      if atPress { $0.record.arming = .atPress }
    }
    rig.run(milliseconds: 3_000)
    rig.run("press record", milliseconds: 6_000)
    rig.run("press record", milliseconds: 5_000)
    let path = try #require(rig.takePaths.first)
    return (rig, try #require(rig.movie(path)))
  }

  @Test(
    "pictures are moved against the sound by the offset, and none is missing or out of order",
    arguments: [-1000, -80, 0, 80, 240, 500, 1000] as [Int16], [0, 5] as [UInt32])
  func moves(offset: Int16, prerollSeconds: UInt32) throws {
    let (rig, movie) = try record(offset: offset, prerollSeconds: prerollSeconds)
    try rig.expectWhole(movie, "offset \(offset)")
    #expect(movie.pictures.count > 140)
    #expect(zip(movie.pictureTicks, movie.pictureTicks.dropFirst()).allSatisfy { $1 > $0 + 300 })
    #expect(rig.host.lines.contains { $0.contains("is complete") })
    #expect(try rig.status()["dropped_video_frames"] as? Int == 0)
  }

  @Test("a stall of the card that is as long as promised costs nothing", arguments: [-1000, 1000] as [Int16])
  func bridgesStalls(offset: Int16) throws {
    let rig = try ApplianceRig { $0.video.offsetMilliseconds = offset }
    rig.run(milliseconds: 8_000)
    rig.stallStorage(nanoseconds: 5_000_000_000)
    rig.run("press record", milliseconds: 9_000)
    rig.run("press record", milliseconds: 5_000)
    let movie = try #require(rig.movie(rig.takePaths[0]))
    try rig.expectWhole(movie, "offset \(offset)")
    #expect(movie.audio.count / 2 > 13 * 8_000)
    let status = try rig.status()
    #expect(status["dropped_video_frames"] as? Int == 0 && status["audio_overruns"] as? Int == 0)
  }

  @Test(
    "a take for which the devices are opened has no picture of what happened before them",
    arguments: [80, 1000] as [Int16])
  func beginsWithTheTimeline(offset: Int16) throws {
    let (rig, movie) = try record(offset: offset, atPress: true)
    #expect(movie.pictures.count > 100)
    #expect(zip(movie.pictureTicks, movie.pictureTicks.dropFirst()).allSatisfy { $1 > $0 + 300 })
    let first = try #require(movie.pictures.first.map(NumberedPicture.number))
    #expect(first >= Int(offset) / 40 - 1)
    #expect(try rig.status()["dropped_video_frames"] as? Int == 0)
  }
}
