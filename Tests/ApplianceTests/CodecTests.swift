import TestSupport
import Testing

@testable import Appliance

/// Takes whose pictures the machine's own encoder codes.
@Suite struct CodecTests {
  private static func rig(_ script: EncoderScript? = EncoderScript(), atPress: Bool = false) throws -> ApplianceRig {
    let world = TestWorld()
    world.encoder = script
    world.isCameraRaw = true
    return try ApplianceRig(world: world) {
      $0.video.codec = .fwht
      $0.record.arming = atPress ? .atPress : .atBoot
    }
  }

  private static func expectConsecutive(_ movie: FinishedMovie, _ comment: Comment) {
    let stamps = movie.pictures.map { EncoderScript.timestamp($0) }
    #expect(zip(stamps, stamps.dropFirst()).allSatisfy { $0 + 40_000 == $1 }, comment)
  }

  @Test("a take holds every packet of the encoder, in order, beginning with a keyframe", arguments: [0, 3])
  func wholeTake(keptPictures: Int) throws {
    let script = EncoderScript()
    script.keptPictures = keptPictures
    let rig = try Self.rig(script)
    #expect(rig.announcements("encoder /dev/video11: fwht, reads the camera's buffers").isEmpty)
    rig.run(milliseconds: 3_000)
    #expect(rig.announcements("encoder /dev/video11: fwht, reads the camera's buffers").count == 1)
    rig.run("press record", milliseconds: 4_000)
    rig.run("press record", milliseconds: 2_000)
    let movie = try #require(rig.movie(rig.takePaths[0]))
    Self.expectConsecutive(movie, "\(keptPictures) kept")
    #expect(movie.pictures.count > 150)
    #expect(rig.announcements("encoder /dev/video11 ").isEmpty)
  }

  @Test(
    "an encoder that goes costs the pictures from there on and one line; the next take holds JPEGs",
    arguments: [false, true])
  func encoderGoes(atPress: Bool) throws {
    let script = EncoderScript()
    let rig = try Self.rig(script, atPress: atPress)
    rig.run(milliseconds: 1_000)
    rig.run("press record", milliseconds: 2_000)
    script.isGone = true
    rig.run(milliseconds: 1_000)
    rig.run("press record", milliseconds: 4_000)
    #expect(rig.announcements("taken away by a test").count == 1)
    let cut = try #require(rig.movie(rig.takePaths[0]))
    Self.expectConsecutive(cut, "cut")
    #expect((45...80).contains(cut.pictures.count))
    #expect(cut.audio.count / 2 >= 22_000)
    rig.run("press record", milliseconds: 2_000)
    rig.run("press record", milliseconds: 2_000)
    let next = try #require(rig.movie(rig.takePaths[1]))
    #expect(next.pictures.count >= 45)
    #expect(next.pictures.allSatisfy { $0.starts(with: [0xFF, 0xD8]) })
    #expect(rig.announcements("is complete").count == 2)
    #expect(rig.announcements("taken away by a test").count == 1)
  }

  @Test("where neither camera nor encoder can zoom it is refused with the remedy, and nothing changes")
  func noZoom() throws {
    let rig = try Self.rig()
    rig.run(milliseconds: 500)
    rig.run("zoom 2 now")
    #expect(
      rig.world.lines.last
        == "error: neither the camera nor the machine's encoder can zoom: set [video] codec = mjpeg")
    #expect(try rig.status()["zoom"] as? Double == 1)
  }

  @Test("without the encoder that is asked for one line says so, and pictures become JPEGs")
  func absent() throws {
    let rig = try Self.rig(nil)
    rig.run(milliseconds: 1_000)
    rig.run("press record", milliseconds: 1_000)
    rig.run("press record", milliseconds: 1_000)
    #expect(rig.announcements("encoder /dev/video11 is not there").count == 1)
    let movie = try #require(rig.movie(rig.takePaths[0]))
    #expect(movie.pictures.count > 40 && movie.pictures.allSatisfy { $0.starts(with: [0xFF, 0xD8]) })
  }
}
