import Base
import Machine
import TestSupport
import Testing

@testable import App

/// Devices that fail, and devices that are missing.
@Suite struct DeviceLossTests {
  /// A rig with a second of pre-roll, two seconds into a take.
  private func recordingRig() throws -> ApplianceRig {
    let rig = try ApplianceRig()
    rig.run(milliseconds: 1_000)
    rig.run("press record", milliseconds: 2_000)
    return rig
  }

  @Test("microphone and camera that are lost in the same moment are both told of")
  func lostTogether() throws {
    for milliseconds in 0..<20 as Range<UInt64> {
      let rig = try ApplianceRig()
      rig.run(milliseconds: 2_000)
      rig.run("press record", milliseconds: 2_000 + milliseconds)
      for device in [Device.microphone, .camera] { rig.begin(.absent, of: device) }
      rig.run(milliseconds: 1_000)
      #expect(rig.announcements("microphone ").count == 2 && rig.announcements("camera ").count == 2)
    }
  }

  @Test("a microphone that fails in a take is reported once; silence replaces it, and the pictures go on")
  func microphoneFails() throws {
    let rig = try recordingRig()
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
    let rig = try recordingRig()
    rig.begin(.absent, of: .camera)
    rig.run(milliseconds: 2_000)
    rig.run("press record", milliseconds: 1_000)
    #expect(rig.announcements("unplugged").count == 1)
    let movie = try #require(rig.movie(rig.takePaths[0]))
    #expect(abs(movie.audio.count / 2 - 5 * 8_000) < 500)
    #expect((70...76).contains(movie.pictures.count { !NumberedPicture.isStandIn($0) }))
    #expect((47...53).contains(movie.pictures.count(where: NumberedPicture.isStandIn)))
    #expect(abs(Int(movie.pictureEndTicks) - movie.audio.count / 2) <= 320)
    #expect(rig.announcements("no picture for") == ["* no picture for 2.0 s, from 3.0 s into the take"])
    #expect(try rig.status()["dropped_video_frames"] as? Int == 0)
  }

