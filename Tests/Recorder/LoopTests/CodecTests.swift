import TestSupport
import Testing
import Wire

@testable import App

/// Takes whose pictures the hardware encoder encodes.
@Suite struct CodecTests {
  private static func rig(
    _ script: EncoderScript? = EncoderScript(), host: TestHost = TestHost(), spareBufferCount: Int = 2,
    maximumZoom: Double? = nil, atPress: Bool = false
  ) throws -> ApplianceRig {
    host.encoder = script
    return try ApplianceRig(host: host, pixelFormat: .yuv420, spareBufferCount: spareBufferCount) {
      $0.video.codec = .fwht
      $0.record.arming = atPress ? .atPress : .atBoot
      if let maximumZoom { $0.zoom.maximum = maximumZoom }
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
    "an encoder that fails costs the pictures from there on and one line; the next take holds JPEGs",
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

  @Test(
    "a zoomed picture reaches the encoder through a spare buffer, and the glide loses none", arguments: [0, 1])
  func zooms(keptPictures: Int) throws {
    let script = EncoderScript()
    script.keptPictures = keptPictures
    let rig = try Self.rig(script)
    rig.run(milliseconds: 1_000)
    let isUntouched = script.submittedSlots.allSatisfy { $0 < ApplianceRig.cameraBufferCount }
    #expect(isUntouched && script.submittedSlots.count > 20)
    rig.run("press record", milliseconds: 1_000)
    let before = script.submittedSlots.count
    rig.run("zoom 8", milliseconds: 2_000)
    let zoomed = script.submittedSlots.dropFirst(before + 2)
    let isSpare = zoomed.allSatisfy { $0 >= ApplianceRig.cameraBufferCount }
    #expect(isSpare && zoomed.count > 40)
    rig.run("zoom 1 now", milliseconds: 1_000)
    rig.run("press record", milliseconds: 2_000)
    #expect(try #require(script.submittedSlots.last) < ApplianceRig.cameraBufferCount)
    let movie = try #require(rig.movie(rig.takePaths[0]))
    Self.expectConsecutive(movie, "\(keptPictures) kept")
    #expect(movie.pictures.count > 100)
    let status = try rig.status()
    #expect(status["dropped_video_frames"] as? Int == 0)
  }

  @Test("losses after a take do not count as the take's, and its own losses are still reported after its end")
  func countsLossesOfTake() throws {
    let script = EncoderScript()
    let rig = try Self.rig(script)
    rig.run(milliseconds: 1_000)
    rig.run("press record", milliseconds: 1_000)
    rig.run("press record", milliseconds: 2_000)
    script.damagedPackets = Set(0..<10_000)
    rig.run(milliseconds: 1_000)
    let reader = try #require(rig.host.view.look())
    #expect(try rig.status()["dropped_video_frames"] as? Int == 0)
    #expect(try #require(reader.status.read()).faults == 0)
    rig.run("press record", milliseconds: 1_000)
    script.damagedPackets = []
    rig.run("press record", milliseconds: 2_000)
    let lost = try #require(rig.status()["dropped_video_frames"] as? Int)
    #expect((20...60).contains(lost), "\(lost) pictures")
    #expect(try #require(reader.status.read()).faults == ViewFault.losses.bit)
  }

  @Test("if the camera has no spare buffers for zoomed pictures, the encoder is given copies")
  func copiesWithoutSpares() throws {
    let host = TestHost()
    let rig = try Self.rig(host: host, spareBufferCount: 0)
    #expect(host.encoderRequest?.sharedBuffers == nil)
    rig.run("zoom 2 now", milliseconds: 500)
    #expect(try rig.status()["zoom"] as? Double == 2)
    _ = try Self.rig(host: host, spareBufferCount: 0, maximumZoom: 1)
    #expect(host.encoderRequest?.sharedBuffers?.count == ApplianceRig.cameraBufferCount)
  }

  @Test("if the requested encoder is missing, one line reports it, and pictures become JPEGs")
  func absent() throws {
    let rig = try Self.rig(nil)
    rig.run(milliseconds: 1_000)
    rig.run("press record", milliseconds: 1_000)
    rig.run("press record", milliseconds: 1_000)
    #expect(rig.announcements("encoder /dev/video11 does not exist").count == 1)
    let movie = try #require(rig.movie(rig.takePaths[0]))
    #expect(movie.pictures.count > 40 && movie.pictures.allSatisfy { $0.starts(with: [0xFF, 0xD8]) })
  }
}
