import Base
import Machine
import TestSupport
import Testing

@testable import App

/// Devices with slow drivers.
@Suite struct SlowDeviceTests {
  private static let slowNanoseconds: UInt64 = 700_000_000

  @Test(
    "a device that takes 0.7 s to open again costs the loop no tick, and the take nothing else",
    arguments: [Device.microphone, .camera, .buttons, .accelerometer])
  func slowOpening(device: Device) throws {
    let rig = try ApplianceRig()
    rig.run(milliseconds: 1_000)
    rig.run("record start", milliseconds: 2_000)
    rig.begin(.absent, of: device, nanoseconds: 2_000_000_000)
    rig.run(milliseconds: 2_000)
    rig.begin(.slow, of: device, nanoseconds: 1_000_000_000 + Self.slowNanoseconds)
    rig.run(milliseconds: 4_000)
    rig.run("record stop", milliseconds: 1_000)
    #expect(rig.metrics.missedCount == 0)
    #expect(rig.announcements("unplugged").count == 1)
    #expect(rig.announcements("works again").count + rig.announcements("back").count == 1)
    let movie = try #require(rig.movie(rig.takePaths[0]))
    #expect(abs(movie.audio.count / 2 - 9 * 8_000) < 500)
    // It was away for 2 s, and was opened 1.7 s later.
    let silence = longestSilence(in: movie.samples)
    #expect(device == .microphone ? (3 * 8_000...5 * 8_000).contains(silence) : silence < 800)
    let pictureCount = movie.pictures.count { !NumberedPicture.isStandIn($0) }
    #expect(device == .camera ? (100...150).contains(pictureCount) : (222...227).contains(pictureCount))
  }

  @Test("a press that has to open slow devices costs no tick, and the take begins once they are open")
  func slowOpeningAtPress() throws {
    let rig = try ApplianceRig { $0.record.arming = .atPress }
    rig.run(milliseconds: 1_000)
    for device in [Device.microphone, .camera] { rig.begin(.slow, of: device, nanoseconds: Self.slowNanoseconds) }
    rig.run("press record", milliseconds: 500)
    #expect(try rig.status()["state"] as? String == "idle")
    rig.run(milliseconds: 2_000)
    #expect(try rig.status()["state"] as? String == "recording")
    rig.run("press record", milliseconds: 1_000)
    #expect(rig.announcements("is complete").count == 1 && rig.metrics.missedCount == 0)
  }

  @Test("a take begins without a microphone that does not open within 5 s, and has it once it does")
  func neverOpens() throws {
    let rig = try ApplianceRig { $0.record.arming = .atPress }
    rig.run(milliseconds: 1_000)
    rig.begin(.slow, of: .microphone, nanoseconds: 30_000_000_000)
    rig.run("press record", milliseconds: 4_000)
    #expect(rig.takePaths.isEmpty)
    rig.run(milliseconds: 2_000)
    #expect(rig.announcements("microphone").last?.contains("does not open") == true)
    rig.run("press record", milliseconds: 30_000)
    let movie = try #require(rig.movie(rig.takePaths[0]))
    #expect(movie.audio.isEmpty && (20...60).contains(movie.pictures.count))
    rig.run("press record", milliseconds: 2_000)
    rig.run("press record", milliseconds: 2_000)
    #expect(try !#require(rig.movie(rig.takePaths[1])).audio.isEmpty)
    #expect(rig.metrics.missedCount == 0)
  }

  @Test("after a press that was taken back, a microphone that opened late is found")
  func pressTakenBack() throws {
    let rig = try ApplianceRig { $0.record.arming = .atPress }
    rig.run(milliseconds: 1_000)
    rig.begin(.slow, of: .microphone, nanoseconds: 7_000_000_000)
    rig.run("press record", milliseconds: 1_000)
    rig.run("press record", milliseconds: 12_000)
    #expect(rig.takePaths.isEmpty && rig.announcements("does not open").count == 1)
    rig.run("press record", milliseconds: 3_000)
    rig.run("press record", milliseconds: 2_000)
    try #require(rig.takePaths.count == 1)
    let movie = try #require(rig.movie(rig.takePaths[0]))
    #expect(movie.audio.count / 2 > 2 * 8_000 && movie.pictures.count > 50)
  }