  @Test("a take that begins and splits while the camera is lost shows that there is no picture, and counts none")
  func cameraIsLostThroughout() throws {
    let rig = try ApplianceRig { $0.record.split.seconds = 3 }
    rig.run(milliseconds: 7_000)
    rig.begin(.absent, of: .camera)
    rig.run(milliseconds: 6_000)
    rig.run("press record", milliseconds: 3_500)
    #expect(try rig.status()["video_frames"] as? Int == 0)
    rig.run("press record", milliseconds: 1_000)
    try #require(rig.takePaths.count == 3)
    for path in rig.takePaths {
      let movie = try #require(rig.movie(path))
      #expect(movie.pictures.count >= 50 && movie.pictures.allSatisfy(NumberedPicture.isStandIn))
      #expect(abs(Int(movie.pictureEndTicks) - movie.audio.count / 2) <= 320)
    }
    #expect(rig.announcements("no picture for").count == 1)
    #expect(rig.announcements("no picture for 8.").count == 1)
    #expect(rig.announcements(" s, from 0.0 s into the take").count == 1)
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

  @Test("one failed reading of the buttons changes no press, and is not reported")
  func buttonsFailOnce() throws {
    let rig = try ApplianceRig()
    rig.run(milliseconds: 1_000)
    rig.run("press record 400", milliseconds: 200)
    rig.begin(.absent, of: .buttons, nanoseconds: 6_000_000)
    rig.run(milliseconds: 1_300)
    rig.run("press record 100", milliseconds: 1_000)
    #expect(rig.announcements("unplugged").isEmpty && rig.announcements("back").isEmpty)
    #expect(rig.announcements(" began").count == 1 && rig.announcements("is complete").count == 1)
  }

  @Test("buttons that are lost are reported once and count as released, and work once they are back")
  func buttonsComeBack() throws {
    let rig = try ApplianceRig()
    rig.run(milliseconds: 1_000)
    // Lost for much longer than a long press, which must not be recognized.
    rig.run("press record 60000", milliseconds: 200)
    rig.begin(.absent, of: .buttons)
    rig.run(milliseconds: 5_000)
    #expect(rig.announcements("buttons were unplugged").count == 1 && rig.announcements("photo").isEmpty)
    #expect(rig.announcements(" began").count == 1)
    rig.appliance.loop.machine.buttons.device.inject(.record, from: rig.now, to: rig.now)
    rig.endFaults(of: .buttons)
    rig.run(milliseconds: 1_500)
    #expect(rig.announcements("buttons are back").count == 1)
    rig.appliance.loop.machine.buttons.device.inject(.record, from: rig.now, to: rig.now + 100_000_000)
    rig.run(milliseconds: 2_000)
    #expect(rig.announcements("is complete").count == 1)
    #expect(rig.announcements("buttons").count == 2)
  }

  @Test("an accelerometer that fails keeps the orientation: once is not reported, and one that is lost comes back")
  func accelerometerComesBack() throws {
    let rig = try ApplianceRig()
    rig.run("tilt portrait", milliseconds: 1_000)
    rig.begin(.absent, of: .accelerometer, nanoseconds: 60_000_000)
    rig.run("tilt landscape-right", milliseconds: 1_000)
    #expect(try rig.status()["orientation"] as? String == "landscape-right")
    #expect(rig.announcements("unplugged").isEmpty)
    rig.begin(.absent, of: .accelerometer)
    rig.run("tilt portrait", milliseconds: 4_000)
    #expect(rig.announcements("accelerometer was unplugged").count == 1)
    #expect(try rig.status()["orientation"] as? String == "landscape-right")
    rig.endFaults(of: .accelerometer)
    rig.run(milliseconds: 2_000)
    #expect(rig.announcements("accelerometer is back").count == 1)
    #expect(try rig.status()["orientation"] as? String == "portrait")
  }

  @Test("a lost device is opened again about once a second, and not more often")
  func reopensSeldom() throws {
    let device = try WatchedDevice()
    let second = Limits.deviceRetryMilliseconds * 1_000_000
    #expect(!device.fails(at: 0))
    device.reads()
    #expect(!device.fails(at: 5) && !device.fails(at: 10) && device.fails(at: 15))
    try #expect(!device.isReadable(at: second + 14) && device.openingCount == 0)
    device.refusesToOpen = true
    try #expect(!device.isReadable(at: second + 15) && device.openingCount == 1)
    #expect(throws: DeviceFailure.self) { try device.isReadable(at: second + 15) }
    #expect(!device.fails(at: second + 15))
    try #expect(!device.isReadable(at: 2 * second + 14) && device.openingCount == 1)
    // It opens but cannot be read: that counts neither as a return nor as a second loss.
    device.refusesToOpen = false
    try #expect(!device.isReadable(at: 2 * second + 15) && device.openingCount == 2)
    try #expect(device.isReadable(at: 2 * second + 20) && !device.fails(at: 2 * second + 20))
    try #expect(!device.isReadable(at: 3 * second + 20) && device.openingCount == 3)
    try #expect(device.isReadable(at: 3 * second + 25) && device.reads() && !device.reads())
  }

  @Test("a camera that comes back with another format while none runs does not arm the recorder anew again and again")
  func cameraComesChanged() throws {
    let rig = try ApplianceRig(absent: [.microphone])
    rig.run(milliseconds: 1_000)
    rig.begin(.absent, of: .camera)
    rig.run(milliseconds: 1_000)
    rig.endFaults(of: .microphone)
    rig.run(milliseconds: 5_000)
    rig.endFaults(of: .camera)
    rig.begin(.changed, of: .camera)
    rig.run(milliseconds: 20_000)
    #expect(rig.announcements("memory planned").isEmpty)
    // The pre-roll was not emptied meanwhile.
    #expect(try rig.status()["preroll_seconds"] as? Double ?? 0 > 4.9)
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

  @Test(
    "a microphone that fails in a take comes back by itself, in the same take and at the right time",
    arguments: [Fault.Kind.absent, .stalled])
  func microphoneComesBack(fault: Fault.Kind) throws {
    let rig = try recordingRig()
    rig.begin(fault, of: .microphone, nanoseconds: 3_000_000_000)
    rig.run(milliseconds: 8_000)
    #expect(!rig.isFaultLit || rig.announcements("works again").isEmpty)
    rig.run("press record", milliseconds: 1_000)
    #expect(rig.announcements("works again").count == 1)
    #expect(rig.announcements("is complete").count == 1)
    try #require(rig.takePaths.count == 1)
    let movie = try #require(rig.movie(rig.takePaths[0]))
    #expect(abs(movie.audio.count / 2 - 11 * 8_000) < 500)
    let samples = movie.samples
    // A second until the next attempt, and half a second until a stalled device is given up.
    #expect((20_000...36_000).contains(longestSilence(in: samples)))
    #expect(samples.suffix(16_000).contains { $0 != 0 })
    let numbers = movie.pictures.map(NumberedPicture.number)
    #expect(numbers.count >= 270 && numbers == Array(numbers[0]..<numbers[0] + numbers.count))
    let overruns = try #require(try rig.status()["audio_overruns"] as? Int)
    #expect(overruns >= 1)
  }

  @Test("sound that a card loses without reporting it is silence at its place, and counts as an overrun")
  func unreportedLoss() throws {
    let rig = try recordingRig()
    rig.begin(.losing, of: .microphone, nanoseconds: 800_000_000)
    rig.run(milliseconds: 5_000)
    rig.run("press record", milliseconds: 1_000)
    try #require(rig.takePaths.count == 1)
    let movie = try #require(rig.movie(rig.takePaths[0]))
    #expect(abs(movie.audio.count / 2 - 8 * 8_000) < 500)
    #expect((6_200...6_600).contains(longestSilence(in: movie.samples)))
    #expect(try rig.status()["audio_overruns"] as? Int == 1)
    let numbers = movie.pictures.map(NumberedPicture.number)
    #expect(numbers.count >= 195 && numbers == Array(numbers[0]..<numbers[0] + numbers.count))
  }

  @Test(
    "a camera that fails in a take comes back by itself, in the same take", arguments: [Fault.Kind.absent, .stalled])
  func cameraComesBack(fault: Fault.Kind) throws {
    let rig = try recordingRig()
    rig.begin(fault, of: .camera, nanoseconds: 3_000_000_000)
    rig.run(milliseconds: 8_000)
    rig.run("press record", milliseconds: 1_000)
    #expect(rig.announcements(fault == .stalled ? "no longer sends frames" : "unplugged").count == 1)
    #expect(rig.announcements("works again").count == 1)
    try #require(rig.takePaths.count == 1)
    let movie = try #require(rig.movie(rig.takePaths[0]))
    #expect(abs(movie.audio.count / 2 - 11 * 8_000) < 500)
    #expect((150...230).contains(movie.pictures.count { !NumberedPicture.isStandIn($0) }))
    let durations = zip(movie.pictureTicks, movie.pictureTicks.dropFirst()).map { $1 - $0 }
    // A stalled camera is lost after a second.
    #expect(durations.count { $0 > 900 } == (fault == .stalled ? 1 : 0) && durations.max()! < 9_000)
    #expect(durations.min()! >= 160)
    #expect(rig.announcements("no picture for").count == 1)
  }

  @Test("a take ends within seconds while the microphone delivers nothing")
  func endsWithoutTheMicrophone() throws {
    let rig = try recordingRig()
    rig.begin(.stalled, of: .microphone)
    rig.run(milliseconds: 100)
    rig.run("press record", milliseconds: 5_000)
    #expect(rig.announcements("is complete").count == 1)
    #expect(rig.announcements("no longer sends data").count == 1)
  }

  @Test("a microphone that is plugged in after boot is used from the next take on")
  func microphoneComesAfterBoot() throws {
    let rig = try ApplianceRig(absent: [.microphone])
    rig.run(milliseconds: 2_000)
    rig.endFaults(of: .microphone)
    rig.run(milliseconds: 3_000)
    #expect(!rig.isFaultLit)
    rig.run("record start", milliseconds: 2_000)
    rig.run("record stop", milliseconds: 1_000)
    try #require(rig.takePaths.count == 1)
    let movie = try #require(rig.movie(rig.takePaths[0]))
    #expect(movie.audio.count / 2 > 2 * 8_000 && movie.pictures.count > 45)
  }

  @Test("a camera that was not there at boot is looked for, and told once when it is there, also by why and devices")
  func cameraComesAfterBoot() throws {
    let rig = try ApplianceRig(absent: [.camera])
    rig.run(milliseconds: 3_000)
    #expect(rig.announcements("is there now").isEmpty)
    rig.endFaults(of: .camera)
    rig.run(milliseconds: 5_000)
    let line = "camera /dev/video0 is there now: restart the recorder to use it"
    #expect(rig.announcements(line).count == 1)
    for command in ["why", "devices"] {
      let before = rig.host.lines.count
      rig.run(command, milliseconds: 200)
      #expect(rig.host.lines[before...].contains { $0.contains("is there now") }, "\(rig.host.lines[before...])")
    }
    rig.run("press record", milliseconds: 2_000)
    rig.run("press record", milliseconds: 2_000)
    #expect(rig.takePaths.count == 1 && rig.takePaths[0].hasPrefix("audio/"))
  }

  @Test("a microphone that is plugged in during a take without one is told once, and the next take has it")
  func microphoneComesInTake() throws {
    let rig = try ApplianceRig(absent: [.microphone])
    rig.run(milliseconds: 2_000)
    for _ in 0..<2 {
      rig.run("record start", milliseconds: 2_000)
      rig.endFaults(of: .microphone)
      rig.run(milliseconds: 4_000)
      #expect(rig.announcements("is there now: the next take has it").count == 1)
      rig.run("record stop", milliseconds: 4_000)
    }
    try #require(rig.takePaths.count == 2)
    let first = try #require(rig.movie(rig.takePaths[0]))
    let second = try #require(rig.movie(rig.takePaths[1]))
    #expect(first.audio.isEmpty && !second.audio.isEmpty)
  }
}

/// A polled device that is watched, with a device worker.
private final class WatchedDevice {
  private struct Device: SlowDevice, ~Copyable {
    var refusesToOpen = false

    mutating func carryOut(_ order: PolledDeviceOrder) throws(DeviceFailure) -> FixedText<32> {
      if refusesToOpen {
        throw DeviceFailure(device: .buttons, kind: .absent, subject: "", problem: "is gone", remedy: "none")
      }
      return "a device"
    }
  }

  private let shared: SharedDevice<Device>
  private var worker: LentDevice<Device>
  private var watch = PollWatch(failureLimit: 3)
  private(set) var openingCount = 0

  init() throws {
    var memory = leakedBootMemory(byteCount: 1 << 12)
    shared = try SharedDevice(Device(), in: &memory)
    worker = shared.workerEnd
  }

  var refusesToOpen: Bool {
    get { shared.device.refusesToOpen }
    set { shared.device.refusesToOpen = newValue }
  }

  func isReadable(at nanoseconds: UInt64) throws -> Bool {
    defer { if worker.step() { openingCount += 1 } }
    return try watch.isReadable(shared, at: Instant(nanoseconds))
  }

  func fails(at nanoseconds: UInt64) -> Bool { watch.noteFailure(at: Instant(nanoseconds)) }

  @discardableResult func reads() -> Bool { watch.noteReading() }
}
