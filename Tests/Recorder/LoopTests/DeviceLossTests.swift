import Testing

@testable import Loop

/// Devices that fail, and devices that are missing.
@Suite struct DeviceLossTests {
  @Test("a microphone that fails in a take is reported once; silence replaces it, and the pictures go on")
  func microphoneFails() throws {
    let rig = try ApplianceRig()
    rig.run(milliseconds: 1_000)
    rig.run("press record", milliseconds: 2_000)
    rig.begin(.absent, of: .microphone)
    rig.run(milliseconds: 2_000)
    rig.run("press record", milliseconds: 1_000)
    #expect(rig.announcements("unplugged").count == 1)
    #expect(rig.announcements("is complete").count == 1)
    let movie = try #require(rig.movie(rig.takePaths[0]))
    #expect(abs(movie.audio.count / 2 - 5 * 8_000) < 500)
    #expect(movie.audio.suffix(2 * 15_000).allSatisfy { $0 == 0 })
    let numbers = movie.pictures.map(NumberedPicture.number)
    #expect(numbers.count >= 123 && numbers == Array(numbers[0]..<numbers[0] + numbers.count))
  }

  @Test("a camera that fails in a take is reported once, and the sound goes on")
  func cameraFails() throws {
    let rig = try ApplianceRig()
    rig.run(milliseconds: 1_000)
    rig.run("press record", milliseconds: 2_000)
    rig.begin(.absent, of: .camera)
    rig.run(milliseconds: 2_000)
    rig.run("press record", milliseconds: 1_000)
    #expect(rig.announcements("unplugged").count == 1)
    let movie = try #require(rig.movie(rig.takePaths[0]))
    #expect(abs(movie.audio.count / 2 - 5 * 8_000) < 500)
    #expect((70...76).contains(movie.pictures.count))
  }

  @Test("record is refused without both devices, and works once one of them is back")
  func neitherDevice() throws {
    let rig = try ApplianceRig(absent: [.camera, .microphone])
    rig.run(milliseconds: 500)
    rig.run("record start")
    #expect(rig.host.lines.last == "error: there is neither a microphone nor a camera")
    #expect(try rig.status()["state"] as? String == "failed")
    #expect(rig.isFaultLit)
    rig.endFaults(of: .microphone)
    rig.run("record start", milliseconds: 1_000)
    rig.run("record stop", milliseconds: 1_000)
    #expect(!rig.isFaultLit)
    #expect(rig.takePaths.count == 1 && rig.takePaths[0].hasPrefix("audio/"))
  }

  @Test("without a camera sound is recorded, without a microphone pictures")
  func oneDevice() throws {
    for isCameraGone in [true, false] {
      let rig = try ApplianceRig(absent: isCameraGone ? [.camera] : [.microphone])
      rig.run(milliseconds: 1_000)
      rig.run("record start", milliseconds: 2_000)
      rig.run("record stop", milliseconds: 1_000)
      #expect(rig.announcements("unplugged").count == 1)
      #expect(rig.takePaths.count == 1)
      if isCameraGone {
        #expect(rig.takePaths[0].hasSuffix(".wav"))
      } else {
        let movie = try #require(rig.movie(rig.takePaths[0]))
        #expect((73...76).contains(movie.pictures.count) && movie.audio.isEmpty)
      }
    }
  }

  @Test("a camera that comes after boot is refused if memory was planned for another format")
  func cameraComesLate() throws {
    let rig = try ApplianceRig(absent: [.camera]) { $0.record.arming = .atPress }
    rig.run(milliseconds: 500)
    rig.endFaults(of: .camera)
    rig.run("record start", milliseconds: 1_000)
    rig.run("record stop", milliseconds: 1_000)
    #expect(rig.announcements("restart the recorder").count == 1)
    #expect(rig.takePaths.count == 1 && rig.takePaths[0].hasPrefix("audio/"))
  }
}