  @Test("a camera that does not close is given up after 5 s, and the next take can begin")
  func neverCloses() throws {
    let rig = try ApplianceRig { $0.record.arming = .atPress }
    rig.run(milliseconds: 1_000)
    rig.run("press record", milliseconds: 2_000)
    rig.begin(.slow, of: .camera, nanoseconds: 60_000_000_000)
    rig.run("press record", milliseconds: 4_000)
    #expect(try rig.status()["state"] as? String == "finishing")
    rig.run(milliseconds: 2_000)
    #expect(try rig.status()["state"] as? String == "idle")
    #expect(rig.announcements("is complete").count == 1)
    rig.endFaults(of: .camera)
    rig.run("press record", milliseconds: 2_000)
    rig.run("press record", milliseconds: 1_000)
    #expect(rig.announcements("is complete").count == 2 && rig.metrics.missedCount == 0)
  }

  @Test("a camera whose zoom takes 3 s delivers all the while, also to a take that ends meanwhile")
  func slowZoom() throws {
    let rig = try ApplianceRig(onBoard: { $0.cameraMaximumZoom = 4 })
    rig.run(milliseconds: 1_000)
    rig.run("record start", milliseconds: 1_000)
    let told = rig.announcements("camera").count
    rig.begin(.slow, of: .camera, nanoseconds: 3_000_000_000)
    rig.run("zoom 2 now", milliseconds: 2_000)
    rig.run("record stop", milliseconds: 500)
    #expect(rig.announcements("is complete").count == 1)
    rig.run(milliseconds: 2_000)
    #expect(try rig.status()["dropped_video_frames"] as? Int == 0)
    #expect(try rig.status()["zoom"] as? Double == 2)
    #expect(rig.announcements("camera").count == told && rig.metrics.missedCount == 0)
    try rig.expectWhole(try #require(rig.movie(rig.takePaths[0])), "the take")
  }

  @Test("a microphone that stops by itself is restarted, and what it lost is silence")
  func microphoneStops() throws {
    let rig = try ApplianceRig()
    rig.run(milliseconds: 1_000)
    rig.run("record start", milliseconds: 2_000)
    rig.begin(.stopping, of: .microphone, nanoseconds: 300_000_000)
    rig.run(milliseconds: 1_000)
    rig.run("record stop", milliseconds: 1_000)
    // Its format at the start, and what is lost.
    #expect(rig.metrics.missedCount == 0 && rig.announcements("microphone").count == 2)
    #expect(rig.announcements("s of sound are lost").count == 1)
    #expect(try rig.status()["audio_overruns"] as? Int == 1)
    let movie = try #require(rig.movie(rig.takePaths[0]))
    #expect((2_300...2_600).contains(longestSilence(in: movie.samples)))
  }

  @Test("a speaker that takes 0.7 s to open, to start or to stop costs the loop no tick")
  func slowSpeaker() throws {
    let rig = try ApplianceRig()
    rig.run("tone 440 -20", milliseconds: 1_000)
    rig.begin(.slow, of: .speaker, nanoseconds: Self.slowNanoseconds)
    rig.run("tone off", milliseconds: 1_000)
    rig.begin(.slow, of: .speaker, nanoseconds: Self.slowNanoseconds)
    rig.run("tone 440 -20", milliseconds: 1_000)
    rig.begin(.absent, of: .speaker, nanoseconds: 1_000_000_000)
    rig.run("tone 440 -20", milliseconds: 1_000)
    rig.begin(.slow, of: .speaker, nanoseconds: 1_500_000_000)
    rig.run(milliseconds: 4_000)
    #expect(rig.announcements("speaker").count == 3)
    #expect(rig.metrics.missedCount == 0)
  }
}
