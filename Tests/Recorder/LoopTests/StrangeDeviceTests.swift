import Base
import Machine
import TestSupport
import Testing

/// Devices that work, but deliver wrong data.
@Suite struct StrangeDeviceTests {
  /// A rig three seconds into a take, with a second of pre-roll.
  private func recordingRig() throws -> ApplianceRig {
    let rig = try ApplianceRig()
    rig.run(milliseconds: 1_000)
    rig.run("press record", milliseconds: 3_000)
    return rig
  }

  /// Ends the only take, and returns it.
  private func take(_ rig: ApplianceRig) throws -> FinishedMovie {
    rig.run("record stop", milliseconds: 2_000)
    #expect(rig.takePaths.count == 1 && rig.announcements("is complete").count == 1)
    return try #require(rig.movie(rig.takePaths[0]))
  }

  @Test("a microphone that comes back with another format is silent until it has the take's again")
  func changedMicrophone() throws {
    let rig = try recordingRig()
    rig.begin(.changed, of: .microphone, nanoseconds: 4_000_000_000)
    rig.run(milliseconds: 8_000)
    let movie = try take(rig)
    #expect(rig.announcements("works again").count == 1)
    #expect((4 * 8_000...6 * 8_000).contains(longestSilence(in: movie.samples)))
    #expect(movie.samples.suffix(8_000).contains { $0 != 0 })
  }

  @Test("buffers that come twice end nothing, and later sound and pictures are in sync")
  func doubling() throws {
    let rig = try recordingRig()
    for device in [Device.microphone, .camera] { rig.begin(.doubling, of: device, nanoseconds: 2_000_000_000) }
    rig.run(milliseconds: 6_000)
    let movie = try take(rig)
    // The sound of the last second, and the picture at its end.
    let place = try #require(rig.place(of: movie.samples.suffix(8_000)))
    let last = try #require(movie.pictures.indices.last)
    let pictureFrame = rig.soundPlace(ofPicture: NumberedPicture.number(of: movie.pictures[last]))
    let soundFrame = Double(place + 8_000 - movie.samples.count) + Double(movie.pictureTicks[last])
    #expect((soundFrame - pictureFrame).magnitude <= 320)
  }

  @Test(
    "a camera whose driver gives pictures the same timestamp, or old ones, loses none of them, and they stay in sync",
    arguments: [Fault.Kind.sameTimestamps, .oldTimestamps])
  func timestamps(kind: Fault.Kind) throws {
    // From before the camera is opened: none of the pictures has a timestamp that is right.
    let rig = try ApplianceRig(onBoard: { $0.faults.add(Fault(kind, of: .camera, nanoseconds: 0..<UInt64.max)) })
    rig.run(milliseconds: 1_000)
    rig.run("press record", milliseconds: 6_000)
    let movie = try take(rig)
    let seconds = Double(movie.samples.count) / 8_000
    #expect((Double(movie.pictures.count) - 25 * seconds).magnitude <= 3)
    let frame = Double(try #require(rig.place(of: movie.samples.suffix(8_000))) + 8_000 - movie.samples.count)
    for index in movie.pictures.indices.dropFirst(3) {
      let soundFrame = frame + Double(movie.pictureTicks[index])
      let pictureFrame = rig.soundPlace(ofPicture: NumberedPicture.number(of: movie.pictures[index]))
      // A picture counts from its arrival: up to a tick and a readout late.
      #expect((0...640).contains(soundFrame - pictureFrame), "picture \(index)")
    }
  }

  @Test("noise in place of sound, and bytes that are no picture, end nothing, and what follows is at its place")
  func corrupt() throws {
    let rig = try recordingRig()
    let start = rig.now
    for device in [Device.microphone, .camera] { rig.begin(.corrupt, of: device, nanoseconds: 2_000_000_000) }
    rig.run(milliseconds: 6_000)
    let movie = try take(rig)
    let window = start.earlier(by: 100_000_000)..<start + 2_100_000_000
    try TakeAudit(rig, faults: [.microphone: [window], .camera: [window]], noise: [window], "corrupt")
      .expectRight(movie, rig.takePaths[0])
    #expect(abs(movie.samples.count - 10 * 8_000) < 800)
    let dropped = try #require(try rig.status()["dropped_video_frames"] as? Int)
    #expect((45...52).contains(dropped))
  }

  @Test("a bus that hangs is reported once and costs the take nothing; so does an accelerometer that reads nonsense")
  func bus() throws {
    for kind in [Fault.Kind.hanging, .nonsense] {
      let rig = try recordingRig()
      rig.begin(kind, of: .accelerometer, nanoseconds: 5_000_000_000)
      rig.run(milliseconds: 8_000)
      // One of them at boot.
      #expect(rig.announcements("accelerometer").count == (kind == .hanging ? 3 : 1))
      try rig.expectWhole(try take(rig), "\(kind)")
      let status = try rig.status()
      #expect(status["dropped_video_frames"] as? Int == 0 && status["audio_overruns"] as? Int == 0)
      // Five readings until it is lost, then one a second, of two ticks each.
      #expect(rig.metrics.missedCount <= (kind == .hanging ? 2 * (5 + 5) : 0), "\(rig.metrics.missedCount)")
    }
  }

  @Test("a button that sticks counts as one long press, and works once it is free")
  func stuckButton() throws {
    let rig = try recordingRig()
    rig.begin(.stuck, of: .buttons, nanoseconds: 5_000_000_000)
    rig.run("press record 100", milliseconds: 8_000)
    #expect(rig.announcements("photo").count == 1 && rig.isRecordLit)
    rig.run("press record 100", milliseconds: 2_000)
    #expect(!rig.isRecordLit && rig.announcements("is complete").count == 1)
    try rig.expectWhole(try #require(rig.movie(rig.takePaths[0])), "stuck")
  }
}
